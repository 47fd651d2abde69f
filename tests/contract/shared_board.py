"""One board with all actors, on which every cell of `authorization.txt` is observed. Each request is undone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from governance.domain.meetings import minutes_signing
from governance.store import dynamodb
from tests.contract.access_table import format_cell, format_rows, read_table
from tests.harness import engine
from tests.harness.actors import COLUMNS, Actors, new_actors
from tests.harness.client import Response
from tests.harness.engine import clear_recent_admissions
from tests.harness.outbox import collected
from tests.harness.resource_states import ResourceStates, belongs_to_caller
from tests.harness.sample_requests import SampleRequest
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot

TABLE = read_table()
_ALL_ROWS_MINUTES = 24 * 60
"""How long the actors' sessions are new: they sign in once, and all rows take longer than a signature allows."""
_WRITE = "TransactWriteItems"
"""Writes everything except the counters."""
_COUNTERS = "UpdateItem"
"""Inexact counters (rates, last uses). When they are written reveals nothing."""


@dataclass
class SharedBoard:
    """The actors on their board, a snapshot of it before any row, and the store's thread pool."""

    actors: Actors
    before: TableSnapshot
    pool: InlinePool


@contextmanager
def new_shared_board() -> Iterator[SharedBoard]:
    """Creates one board with all actors."""
    pool = InlinePool()
    with pytest.MonkeyPatch.context() as patch, engine.fresh_table(**engine.WITHOUT_RATE_LIMIT), collected():
        patch.setattr(dynamodb, "_pool", pool)
        patch.setattr(minutes_signing, "MINUTES_SIGNING_MINUTES", _ALL_ROWS_MINUTES)
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
        {state: tuple(format_cell(cell.response) for cell in row.values()) for state, row in observed.items()}
    )
