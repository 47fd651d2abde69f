"""Compares every route, for every principal and resource state, with the table in `authorization.txt`.

All requests go to one board, which is restored after each request that is granted. The tests also check that a refusal
changes nothing and that a hidden resource looks like an absent one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from governance.store import table
from tests.contract.access_table import format_cell, format_rows, read_table
from tests.harness import engine
from tests.harness.actors import COLUMNS, Actors, new_actors
from tests.harness.client import Response
from tests.harness.engine import clear_recent_admissions
from tests.harness.outbox import collected
from tests.harness.resource_states import STATES, ResourceStates, belongs_to_caller
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, SampleRequest
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot

TABLE = read_table()
_UNLIMITED = str(10**9)
_WRITE = "TransactWriteItems"
"""Writes everything except the counters."""
_COUNTERS = "UpdateItem"
"""Inexact counters (rates, last uses). When they are written reveals nothing."""
_MISSED_EARLIER = {
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": {"no-board", "deleted-board", "foreign-board"},
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": {
        *{"no-parent", "deleted-board", "draft", "closed", "replaced", "expired"}
    },
}
"""Routes that look the last resource up in a second step, with the states that never reach that step."""
_BOARD_STATES = frozenset({"no-board", "deleted-board", "foreign-board"})
"""States that end before a use case's prefetch, which follows the check of the board (ADR 0005)."""


@dataclass
class SharedBoard:
    """The actors on their board, a snapshot of it before any row, and the store's thread pool."""

    actors: Actors
    before: TableSnapshot
    pool: InlinePool


@pytest.fixture(scope="module")
def shared_board(_engine: str) -> Iterator[SharedBoard]:
    """One board with all actors, for all rows."""
    pool = InlinePool()
    unlimited = {"RATE_LIMIT_PRINCIPAL": _UNLIMITED, "RATE_LIMIT_ADDRESS": _UNLIMITED}
    with pytest.MonkeyPatch.context() as patch, engine.fresh_table(**unlimited), collected():
        patch.setattr(table, "_pool", pool)
        actors = new_actors()
        yield SharedBoard(actors, TableSnapshot(), pool)


@dataclass
class Observation:
    """A response and the store calls that it took."""

    response: Response
    calls: tuple[list[str], list[str]]

    @property
    def visible(self) -> tuple[int, dict[str, Any], list[str]]:
        """Everything that the caller sees, except the request id."""
        body: dict[str, Any] = json.loads(self.response.text)
        body.get("error", {}).pop("requestId", None)
        return self.response.status, body, sorted(self.response.headers)


class RouteInState:
    """One route with its resource in one state, for requests by every actor."""

    def __init__(self, shared_board: SharedBoard, route: str, state: str) -> None:
        self.shared_board = shared_board
        self.states = ResourceStates(shared_board.actors)
        self.route = route
        self.state = state
        self.shared = self.states.request(route, state, "owner")
        self.own = {column: self._own(column) for column in COLUMNS if belongs_to_caller(route, state)}
        self.before = TableSnapshot()

    def _own(self, column: str) -> SampleRequest | None:
        return self.states.request(self.route, self.state, column)

    def send_as(self, column: str) -> Observation:
        """Sends the request as this caller."""
        request = self.own.get(column) or self.shared
        assert request is not None
        clear_recent_admissions()  # as in a new environment: no read starts early
        with count_store_calls(self.shared_board.pool) as calls:
            response = request.by(self.shared_board.actors.clients[column])
        sequential = [name for name in calls.sequential if name != _COUNTERS]
        return Observation(response, (sequential, sorted(name for name in calls.concurrent if name != _COUNTERS)))

    def row(self) -> dict[str, Observation]:
        """Observes every actor. Asserts that a refusal changes nothing, and undoes what was granted."""
        row = {}
        for column in COLUMNS:
            row[column] = self.send_as(column)
            if _WRITE in row[column].calls[0]:
                refused = row[column].response.status >= 400
                assert not (refused and self.before.changes()), f"{self.route}, {self.state}: a refusal wrote something"
                self.before.restore()
        return row


def observe(shared_board: SharedBoard, route: str, *states: str) -> dict[str, dict[str, Observation]]:
    """Observes every actor in each of these states that the route has."""
    rows = {}
    for state in states:
        case = RouteInState(shared_board, route, state)
        if case.shared is not None:
            rows[state] = case.row()
        shared_board.before.restore()
    return rows


def format_observations(observed: Mapping[str, Mapping[str, Observation]]) -> str:
    """Formats the observations as in the table."""
    return format_rows(
        {state: tuple(format_cell(each.response) for each in row.values()) for state, row in observed.items()}
    )


def test_the_table_lists_exactly_the_routes() -> None:
    assert sorted(TABLE) == ROUTE_NAMES


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_admits_the_callers_in_the_table(route: str, shared_board: SharedBoard) -> None:
    assert format_observations(observe(shared_board, route, "valid")) == format_rows({"valid": TABLE[route]["valid"]})


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_responds_as_in_the_table_in_every_state(route: str, shared_board: SharedBoard) -> None:
    observed = observe(shared_board, route, *STATES)
    assert format_observations(observed) == format_rows(TABLE[route])
    for column in COLUMNS:
        check_hidden_looks_absent({state: row[column] for state, row in observed.items()}, route, column)


def check_hidden_looks_absent(observed: Mapping[str, Observation], route: str, column: str) -> None:
    """Asserts that a caller's 404 responses are identical, and that hidden and absent resources cost the same calls."""
    costs: dict[bool, set[str]] = {}
    missed = _MISSED_EARLIER.get(route, set()) | (_BOARD_STATES if ROUTES_BY_NAME[route].prefetch else set())
    unknown = {state: each for state, each in observed.items() if each.response.status == 404}
    for state, observation in unknown.items():
        assert observation.visible == next(iter(unknown.values())).visible, (
            f"{route} by {column}: {state} has another body"
        )
        if state != "malformed":
            costs.setdefault(state in missed, set()).add(str(observation.calls))
    assert all(len(calls) == 1 for calls in costs.values()), f"{route} by {column}: {costs}"
