"""Calendar feeds: what is known of one without its row of boards."""

from __future__ import annotations

from governance.store.calendars import calendars
from tests.store.stored_items import BOARD


def test_a_feed_without_a_row_of_its_boards_showed_none() -> None:
    assert calendars.boards_of(None) == []
    assert calendars.boards_of({"PK": "FEED", "SK": "BOARDS", "boardIds": [BOARD]}) == [BOARD]
