"""The work plan: one item for each matter, in the list of those who see it, by creation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from governance.agenda_limits import PLAN_ITEMS_PER_BOARD
from governance.domain.access.visibility import Visibility, document_visibility
from governance.ids import BoardId
from governance.models.planning.plan_item import StoredPlanItem
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import PLAN_COUNT, PLAN_ITEM
from governance.store.schema.keys import Item, Key, SortedList, make_item, position
from governance.store.table import query
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(item: StoredPlanItem) -> Key:
    return PLAN_ITEM.key_for(boardId=item.board_id, planItemId=item.id)


def _item(item: StoredPlanItem) -> Item:
    return make_item(
        _key(item),
        item.item(),
        **ranges.plan_visible_by(document_visibility(item.committee_id)).entry(position(item.created_at, item.id)),
    )


def create(item: StoredPlanItem) -> list[Write]:
    """Returns the writes of a new matter; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    return [Put(_item(item), ABSENT), counters.add(PLAN_COUNT.key_for(boardId=item.board_id), PLAN_ITEMS_PER_BOARD)]


def replace(old: StoredPlanItem, new: StoredPlanItem) -> Write:
    """Returns the write that changes a matter. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(item: StoredPlanItem) -> list[Write]:
    """Returns the writes that delete a matter. They fail with `StaleRead` if it changed since it was read."""
    count = PLAN_COUNT.key_for(boardId=item.board_id)
    return [Delete(_key(item), equals(version=item.version)), counters.subtract(count)]


def list_visible(
    board_id: BoardId, visibilities: Sequence[Visibility], window: Window
) -> tuple[list[StoredPlanItem], str | None]:
    """Returns a page of the matters of these visibilities, and the position of the last (None: no more)."""
    items, last = page(
        board_key(board_id).pk, [ranges.plan_visible_by(visibility) for visibility in visibilities], window
    )
    return decode_all(StoredPlanItem, items), last


_EVERY = SortedList(None, PLAN_ITEM.sk_prefix)


def all_of_board(board_id: BoardId) -> Iterator[StoredPlanItem]:
    """Yields every matter of a board, `PLAN_ITEMS_PER_BOARD` at most."""
    yield from decode_all(StoredPlanItem, query(_EVERY.within(board_key(board_id).pk)))
