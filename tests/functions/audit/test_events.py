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
from tests.harness.store_calls import InlinePool, count_store_calls


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


def test_events_are_returned_in_order_and_in_pages(scenario: BoardScenario, clock: Clock) -> None:
    for number in range(7):
        clock.advance(minutes=number)
        record(scenario, number)
    clock.advance(hours=1)
    assert numbers(list_events(scenario, limit=3)) == list(range(7))


def test_after_continues_behind_the_last_event(scenario: BoardScenario, clock: Clock) -> None:
    record(scenario, 1)
    clock.advance(minutes=5)
    (first,) = list_events(scenario)
    assert list_events(scenario, after=first["id"]) == []
    record(scenario, 2)
    clock.advance(minutes=10)
    assert numbers(list_events(scenario, after=first["id"])) == [2]


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


def test_an_event_has_exactly_the_specified_fields(scenario: BoardScenario, clock: Clock) -> None:
    record(scenario, 1)
    clock.advance(minutes=2)
    (event,) = list_events(scenario)
    assert set(event) == {
        "object", "id", "boardId", "type", "actorUserId", "createdVia", "createdAt", "refs", "details"
    }  # fmt: skip
    assert (event["object"], event["type"], event["refs"]) == ("event", "meeting.created", {"meetingId": f"{1:024x}"})


def test_events_of_hidden_drafts_and_documents_are_not_listed(scenario: BoardScenario, clock: Clock) -> None:
    ann = scenario.member("ann", admin_role="admin")
    record(scenario, 1, draft_of=ann.id)
    record(scenario, 2, committee_id="c" * 24)
    record(scenario, 3)
    clock.advance(minutes=2)
    assert numbers(list_events(scenario)) == [3]
    assert numbers(list_events(scenario, scenario.token("read_only"))) == [3]
    assert sorted(numbers(list_events(scenario, ann.client))) == [1, 3]


def test_only_admins_and_board_tokens_list_events(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/events"
    assert scenario.member("max", access_type="manager").client.get(path).failure == (403, "FORBIDDEN")
    assert scenario.member("ann", admin_role="admin").client.get(path).status == 200
    assert scenario.token("read_only").get(path).status == 200


def test_an_invalid_query_is_refused(scenario: BoardScenario) -> None:
    client = scenario.owner.client
    for query in ({"after": "nonsense"}, {"limit": "101"}, {"cursor": "forged"}, {"unknown": "x"}):
        assert client.get(f"{scenario.path}/events", **query).failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_page_costs_two_calls(scenario: BoardScenario, pool: InlinePool) -> None:
    record(scenario, 1)
    with count_store_calls(pool) as calls:
        scenario.owner.client.get(f"{scenario.path}/events")
    assert calls.sequential == ["BatchGetItem", "Query"]
