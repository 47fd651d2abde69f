"""The list of a user's boards: a row for each in a partition of its own, in the orders of the list (ADR boards).

A row is written and deleted in the transaction of the membership, so a list has every board of the user and no other.
It authorizes nothing. A change of a board moves the rows of its members in the same transaction, if they fit into it;
the event of the change moves the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from governance.ids import BoardId, UserId
from governance.limits import TRANSACTION_WRITES
from governance.models.boards.board import RosterEntry, StoredBoard
from governance.models.page import BoardSortField
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import MEMBER, USER_BOARD, boards_partition
from governance.store.schema.keys import Item, Key, SortedList, is_of_kind, make_item, position
from governance.store.table import query, read
from governance.store.writes import EXISTS, Condition, Delete, Put, Update, Write

_MOVED_TOGETHER = TRANSACTION_WRITES - 20
"""Rows that move in the transaction of a change, which has other writes too."""
_LISTS: dict[BoardSortField, SortedList] = {
    "updatedAt": ranges.BOARDS_BY_UPDATE,
    "createdAt": ranges.BOARDS_BY_CREATION,
}


@dataclass(frozen=True)
class ListedBoards:
    """A part of the list of a user's boards: positions with the boards' ids, and whether more follow."""

    rows: Sequence[tuple[str, BoardId]]
    more: bool


def _key(board_id: BoardId, user_id: UserId) -> Key:
    return USER_BOARD.key_for(userId=user_id, boardId=board_id)


def add(board: StoredBoard, user_id: UserId) -> Write:
    """Returns the write that puts a board into a user's list."""
    entries = ranges.BOARDS_BY_CREATION.entry(position(board.created_at, board.id)) | _by_update(board)
    return Put(make_item(_key(board.id, user_id), {"boardId": board.id}, **entries))


def _by_update(board: StoredBoard) -> dict[str, str]:
    return ranges.BOARDS_BY_UPDATE.entry(position(board.updated_at, board.id))


def remove(board_id: BoardId, user_id: UserId) -> Write:
    """Returns the write that takes a board out of a user's list."""
    return Delete(_key(board_id, user_id))


def keys_of(board_id: BoardId, roster: Iterable[RosterEntry]) -> list[Key]:
    """Returns the keys of a board's rows in the lists of its members."""
    return [_key(board_id, member.user_id) for member in roster]


def keys_elsewhere(item: Item) -> list[Key]:
    """Returns the key of a member's row for the board, from the membership; none for an item of another kind."""
    return [_key(item["boardId"], item["userId"])] if is_of_kind(MEMBER, item) else []


def move(board: StoredBoard, roster: Sequence[RosterEntry], caller: UserId | None) -> list[Write]:
    """Returns the writes that move a changed board in its members' lists; with too many, in the caller's only.

    They fail with `StaleRead` if one of the members has left.
    """
    moved = roster if len(roster) <= _MOVED_TOGETHER else [member for member in roster if member.user_id == caller]
    return [_move(key, board, EXISTS) for key in keys_of(board.id, moved)]


def move_outdated(board: StoredBoard, roster: Iterable[RosterEntry]) -> list[Write]:
    """Reads the board's rows in the lists of these members; returns the writes that move those that did not move yet.

    They fail with `StaleRead` if one of the rows changed since it was read.
    """
    rows = read(keys_of(board.id, roster))
    return [_move(key, board, _unmoved(row)) for key, row in rows.items() if _is_outdated(row, board)]


def _is_outdated(row: Item, board: StoredBoard) -> bool:
    return ranges.BOARDS_BY_UPDATE.position_of(row) < position(board.updated_at, board.id)


def _unmoved(row: Item) -> Condition:
    attribute = ranges.BOARDS_BY_UPDATE.attribute
    return Condition("#l = :old", {"#l": attribute}, {":old": row[attribute]})


def _move(key: Key, board: StoredBoard, condition: Condition) -> Write:
    ((attribute, value),) = _by_update(board).items()
    return Update(key, "SET #l = :l", {"#l": attribute}, {":l": value}, condition)


def list_page(user_id: UserId, sort: BoardSortField, window: Window) -> ListedBoards:
    """Returns a part of the list of a user's boards, with one query of an index that holds keys only."""
    listed = _LISTS[sort]
    items, last = page(boards_partition(user_id), [listed], window)
    positions = [listed.position_of(item) for item in items]
    return ListedBoards([(at, BoardId(at.rpartition("#")[2])) for at in positions], last is not None)


def board_ids_of(user_id: UserId) -> list[BoardId]:
    """Returns the ids of the boards that a user may be a member of; the memberships themselves decide."""
    return [item["boardId"] for item in query(ranges.BOARDS_OF_USER.within(boards_partition(user_id)))]
