"""Which boards a feed shows, what it is called, and which boards its next reading begins with."""

from __future__ import annotations

import pytest

from governance.store.calendars import calendars
from governance.store.table import read_one
from tests.calendar.calendar_invitation_mails import schedule
from tests.calendar.feeds import fetch, subscribe
from tests.harness.board_scenario import BoardScenario, new_board_scenario

FEEDS = "/api/v1/me/calendar-feeds"


def noted_boards(scenario: BoardScenario) -> list[str]:
    """Returns the boards that the owner's only feed found when it was last read."""
    (feed,) = scenario.owner.client.all(FEEDS)
    return list(calendars.boards_of(read_one(calendars.boards_key(feed["id"]))))


@pytest.mark.parametrize(
    ("of_board", "given", "shown"),
    [(True, "Mine", "Mine"), (True, None, "Board"), (False, None, "Board meetings"), (False, "All", "All")],
)
def test_a_feed_is_called_as_its_user_says_or_after_its_board(
    scenario: BoardScenario, given: str | None, shown: str, *, of_board: bool
) -> None:
    body = {"name": given, "boardId": scenario.board_id if of_board else None}
    url = subscribe(scenario.owner, **{name: value for name, value in body.items() if value is not None})
    assert fetch(url).calendar["X-WR-CALNAME"] == shown


def test_a_deleted_board_leaves_the_feeds_at_once(scenario: BoardScenario) -> None:
    schedule(scenario)
    url = subscribe(scenario.owner)
    assert len(fetch(url).events) == 1
    assert scenario.owner.client.delete(scenario.path).status == 200
    assert fetch(url).events == {}


@pytest.mark.usefixtures("pool")
def test_a_reading_begins_with_the_boards_that_the_last_one_found(scenario: BoardScenario) -> None:
    url = subscribe(scenario.owner)
    fetch(url)
    assert noted_boards(scenario) == [scenario.board_id]
    other = new_board_scenario(name="Another")
    fetch(url)
    assert set(noted_boards(scenario)) == {scenario.board_id, other.board_id}


@pytest.mark.usefixtures("pool")
def test_a_feed_of_one_board_shows_no_other_and_notes_none(scenario: BoardScenario) -> None:
    for board in (scenario, new_board_scenario(name="Another")):
        schedule(board)
    url = subscribe(scenario.owner, boardId=scenario.board_id)
    before = noted_boards(scenario)
    schedule(new_board_scenario(name="A third"))
    assert len(fetch(url).events) == 1
    assert noted_boards(scenario) == before
