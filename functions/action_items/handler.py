"""Action items of both surfaces."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import action_items, due_dates, legacy_action_items

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
ITEMS = "/api/v1/boards/{boardId}/meetings/{meetingId}/action-items"
ITEM = ITEMS + "/{actionItemId}"
LEGACY_ITEMS = "/api/board/{boardId}/action-items"

api = Api()
api.get(ITEMS, action_items.list_action_items, scope=READ, extension=True)
api.post(ITEMS, action_items.create_action_item, scope=WRITE, tier=Tier.COLLABORATOR, codes=(Code.CONFLICT,))
api.patch(
    ITEM, action_items.update_action_item, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,)
)
api.delete(ITEM, action_items.delete_action_item, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.put(ITEM + "/due", due_dates.put_due_date, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.delete(ITEM + "/due", due_dates.delete_due_date, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get("/api/v1/boards/{boardId}/due-dates", due_dates.list_due_dates, scope=READ, extension=True)
api.get("/api/action-items/my", legacy_action_items.list_mine, scope=READ, audience=Audience.USER, shape="bare")
api.patch(
    "/api/action-items/{actionItemId}/status",
    legacy_action_items.change_status,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    billing=True,
    shape="bare",
    codes=(Code.CONFLICT,),
)
api.get(LEGACY_ITEMS, legacy_action_items.list_of_board, scope=READ, shape="bare")
api.patch(
    LEGACY_ITEMS + "/{actionItemId}",
    legacy_action_items.change_status_on_board,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    shape="bare",
    codes=(Code.CONFLICT,),
)

lambda_handler = api
