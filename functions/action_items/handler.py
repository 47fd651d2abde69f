"""Action items of both surfaces."""

from governance.http.api import Api
from governance.http.route import Who
from governance.models.action_item import (
    ActionItem,
    ActionItemCreate,
    ActionItemPatch,
    BoardItems,
    ItemStatus,
    ItemStatusChanged,
    MyItems,
    MyItemsQuery,
    StatusBody,
)
from governance.models.base import Deleted
from governance.scopes import Scope, Tier
from governance.usecases import action_items, legacy_action_items

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
ITEMS = "/api/v1/boards/{boardId}/meetings/{meetingId}/action-items"
ITEM = ITEMS + "/{actionItemId}"
LEGACY_ITEMS = "/api/board/{boardId}/action-items"

api = Api()
api.get(
    ITEMS,
    action_items.list_action_items,
    scope=READ,
    shape="collection",
    answers=ActionItem,
    extension=True,
)
api.post(
    ITEMS,
    action_items.create_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=ActionItemCreate,
    answers=ActionItem,
)
api.patch(
    ITEM,
    action_items.update_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=ActionItemPatch,
    answers=ActionItem,
    extension=True,
)
api.delete(
    ITEM,
    action_items.delete_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    answers=Deleted,
    extension=True,
)
api.get(
    "/api/action-items/my",
    legacy_action_items.list_mine,
    scope=READ,
    who=Who.USER,
    query=MyItemsQuery,
    shape="bare",
    answers=MyItems,
)
api.patch(
    "/api/action-items/{actionItemId}/status",
    legacy_action_items.change_status,
    scope=WRITE,
    who=Who.USER,
    tier=Tier.COLLABORATOR,
    billing=True,
    body=StatusBody,
    shape="bare",
    answers=ItemStatusChanged,
)
api.get(
    LEGACY_ITEMS,
    legacy_action_items.list_of_board,
    scope=READ,
    shape="bare",
    answers=BoardItems,
)
api.patch(
    LEGACY_ITEMS + "/{actionItemId}",
    legacy_action_items.change_status_on_board,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=StatusBody,
    shape="bare",
    answers=ItemStatus,
)

lambda_handler = api
