"""The feed of a board's events."""

from __future__ import annotations

from typing import Any

import pytest

from governance.models.event import Event
from governance.store.table import transact
from governance.usecases.context import Context
from governance.usecases.events import record_event
from tests.conftest import Clock
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.store_calls import InlinePool, count_store_calls


@pytest.fixture(autouse=True)
def settled(clock: Clock) -> None:
    clock.advance(minutes=1)


def process_records(scenario: BoardScenario, client: Client | None = None, **query: Any) -> list[Any]:
    return (client or scenario.owner.client).all(f"{scenario.path}/events", **query)


def happen(scenario: BoardScenario, clock: Clock, number: int, **options: Any) -> None:
    context = Context(now=clock.now())
    details = {"id": f"{number:024x}", "title": None}
    transact(record_event(context, Event.MEETING_CREATED, board_id=scenario.board_id, details=details, **options))


def numbers(events: list[Any]) -> list[int]:
    return [int(event["details"]["id"], 16) for event in events]


def test_events_come_in_order_and_in_pages(scenario: BoardScenario, clock: Clock) -> None:
    for number in range(7):
        clock.advance(minutes=number)
        happen(scenario, clock, number)
    clock.advance(hours=1)
    assert numbers(process_records(scenario, limit=3)) == list(range(7))


def test_pulling_goes_on_behind_the_last_event_seen(scenario: BoardScenario, clock: Clock) -> None:
    happen(scenario, clock, 1)
    clock.advance(minutes=5)
    (first,) = process_records(scenario)
    assert process_records(scenario, after=first["id"]) == []
    happen(scenario, clock, 2)
    clock.advance(minutes=10)
    assert numbers(process_records(scenario, after=first["id"])) == [2]


def test_an_event_shows_when_none_can_come_before_it_any_more(scenario: BoardScenario, clock: Clock) -> None:
    happen(scenario, clock, 1)
    assert process_records(scenario) == []
    clock.advance(minutes=2)
    assert numbers(process_records(scenario)) == [1]


def test_exactly_these_members(scenario: BoardScenario, clock: Clock) -> None:
    happen(scenario, clock, 1, refs={"meetingId": "5" * 24}, data={"inviteeEmail": "kept@inside.example"})
    clock.advance(minutes=2)
    (event,) = process_records(scenario)
    assert set(event) == {
        "object", "id", "boardId", "type", "actorUserId", "createdVia", "createdAt", "refs", "details"
    }  # fmt: skip
    assert (event["object"], event["type"], event["refs"]) == ("event", "meeting.created", {"meetingId": "5" * 24})


def test_another_s_draft_and_another_committee_s_document_are_not_shown(scenario: BoardScenario, clock: Clock) -> None:
    ann = scenario.member("ann", admin_role="admin")
    happen(scenario, clock, 1, draft_of=ann.id)
    happen(scenario, clock, 2, committee_id="c" * 24)
    happen(scenario, clock, 3)
    clock.advance(minutes=2)
    assert numbers(process_records(scenario)) == [3]
    assert numbers(process_records(scenario, scenario.token("read_only"))) == [3]
    assert sorted(numbers(process_records(scenario, ann.client))) == [1, 3]


def test_only_admins_and_the_board_s_tokens_pull(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/events"
    assert scenario.member("max", access_type="manager").client.get(path).failure == (403, "FORBIDDEN")
    assert scenario.member("ann", admin_role="admin").client.get(path).status == 200
    assert scenario.token("read_only").get(path).status == 200


def test_queries_are_judged_as_everywhere(scenario: BoardScenario) -> None:
    client = scenario.owner.client
    for query in ({"after": "nonsense"}, {"limit": "101"}, {"cursor": "forged"}, {"unknown": "x"}):
        assert client.get(f"{scenario.path}/events", **query).failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_page_costs_two_calls(scenario: BoardScenario, clock: Clock, pool: InlinePool) -> None:
    happen(scenario, clock, 1)
    with count_store_calls(pool) as calls:
        scenario.owner.client.get(f"{scenario.path}/events")
    assert calls.sequential == ["BatchGetItem", "Query"]
