"""Boards: list, create, read, change, delete; their tokens (the API specification, sections 2.2, 4.2 and 5)."""

from __future__ import annotations

from dataclasses import replace

from governance.domain.events import boards as events
from governance.domain.events.kind import Changed
from governance.domain.history.audit import changed_fields, field_changes
from governance.errors import not_found
from governance.ids import BoardId, UserId, new_id
from governance.models.account.token import AccessToken, BoardTokenCreate, MintedToken, StoredToken
from governance.models.base import Deleted
from governance.models.boards.board import Board, BoardCreate, BoardPatch, Membership, RosterEntry, StoredBoard
from governance.models.page import BoardsQuery, OrderedQuery, Page
from governance.scopes import BOARD_PRESETS
from governance.store.account import users
from governance.store.boards import board_lists, boards
from governance.store.boards.board_lists import ListedBoards
from governance.store.paging import Window
from governance.store.schema.entities import BOARD, BOARD_TOKEN
from governance.usecases.account.tokens import list_page, mint_token, read_page, token_revocation
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch, roster_of
from governance.usecases.event_writes import record_event
from governance.usecases.members.members import new_membership


def to_resource(board: StoredBoard, membership: Membership | None) -> Board:
    """Returns the board with the caller's role on it, which is null for a board token."""
    role = membership.admin_role if membership else None
    return Board.model_validate({**board.item(), "myRole": role})


def own_board_ids(info: RequestInfo) -> list[BoardId]:
    """Reads the ids of the boards that the calling user is a member of."""
    return board_lists.board_ids_of(info.known_user_id)


def _first_boards(info: RequestInfo) -> ListedBoards:
    query = info.query_as(BoardsQuery)
    return board_lists.list_page(info.known_user_id, query.sort, _with_next(info.window(query)))


def _with_next(window: Window) -> Window:
    """Returns the window with room for one more, whose existence says whether a page follows."""
    return replace(window, limit=window.limit + 1)


@prefetch(_first_boards)
def list_boards(context: Context, listed: ListedBoards, query: BoardsQuery) -> Page[Board]:
    """Returns a page of the boards that the caller is a member of.

    A deleted board stays in the lists until its cleanup, so reading continues behind one that was found.
    """
    user_id, window = context.principal.named_user_id, _with_next(context.window(query))
    existing = _existing(user_id, listed)
    while listed.more and len(existing) <= query.limit:
        window = replace(window, after=listed.rows[-1][0])
        listed = board_lists.list_page(user_id, query.sort, window)
        existing += _existing(user_id, listed)
    shown = existing[: query.limit]
    return Page([board for _, board in shown], shown[-1][0] if len(existing) > query.limit else None)


def _existing(user_id: UserId, listed: ListedBoards) -> list[tuple[str, Board]]:
    """Returns the positions and the boards of those listed that exist and have the user as a member."""
    own = boards.boards_of(user_id, [board_id for _, board_id in listed.rows])
    existing = {board.id: to_resource(board, membership) for board, membership in own}
    return [(at, existing[board_id]) for at, board_id in listed.rows if board_id in existing]


def own_board(context: Context) -> StoredBoard:
    """Returns the board that the caller has made; raises 404 once it is deleted, or the caller is no member of it."""
    own = boards.boards_of(context.principal.named_user_id, [BoardId(context.params["boardId"])])
    if not own:
        raise not_found()
    return own[0][0]


@creates(BOARD, "boardId", own_board)
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
    return Outcome(to_resource(board, owner), [active, boards.create(board), *boards.add_member(board, owner)])


def get_board(context: Context) -> Board:
    """Returns one board."""
    return to_resource(context.board, context.membership)


@prefetch(roster_of)
def update_board(context: Context, roster: list[RosterEntry], body: BoardPatch) -> Outcome[Board]:
    """Changes the fields of the board that the body names, and its place in the lists of its members.

    Setting the same values changes nothing.
    """
    old = context.board
    new = old.model_copy(update={**body.changes(), "updated_at": context.now, "version": old.version + 1})
    fields = changed_fields(old, new)
    if not fields:
        return Outcome(to_resource(old, context.membership), [])
    lists = board_lists.move(new, roster, context.user_id)
    event = record_event(context, events.BOARD_CHANGED, Changed(fields=fields, changes=field_changes(old, new)))
    return Outcome(to_resource(new, context.membership), [boards.replace(old, new), *lists, *event])


def delete_board(context: Context) -> Outcome[Deleted]:
    """Deletes the board with everything under it, if the caller is still its owner when this is written."""
    owner = boards.check_unchanged_member(context.own_membership)
    board = context.board
    known = events.BoardDeleted(
        invite_code=board.invite_code, is_example=board.is_example, board_created_at=board.created_at
    )
    event = record_event(context, events.BOARD_DELETED, known)
    return Outcome(Deleted(), [owner, *boards.delete(context.board, context.now), *event], deletes_board=True)


def _board_tokens(info: RequestInfo) -> Page[StoredToken]:
    return read_page(BOARD.key_for(boardId=info.board_id).pk, info)


@prefetch(_board_tokens)
def list_board_tokens(context: Context, page: Page[StoredToken], _query: OrderedQuery) -> Page[AccessToken]:
    """Returns a page of the board's tokens, newest first, without secrets."""
    return list_page(page, context.now)


def create_board_token(context: Context, body: BoardTokenCreate) -> Outcome[MintedToken]:
    """Creates a board token; its secret is in this response and nowhere else."""
    preset = body.preset or "read_only"
    scopes = BOARD_PRESETS[preset]
    return mint_token(context, "board", context.board.id, body.name, preset, scopes, body.expires_in_days)


def _board_token(context: Context) -> StoredToken:
    return context.stored(BOARD_TOKEN, StoredToken)


@loads(BOARD_TOKEN)
@finds(_board_token)
def revoke_board_token(context: Context, token: StoredToken) -> Outcome[Deleted]:
    """Revokes a board token, from the next request on."""
    return Outcome(Deleted(), token_revocation(context, token))
