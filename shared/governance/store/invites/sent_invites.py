"""The invites that a user sent: rows in the sender's own partition, and the invites behind them (ADR invites)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.invites.invite import FormerBoard, StoredInvite
from governance.store.decoding import decode_all, decode_or_none
from governance.store.invites.invites import pending, users_in
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import BOARD, FORMER_BOARD, INVITE, MEMBER, USER, pending_invite_key
from governance.store.schema.keys import Item, Key, key_of, make_item
from governance.store.table import query, read
from governance.store.writes import Put, Write


@dataclass(frozen=True)
class SentInvite:
    """A sender's own row about an invite, and its position in the sender's list."""

    invite_id: str
    board_id: BoardId
    invitee_email: str
    inviter_id: UserId
    position: str


@dataclass(frozen=True)
class InvitesWithNames:
    """The invites behind a sender's rows, with the boards and the inviters that they name, in their present state.

    An invite that no longer exists is None. `own` are the boards that the sender is a member of, `former` the boards
    that they left, as they knew them.
    """

    invites: list[StoredInvite | None]
    boards: Mapping[BoardId, StoredBoard]
    inviters: Mapping[UserId, StoredUser]
    own: frozenset[BoardId]
    former: Mapping[BoardId, FormerBoard]


def page_of_sender(user_id: UserId, window: Window) -> tuple[list[SentInvite], str | None]:
    """Returns a page of the rows of the invites that a user sent, by creation, and the position of the last."""
    rows, last = page(USER.key_for(userId=user_id).pk, [ranges.SENT_INVITES], window)
    return [_sent_invite(row) for row in rows], last


def list_of_sender(user_id: UserId) -> list[SentInvite]:
    """Returns the rows of the invites that a user sent, first or again."""
    rows = query(ranges.SENT_INVITES.within(USER.key_for(userId=user_id).pk))
    return [_sent_invite(row) for row in rows]


def _sent_invite(row: Item) -> SentInvite:
    members = {name: row[name] for name in SentInvite.__dataclass_fields__ if name != "position"}
    return SentInvite(**members, position=ranges.SENT_INVITES.position_of(row))


def invites_behind(sender_id: UserId, rows: Iterable[SentInvite]) -> InvitesWithNames:
    """Returns the invites behind a sender's rows, with one batch, or two if an invite is found under neither key."""
    rows = list(rows)
    items = _read(rows, partial(_keys_of, sender_id))
    board_ids = {row.board_id for row in rows}
    former = {id_: items.get(FORMER_BOARD.key_for(userId=sender_id, boardId=id_)) for id_ in board_ids}
    return InvitesWithNames(
        [_invite_of(row, items) for row in rows],
        _boards(items),
        users_in(items),
        frozenset(id_ for id_ in board_ids if MEMBER.key_for(boardId=id_, userId=sender_id) in items),
        {board.board_id: board for board in decode_all(FormerBoard, filter(None, former.values()))},
    )


def remember_board(user_id: UserId, board: StoredBoard, now: Instant) -> Write:
    """Returns the write that keeps the board's name for a user who leaves it."""
    known = FormerBoard(board_id=board.id, name=board.name, left_at=now)
    return Put(make_item(FORMER_BOARD.key_for(userId=user_id, boardId=board.id), known.item()))


def find_invite(row: SentInvite) -> StoredInvite | None:
    """Returns the invite behind a sender's row; None if it no longer exists."""
    return _invite_of(row, _read([row], _own_keys_of))


def _read(rows: Sequence[SentInvite], keys_of: Callable[[SentInvite], Iterable[Key]]) -> dict[Key, Item]:
    """Returns the items under the keys of the rows.

    A batch is not read at one instant: an invite that is closed meanwhile may be found neither as pending nor as
    closed. It is then read again under its key as a closed invite, which is final.
    """
    items = read(key for row in rows for key in keys_of(row))
    return items | read(_closed_key(row) for row in rows if _invite_of(row, items) is None)


def _keys_of(sender_id: UserId, row: SentInvite) -> Iterable[Key]:
    """Yields the two keys that the invite may be stored under, and the keys of the items that are shown with it."""
    yield from _own_keys_of(row)
    yield from (kind.key_for(userId=sender_id, boardId=row.board_id) for kind in (MEMBER, FORMER_BOARD))
    yield BOARD.key_for(boardId=row.board_id)
    yield USER.key_for(userId=row.inviter_id)


def _own_keys_of(row: SentInvite) -> tuple[Key, Key]:
    return pending_invite_key(row.board_id, row.invitee_email), _closed_key(row)


def _closed_key(row: SentInvite) -> Key:
    return INVITE.key_for(boardId=row.board_id, inviteId=row.invite_id)


def _invite_of(row: SentInvite, items: Mapping[Key, Item]) -> StoredInvite | None:
    closed = items.get(_closed_key(row))
    if closed is not None:
        return decode_or_none(StoredInvite, closed)
    open_ = pending(items, row.board_id, row.invitee_email)
    return open_ if open_ is not None and open_.id == row.invite_id else None


def _boards(items: Mapping[Key, Item]) -> dict[BoardId, StoredBoard]:
    boards = (item for item in items.values() if key_of(item).sk == BOARD.sk)
    return {board.id: board for board in decode_all(StoredBoard, boards)}
