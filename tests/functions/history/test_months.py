"""Audit entries and events lie in a partition for each month; their lists read on across months (ADR history)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from governance.domain.access.visibility import event_visibilities
from governance.ids import UserId
from governance.instants import month, months, now, shift
from governance.limits import EVENT_SETTLES_SECONDS
from tests.functions.history.test_events import record
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.store_calls import InlinePool, count_store_calls

_NEXT = re.compile(r"[?](.+)>")


def number_of(entry: dict[str, Any]) -> int:
    return int(entry["details"]["id"], 16)


@pytest.fixture
def year(scenario: BoardScenario, clock: Clock) -> BoardScenario:
    """A board with two entries every forty days of its first year; the clock is at the end of it."""
    for number in range(10):
        clock.advance(days=1 + number * 40)
        record(scenario, 2 * number)
        clock.advance(days=1 + number * 40, minutes=1)
        record(scenario, 2 * number + 1)
    clock.advance(days=363)
    return scenario


def log(scenario: BoardScenario, query: str = "") -> Response:
    return scenario.owner.client.call("GET", f"/api/auditlog/{scenario.board_id}", query=query)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_the_audit_log_pages_across_months_with_few_round_trips(
    year: BoardScenario, pool: InlinePool, limit: int
) -> None:
    seen, query = [], f"limit={limit}"
    while True:
        with count_store_calls(pool) as calls:
            response = log(year, query)
        batch, *queries = calls.sequential
        assert (batch, set(queries)) == ("BatchGetItem", {"Query"})
        assert len(queries) <= 3  # of two months, of four more, of all others
        seen += [number_of(entry) for entry in response.json]
        if "link" not in response.headers:
            break
        assert len(response.json) == limit
        (query,) = _NEXT.findall(response.headers["link"])
    assert seen == list(range(20)) == [number_of(entry) for entry in log(year).json]


def test_an_entry_expires_to_the_instant_in_the_middle_of_a_month(year: BoardScenario, clock: Clock) -> None:
    clock.advance(days=1 + 40 + 365)
    assert [number_of(entry) for entry in log(year).json][:1] == [3]


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_the_feed_pages_across_months_with_few_round_trips(year: BoardScenario, pool: InlinePool, limit: int) -> None:
    assert len({month(item["createdAt"]) for item in event_items(year.board_id)}) >= 2
    path, cursor = f"{year.path}/events", dict[str, str]()
    seen: list[int] = []
    while True:
        with count_store_calls(pool) as calls:
            response = year.owner.client.get(path, limit=limit, **cursor)
        batch, *queries = calls.sequential
        assert (batch, set(queries)) == ("BatchGetItem", {"Query"})
        assert len(queries) <= 2  # a few rows of every month, and more of those that may hold the next
        seen += [number_of(event) for event in response.data]
        if not response.json["meta"]["hasMore"]:
            break
        assert len(response.data) == limit
        cursor = {"cursor": response.json["meta"]["nextCursor"]}
    assert seen == [14, 15, 16, 17, 18, 19]


def test_the_feed_reads_no_month_before_the_board_was_created(scenario: BoardScenario, pool: InlinePool) -> None:
    created = scenario.owner.client.get(scenario.path).data["createdAt"]
    with count_store_calls(pool) as calls:
        assert scenario.owner.client.get(f"{scenario.path}/events").status == 200
    lists = len(event_visibilities(UserId(scenario.owner.id), ()))
    since = months(shift(created, minutes=-5), shift(now(), seconds=-EVENT_SETTLES_SECONDS))
    assert [*calls.sequential, *calls.concurrent].count("Query") == lists * len(since) + 1  # the reserve


def test_after_reads_on_in_later_months(year: BoardScenario) -> None:
    first, *others = year.owner.client.all(f"{year.path}/events")
    behind = year.owner.client.all(f"{year.path}/events", after=first["id"])
    assert [event["id"] for event in behind] == [event["id"] for event in others]
    assert year.owner.client.all(f"{year.path}/events", after=others[-1]["id"]) == []


def test_the_feed_merges_what_the_reader_may_see_in_each_month(scenario: BoardScenario, clock: Clock) -> None:
    ann = scenario.member("ann", admin_role="admin")
    for number in range(6):
        clock.advance(days=15 * number)
        record(scenario, number, draft_of=ann.id if number % 2 else None)
    clock.advance(days=15 * 5, minutes=1)
    path = f"{scenario.path}/events"
    assert [number_of(event) for event in ann.client.all(path, limit=2)] == list(range(6))
    assert [number_of(event) for event in scenario.owner.client.all(path, limit=2)] == [0, 2, 4]
