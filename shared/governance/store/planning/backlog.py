"""The backlog: one item for each agenda item that waits, in the list of those who see it, by when it began to wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from governance.agenda_limits import BACKLOG_ITEMS_PER_BOARD
from governance.domain.access.visibility import Visibility, document_visibility
from governance.ids import BoardId
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import BACKLOG_COUNT, BACKLOG_ITEM
from governance.store.schema.keys import PK, SK, Item, Key, SortedList, key_of, make_item, position
from governance.store.table import iter_range, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(item: StoredBacklogItem) -> Key:
    return BACKLOG_ITEM.key_for(boardId=item.board_id, backlogItemId=item.id)


def _item(item: StoredBacklogItem) -> Item:
    entry = ranges.backlog_visible_by(document_visibility(item.committee_id)).entry(position(item.created_at, item.id))
    return make_item(_key(item), item.item(), **entry)


def create(item: StoredBacklogItem) -> list[Write]:
    """Returns the writes of a new item; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    count = BACKLOG_COUNT.key_for(boardId=item.board_id)
    return [Put(_item(item), ABSENT), counters.add(count, BACKLOG_ITEMS_PER_BOARD)]


def replace(old: StoredBacklogItem, new: StoredBacklogItem) -> Write:
    """Returns the write that changes an item. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(item: StoredBacklogItem) -> list[Write]:
    """Returns the writes that delete an item. They fail with `StaleRead` if it changed since it was read."""
    count = BACKLOG_COUNT.key_for(boardId=item.board_id)
    return [Delete(_key(item), equals(version=item.version)), counters.subtract(count)]


def move(board_id: BoardId, placed: Sequence[StoredBacklogItem], waiting: Sequence[StoredBacklogItem]) -> list[Write]:
    """Returns the writes after which some items wait no more, and others wait.

    They fail with `StaleRead` if one of the items changed, with 409 `LIMIT_REACHED` at the limit of a board.
    """
    count, more = BACKLOG_COUNT.key_for(boardId=board_id), len(waiting) - len(placed)
    counted = (
        counters.add_several(count, more, BACKLOG_ITEMS_PER_BOARD) if more > 0 else counters.subtract(count, -more)
    )
    return [
        *(Delete(_key(item), equals(version=item.version)) for item in placed),
        *(Put(_item(item), ABSENT) for item in waiting),
        *([counted] if more else []),
    ]


def room(board_id: BoardId) -> int:
    """Returns how many items more may wait on a board."""
    counter = read_one(BACKLOG_COUNT.key_for(boardId=board_id))
    return BACKLOG_ITEMS_PER_BOARD - (counters.number_in(counter) if counter else 0)


def list_visible(
    board_id: BoardId, visibilities: Sequence[Visibility], window: Window
) -> tuple[list[StoredBacklogItem], str | None]:
    """Returns a page of the waiting items of these visibilities, and the position of the last (None: no more)."""
    items, last = page(
        board_key(board_id).pk, [ranges.backlog_visible_by(visibility) for visibility in visibilities], window
    )
    return decode_all(StoredBacklogItem, items), last


_EVERY = SortedList(None, BACKLOG_ITEM.sk_prefix)


def keys_of_board(board_id: BoardId) -> Iterator[Key]:
    """Yields the keys of all that waits on a board, `BACKLOG_ITEMS_PER_BOARD` at most."""
    return map(key_of, iter_range(_EVERY.within(board_key(board_id).pk), PK, SK))
