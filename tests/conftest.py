"""Fixtures for all tests: a store engine for the run and a fresh table for each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from governance import instants
from governance.http import pipeline
from governance.store import table
from tests.harness import engine, privileges
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.store_calls import InlinePool


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", default="moto", help="moto, dynamodb-local, or the URL of a running engine")


@pytest.fixture(scope="session")
def _engine(request: pytest.FixtureRequest) -> Iterator[str]:
    name = str(request.config.getoption("--engine"))
    with engine.running(name):
        yield name


@pytest.fixture(scope="session", autouse=True)
def _privileges() -> Iterator[None]:
    """Checks every handler's AWS calls against the roles in the template."""
    with privileges.enforced_privileges():
        yield


@pytest.fixture
def pool(_engine: str, monkeypatch: pytest.MonkeyPatch) -> InlinePool:
    """Runs the store's concurrent calls one after the other, so that their order is always the same."""
    inline = InlinePool()
    monkeypatch.setattr(table, "_pool", inline)
    return inline


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - requested for its effect
    """A fresh table."""
    with engine.fresh_table() as name:
        yield name


@pytest.fixture
def scenario(store: str) -> BoardScenario:  # noqa: ARG001 - requested for its effect
    """A board that olivia owns."""
    return new_board_scenario()


class Clock:
    """A clock for requests that tests can move forward."""

    def __init__(self) -> None:
        self.offset: dict[str, Any] = {}

    def now(self) -> instants.Instant:
        return instants.shift(instants.now(), **self.offset)

    def advance(self, **offset: int) -> None:
        """Sets the clock this far ahead of the real time."""
        self.offset = offset


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replaces the requests' clock."""
    moved = Clock()
    monkeypatch.setattr(pipeline, "now", moved.now)
    return moved
