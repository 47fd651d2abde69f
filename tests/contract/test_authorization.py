"""Every route by every principal and every state of what it names, held to the table in `authorization.txt`.

All cells are requests over one board, which is put back after each that is granted. So a refusal is seen to change
nothing, and what a caller may not know of is compared with what is not there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from governance.store import table
from tests.contract.access_table import cell, read_table, written
from tests.harness import engine
from tests.harness.actors import COLUMNS, Actors, new_actors
from tests.harness.client import Response
from tests.harness.outbox import collected
from tests.harness.resource_states import STATES, ResourceStates, is_ones_own
from tests.harness.sample_requests import ROUTE_NAMES, SampleRequest
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot

TABLE = read_table()
_UNLIMITED = str(10**9)
_WRITE = "TransactWriteItems"
"""All that is not a figure is written by it."""
_COUNTERS = "UpdateItem"
"""Figures that may err (rates, last uses): when they are counted is nobody's secret."""
_MISSED_EARLIER = {
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": {"no-board", "deleted-board", "foreign-board"},
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": {
        *{"no-parent", "deleted-board", "draft", "closed", "replaced", "expired"}
    },
}
"""Where what the path ends in is looked up in a second step, which these states never come to."""


@dataclass
class Stage:
    """The cast on its board, the board as it is between rows, and what runs beside."""

    actors: Actors
    before: TableSnapshot
    pool: InlinePool


@pytest.fixture(scope="module")
def stage(_engine: str) -> Iterator[Stage]:
    """One board with everybody on it, for all rows."""
    pool = InlinePool()
    unlimited = {"RATE_LIMIT_PRINCIPAL": _UNLIMITED, "RATE_LIMIT_ADDRESS": _UNLIMITED}
    with pytest.MonkeyPatch.context() as patch, engine.fresh_table(**unlimited), collected():
        patch.setattr(table, "_pool", pool)
        actors = new_actors()
        yield Stage(actors, TableSnapshot(), pool)


@dataclass
class Seen:
    """An answer, and what it cost the store."""

    response: Response
    calls: tuple[list[str], list[str]]

    @property
    def told(self) -> tuple[int, dict[str, Any], list[str]]:
        """All that the caller is told, but the request's id."""
        body: dict[str, Any] = json.loads(self.response.text)
        body.get("error", {}).pop("requestId", None)
        return self.response.status, body, sorted(self.response.headers)


class Trial:
    """One route in one state, asked by everybody."""

    def __init__(self, stage: Stage, route: str, state: str) -> None:
        self.stage = stage
        self.states = ResourceStates(stage.actors)
        self.route = route
        self.state = state
        self.shared = self.states.request(route, state, "owner")
        self.own = {column: self._own(column) for column in COLUMNS if is_ones_own(route, state)}
        self.before = TableSnapshot()

    def _own(self, column: str) -> SampleRequest | None:
        return self.states.request(self.route, self.state, column)

    def ask(self, column: str) -> Seen:
        """This caller's request."""
        request = self.own.get(column) or self.shared
        assert request is not None
        with count_store_calls(self.stage.pool) as calls:
            response = request.by(self.stage.actors.clients[column])
        sequential = [name for name in calls.sequential if name != _COUNTERS]
        return Seen(response, (sequential, sorted(name for name in calls.concurrent if name != _COUNTERS)))

    def row(self) -> dict[str, Seen]:
        """What everybody gets; a refusal changes nothing, and what is granted is undone."""
        found = {}
        for column in COLUMNS:
            found[column] = self.ask(column)
            if _WRITE in found[column].calls[0]:
                refused = found[column].response.status >= 400
                assert not (refused and self.before.changes()), f"{self.route}, {self.state}: a refusal left something"
                self.before.restore()
        return found


def asked(stage: Stage, route: str, *states: str) -> dict[str, dict[str, Seen]]:
    """What everybody gets in those of the states that the route knows."""
    found = {}
    for state in states:
        trial = Trial(stage, route, state)
        if trial.shared is not None:
            found[state] = trial.row()
        stage.before.restore()
    return found


def as_written(seen: Mapping[str, Mapping[str, Seen]]) -> str:
    """What was seen, as the table writes it."""
    return written({state: tuple(cell(one.response) for one in row.values()) for state, row in seen.items()})


def test_every_route_is_in_the_table_and_nothing_else() -> None:
    assert sorted(TABLE) == ROUTE_NAMES


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_admits_whom_the_table_says(route: str, stage: Stage) -> None:
    assert as_written(asked(stage, route, "sound")) == written({"sound": TABLE[route]["sound"]})


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_answers_as_the_table_says_in_every_state(route: str, stage: Stage) -> None:
    seen = asked(stage, route, *STATES)
    assert as_written(seen) == written(TABLE[route])
    for column in COLUMNS:
        check_the_hidden_is_absent({state: row[column] for state, row in seen.items()}, route, column)


def check_the_hidden_is_absent(seen: Mapping[str, Seen], route: str, column: str) -> None:
    """Every 404 of a caller is told in the same bytes; and what is hidden costs the store what is absent does."""
    costs: dict[bool, set[str]] = {}
    unknown = {state: one for state, one in seen.items() if one.response.status == 404}
    for state, one in unknown.items():
        assert one.told == next(iter(unknown.values())).told, f"{route} by {column}: {state} is told otherwise"
        if state != "malformed":
            costs.setdefault(state in _MISSED_EARLIER.get(route, ()), set()).add(str(one.calls))
    assert all(len(calls) == 1 for calls in costs.values()), f"{route} by {column}: {costs}"
