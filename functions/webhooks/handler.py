"""Webhooks of a board, and the deliveries to them."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import webhooks

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
WEBHOOKS = "/api/v1/boards/{boardId}/webhooks"
WEBHOOK = WEBHOOKS + "/{webhookId}"
DELIVERIES = WEBHOOK + "/deliveries"

api = Api()
api.get(WEBHOOKS, webhooks.list_webhooks, scope=READ, audience=Audience.USER, tier=Tier.ADMIN, extension=True)
api.post(
    WEBHOOKS,
    webhooks.create_webhook,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(WEBHOOK, webhooks.get_webhook, scope=READ, audience=Audience.USER, tier=Tier.ADMIN, extension=True)
api.patch(WEBHOOK, webhooks.update_webhook, scope=WRITE, audience=Audience.USER, tier=Tier.ADMIN, extension=True)
api.delete(WEBHOOK, webhooks.delete_webhook, scope=WRITE, audience=Audience.USER, tier=Tier.ADMIN, extension=True)
api.post(
    WEBHOOK + "/test",
    webhooks.test_webhook,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.post(
    WEBHOOK + "/rotate-secret",
    webhooks.rotate_webhook_secret,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
)
api.get(
    DELIVERIES, webhooks.list_webhook_deliveries, scope=READ, audience=Audience.USER, tier=Tier.ADMIN, extension=True
)
api.post(
    DELIVERIES + "/{deliveryId}/redeliver",
    webhooks.redeliver_webhook_delivery,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
