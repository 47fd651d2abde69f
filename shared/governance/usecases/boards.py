"""Boards: list, create, read, change, delete; their tokens (the API specification, sections 2.2, 4.2 and 5)."""

from __future__ import annotations

from governance.errors import not_found
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.board import Board, BoardCreate, BoardPatch, Membership, StoredBoard
from governance.models.event import Event
from governance.models.page import BoardsQuery, Page, PageQuery
from governance.models.token import AccessToken, BoardTokenCreate, MintedToken, StoredToken
from governance.scopes import BOARD_PRESETS
from governance.store import boards, tokens
from governance.store.schema import BOARD_TOKEN
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event
from governance.usecases.members import new_membership
from governance.usecases.tokens import TokenPage, list_page, mint_token, read_page


def to_resource(board: StoredBoard, membership: Membership | None) -> Board:
    """The board as this caller sees it; a board token has no role."""
    role = membership.admin_role if membership else None
    return Board.model_validate({**board.item(), "myRole": role})


def _my_boards(ask: RequestInfo) -> list[str]:
    return boards.board_ids_of(ask.user_id) if ask.user_id else []


@prefetch(_my_boards)
def list_boards(context: Context, query: BoardsQuery) -> Page[Board]:
    """A page of the boards that the caller is a member of."""
    window = context.window(query)
    found = boards.boards_of(context.principal.named_user_id, context.prefetched)
    places = {
        f"{getattr(board, _MEMBER[query.sort])}#{board.id}": to_resource(board, member) for board, member in found
    }
    order = sorted(places, reverse=window.descending)
    if window.after is not None:
        order = [place for place in order if (place < window.after) == window.descending and place != window.after]
    page = order[: window.limit]
    return Page([places[place] for place in page], page[-1] if len(order) > window.limit else None)


_MEMBER = {"createdAt": "created_at", "updatedAt": "updated_at"}


def create_board(context: Context, body: BoardCreate) -> Outcome[Board]:
    """A new board on trial; the caller is its owner."""
    board = StoredBoard(
        id=new_id(),
        name=body.name,
        description=body.description,
        billing_state="TRIAL_ACTIVE",
        created_at=context.now,
        updated_at=context.now,
    )
    owner = new_membership(
        board.id, context.principal.named_user_id, context.now, admin_role="owner", access_type="manager"
    )
    return Outcome(to_resource(board, owner), [boards.create(board), *boards.add_member(owner)])


def get_board(context: Context) -> Board:
    """One board."""
    return to_resource(context.board, context.membership)


def update_board(context: Context, body: BoardPatch) -> Outcome[Board]:
    """The board with these members changed."""
    old, changes = context.board, body.changes()
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    fields = [StoredBoard.model_fields[name].alias or name for name in changes]
    writes = [boards.replace(old, new), *record_event(context, Event.BOARD_CHANGED, details={"fields": sorted(fields)})]
    return Outcome(to_resource(new, context.membership), writes)


def delete_board(context: Context) -> Outcome[Deleted]:
    """The board is gone, and everything under it with it, at once; who has just given it away does not delete it."""
    owner = boards.check_unchanged_member(context.own_membership)
    act = record_event(context, Event.BOARD_DELETED, data={"inviteCode": context.board.invite_code})
    return Outcome(Deleted(), [owner, *boards.delete(context.board), *act])


def _board_tokens(ask: RequestInfo) -> TokenPage | None:
    key = BOARD_TOKEN.key(**ask.params, tokenId="0" * 24)
    return read_page(key.pk, ask) if key else None


@prefetch(_board_tokens)
def list_board_tokens(context: Context, _: PageQuery) -> Page[AccessToken]:
    """A page of the board's tokens, newest first, without secrets."""
    return list_page(context.prefetched, context.now)


def create_board_token(context: Context, body: BoardTokenCreate) -> Outcome[MintedToken]:
    """A new board token; its secret is in this answer and nowhere else."""
    preset = body.preset or "read_only"
    scopes = BOARD_PRESETS[preset]
    return mint_token(context, "board", context.board.id, body.name, preset, scopes, body.expires_in_days)


@loads(BOARD_TOKEN)
def revoke_board_token(context: Context) -> Outcome[Deleted]:
    """The token is dead from now on."""
    item = context.item(BOARD_TOKEN)
    if item is None:
        raise not_found()
    return Outcome(Deleted(), [tokens.revoke(StoredToken.model_validate(item), context.now)])
