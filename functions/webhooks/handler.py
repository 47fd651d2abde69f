"""Webhooks of a board, and the deliveries to them."""

from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.webhooks import webhooks

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
WEBHOOKS = "/api/v1/boards/{boardId}/webhooks"
WEBHOOK = WEBHOOKS + "/{webhookId}"
DELIVERIES = WEBHOOK + "/deliveries"
REDELIVER = DELIVERIES + "/{deliveryId}/redeliver"

api = Api()
by_admin = api.group(audience=Audience.USER, tier=Tier.ADMIN, extension=True)
by_admin.get(WEBHOOKS, webhooks.list_webhooks, scope=READ)
by_admin.post(WEBHOOKS, webhooks.create_webhook, scope=WRITE, codes=CONFLICT)
by_admin.get(WEBHOOK, webhooks.get_webhook, scope=READ)
by_admin.patch(WEBHOOK, webhooks.update_webhook, scope=WRITE)
by_admin.delete(WEBHOOK, webhooks.delete_webhook, scope=WRITE)
by_admin.post(WEBHOOK + "/test", webhooks.test_webhook, scope=WRITE, codes=CONFLICT)
by_admin.post(WEBHOOK + "/rotate-secret", webhooks.rotate_webhook_secret, scope=WRITE)
by_admin.get(DELIVERIES, webhooks.list_webhook_deliveries, scope=READ)
by_admin.post(REDELIVER, webhooks.redeliver_webhook_delivery, scope=WRITE, codes=CONFLICT)

lambda_handler = api
