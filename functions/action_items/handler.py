"""Action items of both surfaces."""

from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.action_items import action_items, due_dates, legacy_action_items, unregistered_assignees

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
BOARD = "/api/v1/boards/{boardId}"
ITEMS = BOARD + "/meetings/{meetingId}/action-items"
ITEM = ITEMS + "/{actionItemId}"
DUE = ITEM + "/due"
PERSON = ITEM + "/unregistered-assignee"
LEGACY_ITEMS = "/api/board/{boardId}/action-items"
LEGACY_STATUS = "/api/action-items/{actionItemId}/status"

api = Api()
extension = api.group(extension=True)
extension.get(ITEMS, action_items.list_meeting_action_items, scope=READ)
api.post(ITEMS, action_items.create_action_item, scope=WRITE, tier=Tier.COLLABORATOR, codes=CONFLICT)
extension.patch(ITEM, action_items.update_action_item, scope=WRITE, tier=Tier.COLLABORATOR, codes=CONFLICT)
extension.delete(ITEM, action_items.delete_action_item, scope=WRITE, tier=Tier.COLLABORATOR)
extension.put(DUE, due_dates.put_action_item_due_date, scope=WRITE, tier=Tier.COLLABORATOR)
extension.delete(DUE, due_dates.delete_action_item_due_date, scope=WRITE, tier=Tier.COLLABORATOR)
extension.get(PERSON, unregistered_assignees.get_action_item_unregistered_assignee, scope=READ)
extension.put(PERSON, unregistered_assignees.put_action_item_unregistered_assignee, scope=WRITE, tier=Tier.COLLABORATOR)
extension.delete(
    PERSON, unregistered_assignees.delete_action_item_unregistered_assignee, scope=WRITE, tier=Tier.COLLABORATOR
)
extension.get(BOARD + "/due-dates", due_dates.list_action_item_due_dates, scope=READ)

legacy = api.group(tier=Tier.COLLABORATOR, billing=True, codes=CONFLICT)
api.get(
    "/api/action-items/my", legacy_action_items.list_my_action_items, scope=READ, audience=Audience.USER, shape="bare"
)
legacy.patch(LEGACY_STATUS, legacy_action_items.change_action_item_status, scope=WRITE, audience=Audience.USER)
api.get(LEGACY_ITEMS, legacy_action_items.list_board_action_items, scope=READ, shape="bare")
legacy.patch(LEGACY_ITEMS + "/{actionItemId}", legacy_action_items.change_board_action_item_status, scope=WRITE)

lambda_handler = api
