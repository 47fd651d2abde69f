"""The list of a board's events."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.events.meetings import MEETING_CREATED, MeetingCreated
from governance.instants import Instant, now
from governance.store.transactions import transact
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock


@pytest.fixture(autouse=True)
def after_the_delay(clock: Clock) -> None:
    clock.advance(minutes=1)


def list_events(scenario: BoardScenario, client: Client | None = None, **query: Any) -> list[Any]:
    return (client or scenario.owner.client).all(f"{scenario.path}/events", **query)


def record(scenario: BoardScenario, number: int, at: Instant | None = None, **options: Any) -> None:
    context = Context(now=at or now())
    meeting_id = f"{number:024x}"
    created = MeetingCreated(meeting_id=meeting_id, id=meeting_id, title=None)
    transact(record_event(context, MEETING_CREATED, created, board_id=scenario.board_id, **options))


def numbers(events: list[Any]) -> list[int]:
    return [int(event["details"]["id"], 16) for event in events]


def test_events_are_returned_in_order_and_in_pages_with_exactly_the_specified_fields(
    scenario: BoardScenario, clock: Clock
) -> None:
    for number in range(7):
        clock.advance(minutes=number)
        record(scenario, number)
    clock.advance(hours=1)
    events = list_events(scenario, limit=3)
    assert numbers(events) == list(range(7))
    assert set(events[1]) == {
        "object", "id", "boardId", "type", "actorUserId", "createdVia", "createdAt", "refs", "details"
    }  # fmt: skip
    assert (events[1]["type"], events[1]["refs"]) == ("meeting.created", {"meetingId": f"{1:024x}"})


def test_after_misses_no_event_of_the_same_millisecond(scenario: BoardScenario, clock: Clock) -> None:
    at = now()
    for number in range(5):
        record(scenario, number, at)
    clock.advance(minutes=5)
    events = list_events(scenario)
    assert {event["createdAt"] for event in events} == {at}
    for position, event in enumerate(events, 1):
        assert list_events(scenario, after=event["id"]) == events[position:]


def test_an_event_is_listed_once_no_earlier_one_can_follow(scenario: BoardScenario, clock: Clock) -> None:
    record(scenario, 1)
    assert list_events(scenario) == []
    clock.advance(minutes=2)
    assert numbers(list_events(scenario)) == [1]


def test_events_of_hidden_drafts_and_documents_are_not_listed(scenario: BoardScenario, clock: Clock) -> None:
    ann = scenario.member("ann", admin_role="admin")
    record(scenario, 1, draft_of=ann.id)
    record(scenario, 2, committee_id="c" * 24)
    record(scenario, 3)
    clock.advance(minutes=2)
    assert numbers(list_events(scenario)) == [3]
    assert numbers(list_events(scenario, scenario.token("read_only"))) == [3]
    assert sorted(numbers(list_events(scenario, ann.client))) == [1, 3]


def test_what_is_no_event_is_refused_as_a_place_to_go_on(scenario: BoardScenario) -> None:
    refused = scenario.owner.client.get(f"{scenario.path}/events", after="nonsense")
    assert refused.failure == (400, "INVALID_QUERY_PARAMETER")
