"""Boards, their members, and their tokens."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Who
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
    who=Who.USER,
    query=BoardsQuery,
    shape="collection",
    answers=Board,
)
api.post(
    BOARDS,
    boards.create_board,
    scope=WRITE,
    who=Who.USER,
    body=BoardCreate,
    answers=Board,
    extension=True,
)
api.get(BOARD, boards.get_board, scope=READ, answers=Board)
api.patch(
    BOARD,
    boards.update_board,
    scope=WRITE,
    who=Who.USER,
    tier=Tier.ADMIN,
    body=BoardPatch,
    answers=Board,
    extension=True,
)
api.delete(
    BOARD,
    boards.delete_board,
    scope=WRITE,
    who=Who.SESSION,
    tier=Tier.OWNER,
    billing=False,
    answers=Deleted,
    extension=True,
)
api.get(
    BOARD + "/members",
    members.list_members,
    scope=READ,
    query=MembersQuery,
    shape="collection",
    answers=BoardMember,
)
api.get(MEMBER, members.get_member, scope=READ, answers=BoardMember)
api.patch(
    MEMBER,
    members.update_member,
    scope=WRITE,
    who=Who.USER,
    tier=Tier.ADMIN,
    body=MemberPatch,
    answers=BoardMember,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    MEMBER,
    members.remove_member,
    scope=WRITE,
    who=Who.USER,
    billing=False,
    answers=Deleted,
    extension=True,
    codes=(Code.BILLING_RESTRICTED, Code.CONFLICT),
)
api.post(
    BOARD + "/ownership-transfer",
    members.transfer_ownership,
    scope=WRITE,
    who=Who.SESSION,
    tier=Tier.OWNER,
    body=OwnershipTransfer,
    answers=BoardMember,
    extension=True,
)
api.get(
    BOARD + "/tokens",
    boards.list_board_tokens,
    scope=READ,
    who=Who.SESSION,
    query=PageQuery,
    shape="collection",
    answers=AccessToken,
    extension=True,
)
api.post(
    BOARD + "/tokens",
    boards.create_board_token,
    scope=WRITE,
    who=Who.SESSION,
    tier=Tier.ADMIN,
    body=BoardTokenCreate,
    answers=MintedToken,
    extension=True,
)
api.delete(
    BOARD + "/tokens/{tokenId}",
    boards.revoke_board_token,
    scope=WRITE,
    who=Who.SESSION,
    tier=Tier.ADMIN,
    billing=False,
    answers=Deleted,
    extension=True,
)

lambda_handler = api
