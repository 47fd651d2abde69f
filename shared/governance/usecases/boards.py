"""Boards: list, create, read, change, delete; their tokens (the API specification, sections 2.2, 4.2 and 5)."""

from __future__ import annotations

from governance.errors import not_found
from governance.ids import BoardId, new_id
from governance.models.base import Deleted
from governance.models.board import Board, BoardCreate, BoardPatch, Membership, StoredBoard
from governance.models.event import Event
from governance.models.page import BoardsQuery, Page, PageQuery
from governance.models.token import AccessToken, BoardTokenCreate, MintedToken, StoredToken
from governance.scopes import BOARD_PRESETS
from governance.store import boards, users
from governance.store.schema import BOARD, BOARD_TOKEN
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event
from governance.usecases.members import new_membership
from governance.usecases.tokens import list_page, mint_token, read_page, token_revocation


def to_resource(board: StoredBoard, membership: Membership | None) -> Board:
    """Returns the board with the caller's role on it, which is null for a board token."""
    role = membership.admin_role if membership else None
    return Board.model_validate({**board.item(), "myRole": role})


def own_board_ids(info: RequestInfo) -> list[BoardId]:
    """Reads the ids of the boards that the calling user is a member of."""
    return boards.board_ids_of(info.known_user_id)


@prefetch(own_board_ids)
def list_boards(context: Context, board_ids: list[BoardId], query: BoardsQuery) -> Page[Board]:
    """Returns a page of the boards that the caller is a member of."""
    window = context.window(query)
    by_position = {
        f"{getattr(board, _SORT_FIELDS[query.sort])}#{board.id}": to_resource(board, membership)
        for board, membership in boards.boards_of(context.principal.named_user_id, board_ids)
    }
    positions = sorted(by_position, reverse=window.descending)
    if window.after is not None:
        positions = [at for at in positions if (at < window.after) == window.descending and at != window.after]
    page = positions[: window.limit]
    return Page([by_position[position] for position in page], page[-1] if len(positions) > window.limit else None)


_SORT_FIELDS = {"createdAt": "created_at", "updatedAt": "updated_at"}


def create_board(context: Context, body: BoardCreate) -> Outcome[Board]:
    """Creates a board on trial; the caller becomes its owner."""
    board = StoredBoard(
        id=BoardId(new_id()),
        name=body.name,
        description=body.description,
        billing_state="TRIAL_ACTIVE",
        created_at=context.now,
        updated_at=context.now,
    )
    owner = new_membership(
        board.id, context.principal.named_user_id, context.now, admin_role="owner", access_type="manager"
    )
    active = users.check_active(owner.user_id)  # not for a user who is being purged
    return Outcome(to_resource(board, owner), [active, boards.create(board), *boards.add_member(owner)])


def get_board(context: Context) -> Board:
    """Returns one board."""
    return to_resource(context.board, context.membership)


def update_board(context: Context, body: BoardPatch) -> Outcome[Board]:
    """Changes the fields of the board that the body names."""
    old, changes = context.board, body.changes()
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    fields = [StoredBoard.model_fields[name].alias or name for name in changes]
    writes = [boards.replace(old, new), *record_event(context, Event.BOARD_CHANGED, details={"fields": sorted(fields)})]
    return Outcome(to_resource(new, context.membership), writes)


def delete_board(context: Context) -> Outcome[Deleted]:
    """Deletes the board with everything under it, if the caller is still its owner when this is written."""
    owner = boards.check_unchanged_member(context.own_membership)
    event = record_event(context, Event.BOARD_DELETED, data={"inviteCode": context.board.invite_code})
    return Outcome(Deleted(), [owner, *boards.delete(context.board), *event])


def _board_tokens(info: RequestInfo) -> Page[StoredToken]:
    return read_page(BOARD.key_for(boardId=info.board_id).pk, info)


@prefetch(_board_tokens)
def list_board_tokens(context: Context, page: Page[StoredToken], _query: PageQuery) -> Page[AccessToken]:
    """Returns a page of the board's tokens, newest first, without secrets."""
    return list_page(page, context.now)


def create_board_token(context: Context, body: BoardTokenCreate) -> Outcome[MintedToken]:
    """Creates a board token; its secret is in this response and nowhere else."""
    preset = body.preset or "read_only"
    scopes = BOARD_PRESETS[preset]
    return mint_token(context, "board", context.board.id, body.name, preset, scopes, body.expires_in_days)


@loads(BOARD_TOKEN)
def revoke_board_token(context: Context) -> Outcome[Deleted]:
    """Revokes a board token, from the next request on."""
    item = context.item(BOARD_TOKEN)
    if item is None:
        raise not_found()
    return Outcome(Deleted(), token_revocation(context, StoredToken.model_validate(item)))
