"""Attempts of a cleanup: each makes progress, stops in time, and goes on where another one ended."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from governance import deadline
from governance.ids import new_id
from governance.models.history.event import Event, StoredEvent
from governance.store.action_items import action_items
from governance.store.transactions import transact
from governance.usecases import cleanup
from governance.usecases.cleanup import delete_leftovers
from governance.usecases.members import departures
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ends_before
from tests.harness.meeting_scenario import from_now, leave, stored_events
from tests.harness.stream import process_records, record_of
from tests.harness.table_snapshot import TableSnapshot
from tests.store.stored_items import ACTION_ITEM
from tests.usecases.test_cleanup import guest_votes, new_delivery, new_paper, rows_with


def fill(scenario: BoardScenario, rows: int) -> None:
    """Adds rows of every kind to a board: action items name rows elsewhere, the others do not."""
    for number in range(rows):
        owner = scenario.owner.id if number % 2 else None
        of_board = {"id": new_id(), "board_id": scenario.board_id, "assignee_user_id": owner, "notes_version": 0}
        transact(action_items.create(ACTION_ITEM.model_copy(update=of_board), None))


def deleted(scenario: BoardScenario) -> StoredEvent:
    assert scenario.owner.client.delete(scenario.path).status == 200
    (event,) = stored_events(scenario, "board.deleted")
    return event


def allow_pages(monkeypatch: pytest.MonkeyPatch, answers: Iterator[bool]) -> None:
    """Says before each page whether there is time for it; False after the last answer."""
    limited = SimpleNamespace(has_time=lambda _: next(answers, False), PAGE_SECONDS=deadline.PAGE_SECONDS)
    for module in (cleanup, departures):
        monkeypatch.setattr(module, "deadline", limited)


def test_each_attempt_makes_progress_and_stops_in_time(
    scenario: BoardScenario, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With time for one page in each attempt, a board is gone after as many attempts as it has pages."""
    fill(scenario, 12)
    event = deleted(scenario)
    monkeypatch.setattr(cleanup, "_PAGE", 4)
    left, attempts = len(rows_with(store, scenario.board_id)), 0
    finished = False
    while not finished:
        allow_pages(monkeypatch, iter([True]))
        finished = delete_leftovers(event)
        attempts += 1
        before, left = left, len(rows_with(store, scenario.board_id))
        assert left < before or finished, f"attempt {attempts}"
    assert left == 0
    assert attempts >= 4


def discarded_votes(scenario: BoardScenario) -> None:
    meeting = new_action_item_scenario(scenario)
    guest_votes(meeting, meeting.slot()["id"])
    discard = scenario.owner.client.call("DELETE", f"{meeting.path}/guest-link", query="votes=discard")
    assert discard.status == 200


def bet_of_one_who_left(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    bet = {"title": "B", "dueOn": from_now(days=90)[:10], "ownerUserId": ben.id}
    assert scenario.owner.client.post(f"{scenario.path}/bets", bet).status == 201
    leave(scenario, ben)


def deleted_board_with_deliveries(scenario: BoardScenario) -> None:
    new_delivery(scenario)
    assert scenario.owner.client.delete(scenario.path).status == 200


def deleted_document_with_a_comment(scenario: BoardScenario) -> None:
    assert scenario.owner.client.delete(new_paper(scenario)).status == 200


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        (Event.GUEST_LINK_CLOSED, discarded_votes),
        (Event.MEMBER_LEFT, bet_of_one_who_left),
        (Event.DOCUMENT_DELETED, deleted_document_with_a_comment),
        (Event.BOARD_DELETED, deleted_board_with_deliveries),
    ],
)
def test_a_cleanup_without_time_has_done_nothing_and_is_to_be_repeated(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, kind: Event, make: Callable[[BoardScenario], None]
) -> None:
    make(scenario)
    (event,) = stored_events(scenario, kind)
    before = TableSnapshot()
    allow_pages(monkeypatch, itertools.chain([False], itertools.repeat(True)))
    assert not delete_leftovers(event)
    assert before.changes() == {}
    assert delete_leftovers(event)
    assert before.changes() != {}


def test_a_cleanup_that_has_no_more_time_goes_on_by_a_message(
    scenario: BoardScenario, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(scenario, 5)
    event = deleted(scenario)
    monkeypatch.setattr(cleanup, "_PAGE", 2)
    allow_pages(monkeypatch, itertools.cycle([True, False]))
    assert process_records([record_of(event)]) == []
    assert rows_with(store, scenario.board_id) == []


def test_killed_at_every_call_the_next_attempt_leaves_nothing_behind(
    scenario: BoardScenario, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a row names elsewhere is deleted before the row, which nothing else could find it by."""
    monkeypatch.setattr(cleanup, "_PAGE", 3)
    fill(scenario, 4)
    scenario.token()
    invite = {"inviteeEmail": "ivy@example.com"}
    assert scenario.owner.client.post(f"/api/invite/{scenario.board_id}", invite).status == 200
    event, table, call, done = deleted(scenario), TableSnapshot(), 1, False
    while not done:
        done = ends_before(call, lambda: delete_leftovers(event))
        assert delete_leftovers(event)
        assert rows_with(store, scenario.board_id) == [], f"call {call}"
        assert {key[0].partition("#")[0] for key in rows_with(store, "")} <= {"USER", "EMAIL", "ALLOWANCE", "RATE"}
        table.restore()
        call += 1
    assert call > 6
