"""The feed of a board's events."""

from __future__ import annotations

from typing import Any

import pytest

from governance.models.event import Event
from governance.store.table import transact
from governance.usecases.context import Context
from governance.usecases.events import record_event
from tests.conftest import Clock
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Client
from tests.harness.world import World


@pytest.fixture(autouse=True)
def settled(clock: Clock) -> None:
    clock.advance(minutes=1)


def feed(world: World, client: Client | None = None, **query: Any) -> list[Any]:
    return (client or world.owner.client).all(f"{world.path}/events", **query)


def happen(world: World, clock: Clock, number: int, **options: Any) -> None:
    context = Context(now=clock.now())
    details = {"id": f"{number:024x}", "title": None}
    transact(record_event(context, Event.MEETING_CREATED, board_id=world.board_id, details=details, **options))


def numbers(events: list[Any]) -> list[int]:
    return [int(event["details"]["id"], 16) for event in events]


def test_events_come_in_order_and_in_pages(world: World, clock: Clock) -> None:
    for number in range(7):
        clock.advance(minutes=number)
        happen(world, clock, number)
    clock.advance(hours=1)
    assert numbers(feed(world, limit=3)) == list(range(7))


def test_pulling_goes_on_behind_the_last_event_seen(world: World, clock: Clock) -> None:
    happen(world, clock, 1)
    clock.advance(minutes=5)
    (first,) = feed(world)
    assert feed(world, after=first["id"]) == []
    happen(world, clock, 2)
    clock.advance(minutes=10)
    assert numbers(feed(world, after=first["id"])) == [2]


def test_an_event_shows_when_none_can_come_before_it_any_more(world: World, clock: Clock) -> None:
    happen(world, clock, 1)
    assert feed(world) == []
    clock.advance(minutes=2)
    assert numbers(feed(world)) == [1]


def test_exactly_these_members(world: World, clock: Clock) -> None:
    happen(world, clock, 1, refs={"meetingId": "5" * 24}, data={"inviteeEmail": "kept@inside.example"})
    clock.advance(minutes=2)
    (event,) = feed(world)
    assert set(event) == {
        "object", "id", "boardId", "type", "actorUserId", "createdVia", "createdAt", "refs", "details"
    }  # fmt: skip
    assert (event["object"], event["type"], event["refs"]) == ("event", "meeting.created", {"meetingId": "5" * 24})


def test_another_s_draft_and_another_committee_s_document_are_not_shown(world: World, clock: Clock) -> None:
    ann = world.member("ann", admin_role="admin")
    happen(world, clock, 1, draft_of=ann.id)
    happen(world, clock, 2, committee_id="c" * 24)
    happen(world, clock, 3)
    clock.advance(minutes=2)
    assert numbers(feed(world)) == [3]
    assert numbers(feed(world, world.token("read_only"))) == [3]
    assert sorted(numbers(feed(world, ann.client))) == [1, 3]


def test_only_admins_and_the_board_s_tokens_pull(world: World) -> None:
    path = f"{world.path}/events"
    assert world.member("max", access_type="manager").client.get(path).failure == (403, "FORBIDDEN")
    assert world.member("ann", admin_role="admin").client.get(path).status == 200
    assert world.token("read_only").get(path).status == 200


def test_queries_are_judged_as_everywhere(world: World) -> None:
    client = world.owner.client
    for query in ({"after": "nonsense"}, {"limit": "101"}, {"cursor": "forged"}, {"unknown": "x"}):
        assert client.get(f"{world.path}/events", **query).failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_page_costs_two_calls(world: World, clock: Clock, pool: InlinePool) -> None:
    happen(world, clock, 1)
    with counted(pool) as calls:
        world.owner.client.get(f"{world.path}/events")
    assert calls.sequential == ["BatchGetItem", "Query"]
