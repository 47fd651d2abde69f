"""The counter of an assignee's open items on a board: what a full one is counted anew from."""

from __future__ import annotations

import pytest

from governance.errors import ApiError
from governance.ids import BoardId
from governance.store.meetings import action_item_counts, action_items
from governance.store.schema.entities import OPEN_ITEM_COUNT
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.harness.counts import count, set_count
from tests.store.stored_items import ACTION_ITEM, BOARD, USER

KEY = OPEN_ITEM_COUNT.key_for(boardId=BOARD, userId=USER)
OTHER_BOARD = BoardId("9" * 24)
LIMIT, RECOUNTED = 2, 3


@pytest.fixture
def full_counter(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter that is at the limit, though the assignee has one open item on the board and one on another."""
    del store
    monkeypatch.setattr(action_item_counts, "OPEN_ITEMS_PER_ASSIGNEE", LIMIT)
    monkeypatch.setattr(action_item_counts, "_RECOUNTED", RECOUNTED)
    add_item(1, BOARD)
    add_item(2, OTHER_BOARD)
    set_count(KEY, LIMIT)


def add_item(number: int, board_id: BoardId) -> None:
    members = {"id": f"{number:024x}", "board_id": board_id, "notes_version": 0}
    transact(action_items.create(ACTION_ITEM.model_copy(update=members), None))


@pytest.mark.usefixtures("full_counter")
def test_a_recount_counts_the_open_items_of_its_own_board() -> None:
    with pytest.raises(StaleRead):
        transact(action_item_counts.created(ACTION_ITEM))
    assert count(KEY) == 1


@pytest.mark.usefixtures("full_counter")
def test_an_assignee_with_more_rows_than_a_recount_reads_stays_at_the_limit() -> None:
    add_item(3, OTHER_BOARD)
    with pytest.raises(ApiError):
        transact(action_item_counts.created(ACTION_ITEM))
    assert count(KEY) == LIMIT
