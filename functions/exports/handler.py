"""Exports of boards, and of what is a user's own."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.scopes import Scope, Tier
from governance.usecases import exports

OF_BOARD = "/api/v1/boards/{boardId}/exports"
OWN = "/api/v1/me/exports"

api = Api()
api.get(
    OF_BOARD,
    exports.list_board_exports,
    scope=Scope.BOARDS_READ,
    audience=Audience.FULL_USER,
    tier=Tier.ADMIN,
    extension=True,
)
api.post(
    OF_BOARD,
    exports.create_board_export,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.FULL_USER,
    tier=Tier.ADMIN,
    billing=False,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    OF_BOARD + "/{exportId}",
    exports.get_board_export,
    scope=Scope.BOARDS_READ,
    audience=Audience.FULL_USER,
    tier=Tier.ADMIN,
    extension=True,
)
api.get(OWN, exports.list_my_exports, scope=Access.AUTHENTICATED, audience=Audience.FULL_USER, extension=True)
api.post(
    OWN,
    exports.create_my_export,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    OWN + "/{exportId}", exports.get_my_export, scope=Access.AUTHENTICATED, audience=Audience.FULL_USER, extension=True
)

lambda_handler = api
