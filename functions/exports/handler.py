"""Exports of boards, and of what is a user's own."""

from governance.http.api import Api
from governance.http.route import CONFLICT, Access, Audience
from governance.scopes import Scope, Tier
from governance.usecases.exports import exports

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
OF_BOARD = "/api/v1/boards/{boardId}/exports"
OWN = "/api/v1/me/exports"

api = Api()
extension = api.group(audience=Audience.FULL_USER, extension=True, agents=False)
extension.get(OF_BOARD, exports.list_board_exports, scope=READ, tier=Tier.ADMIN)
extension.post(OF_BOARD, exports.create_board_export, scope=WRITE, tier=Tier.ADMIN, billing=False, codes=CONFLICT)
extension.get(OF_BOARD + "/{exportId}", exports.get_board_export, scope=READ, tier=Tier.ADMIN)
extension.get(OWN, exports.list_my_exports, scope=Access.AUTHENTICATED)
extension.post(OWN, exports.create_my_export, scope=Access.AUTHENTICATED, codes=CONFLICT)
extension.get(OWN + "/{exportId}", exports.get_my_export, scope=Access.AUTHENTICATED)

lambda_handler = api
