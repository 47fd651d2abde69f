"""Boards, their members, and their tokens."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.models.base import Deleted
from governance.models.board import (
    Board,
    BoardCreate,
    BoardMember,
    BoardPatch,
    MemberPatch,
    OwnershipTransfer,
)
from governance.models.page import BoardsQuery, MembersQuery, PageQuery
from governance.models.token import AccessToken, BoardTokenCreate, MintedToken
from governance.scopes import Scope, Tier
from governance.usecases import boards, members

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
BOARDS = "/api/v1/boards"
BOARD = BOARDS + "/{boardId}"
MEMBER = BOARD + "/members/{memberId}"

api = Api()
api.get(
    BOARDS,
    boards.list_boards,
    scope=READ,
    audience=Audience.USER,
    query=BoardsQuery,
    shape="collection",
    response_model=Board,
)
api.post(
    BOARDS,
    boards.create_board,
    scope=WRITE,
    audience=Audience.USER,
    body=BoardCreate,
    response_model=Board,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(BOARD, boards.get_board, scope=READ, response_model=Board)
api.patch(
    BOARD,
    boards.update_board,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    body=BoardPatch,
    response_model=Board,
    extension=True,
)
api.delete(
    BOARD,
    boards.delete_board,
    scope=WRITE,
    audience=Audience.SESSION,
    tier=Tier.OWNER,
    billing=False,
    response_model=Deleted,
    extension=True,
)
api.get(
    BOARD + "/members",
    members.list_members,
    scope=READ,
    query=MembersQuery,
    shape="collection",
    response_model=BoardMember,
)
api.get(MEMBER, members.get_member, scope=READ, response_model=BoardMember)
api.patch(
    MEMBER,
    members.update_member,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    body=MemberPatch,
    response_model=BoardMember,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    MEMBER,
    members.remove_member,
    scope=WRITE,
    audience=Audience.USER,
    billing=False,
    response_model=Deleted,
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
    body=OwnershipTransfer,
    response_model=BoardMember,
    extension=True,
)
api.get(
    BOARD + "/tokens",
    boards.list_board_tokens,
    scope=READ,
    audience=Audience.SESSION,
    query=PageQuery,
    shape="collection",
    response_model=AccessToken,
    extension=True,
)
api.post(
    BOARD + "/tokens",
    boards.create_board_token,
    scope=WRITE,
    audience=Audience.SESSION,
    tier=Tier.ADMIN,
    body=BoardTokenCreate,
    response_model=MintedToken,
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
    response_model=Deleted,
    extension=True,
)

lambda_handler = api
