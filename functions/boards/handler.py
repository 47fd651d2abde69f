"""Boards, their members, and their tokens."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import boards, example_boards, members

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
BOARDS = "/api/v1/boards"
BOARD = BOARDS + "/{boardId}"
MEMBER = BOARD + "/members/{memberId}"

api = Api()
api.get(BOARDS, boards.list_boards, scope=READ, audience=Audience.USER)
api.post(BOARDS, boards.create_board, scope=WRITE, audience=Audience.USER, extension=True, codes=(Code.CONFLICT,))
api.post(
    "/api/v1/me/example-board",
    example_boards.create_example_board,
    scope=WRITE,
    audience=Audience.SESSION,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(BOARD, boards.get_board, scope=READ)
api.patch(BOARD, boards.update_board, scope=WRITE, audience=Audience.USER, tier=Tier.ADMIN, extension=True)
api.delete(
    BOARD, boards.delete_board, scope=WRITE, audience=Audience.SESSION, tier=Tier.OWNER, billing=False, extension=True
)
api.get(BOARD + "/members", members.list_members, scope=READ)
api.get(MEMBER, members.get_member, scope=READ)
api.patch(
    MEMBER,
    members.update_member,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    MEMBER,
    members.remove_member,
    scope=WRITE,
    audience=Audience.USER,
    billing=False,
    extension=True,
    codes=(Code.BILLING_RESTRICTED, Code.CONFLICT),
)
api.post(
    BOARD + "/ownership-transfer",
    members.transfer_ownership,
    scope=WRITE,
    audience=Audience.SESSION,
    tier=Tier.OWNER,
    status=200,
    extension=True,
)
api.get(BOARD + "/tokens", boards.list_board_tokens, scope=READ, audience=Audience.SESSION, extension=True)
api.post(
    BOARD + "/tokens",
    boards.create_board_token,
    scope=WRITE,
    audience=Audience.SESSION,
    tier=Tier.ADMIN,
    codes=(Code.CONFLICT,),
    extension=True,
)
api.delete(
    BOARD + "/tokens/{tokenId}",
    boards.revoke_board_token,
    scope=WRITE,
    audience=Audience.SESSION,
    tier=Tier.ADMIN,
    billing=False,
    extension=True,
)

lambda_handler = api
