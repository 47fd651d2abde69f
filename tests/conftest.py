"""Fixtures of all tests: an engine for the run, a fresh table for each test."""

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
    parser.addoption("--engine", default="moto", help="moto, dynamodb-local, or the URL of an engine that is up")


@pytest.fixture(scope="session")
def _engine(request: pytest.FixtureRequest) -> Iterator[str]:
    name = str(request.config.getoption("--engine"))
    with engine.running(name):
        yield name


@pytest.fixture(scope="session", autouse=True)
def _privileges() -> Iterator[None]:
    """Every test runs under the privileges that the template gives to functions."""
    with privileges.watching():
        yield


@pytest.fixture
def pool(_engine: str, monkeypatch: pytest.MonkeyPatch) -> InlinePool:
    """What runs beside a call runs before it in tests: their order is the same every time."""
    inline = InlinePool()
    monkeypatch.setattr(table, "_pool", inline)
    return inline


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - a fixture needs another
    """A fresh table."""
    with engine.fresh_table() as name:
        yield name


@pytest.fixture
def scenario(store: str) -> BoardScenario:  # noqa: ARG001 - a fixture needs another
    """A board of olivia's."""
    return new_board_scenario()


class Clock:
    """The time as requests see it, moved at will."""

    def __init__(self) -> None:
        self.offset: dict[str, Any] = {}

    def now(self) -> str:
        return instants.shift(instants.now(), **self.offset)

    def advance(self, **offset: int) -> None:
        """So many days, hours or minutes later than the real time."""
        self.offset = offset


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock to be moved."""
    moved = Clock()
    monkeypatch.setattr(pipeline, "now", moved.now)
    return moved
