"""Action items of both surfaces."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
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
from governance.models.page import LegacyListQuery, PageQuery
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
    query=PageQuery,
    shape="collection",
    response_model=ActionItem,
    extension=True,
)
api.post(
    ITEMS,
    action_items.create_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=ActionItemCreate,
    response_model=ActionItem,
    codes=(Code.CONFLICT,),
)
api.patch(
    ITEM,
    action_items.update_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=ActionItemPatch,
    response_model=ActionItem,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    ITEM,
    action_items.delete_action_item,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    response_model=Deleted,
    extension=True,
)
api.get(
    "/api/action-items/my",
    legacy_action_items.list_mine,
    scope=READ,
    audience=Audience.USER,
    query=MyItemsQuery,
    shape="bare",
    response_model=MyItems,
)
api.patch(
    "/api/action-items/{actionItemId}/status",
    legacy_action_items.change_status,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    billing=True,
    body=StatusBody,
    shape="bare",
    response_model=ItemStatusChanged,
    codes=(Code.CONFLICT,),
)
api.get(
    LEGACY_ITEMS,
    legacy_action_items.list_of_board,
    scope=READ,
    query=LegacyListQuery,
    shape="bare",
    response_model=BoardItems,
)
api.patch(
    LEGACY_ITEMS + "/{actionItemId}",
    legacy_action_items.change_status_on_board,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=StatusBody,
    shape="bare",
    response_model=ItemStatus,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
