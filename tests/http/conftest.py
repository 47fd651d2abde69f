"""Fixtures for the tests of rate limits."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.harness import engine
from tests.harness.client import Client, session
from tests.harness.store_calls import InlinePool
from tests.http.rate_windows import ADDRESS, FLOOD, PRINCIPAL, Watch


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The clock of the process, which a test moves."""
    stopped = Watch()
    monkeypatch.setattr(time, "time", stopped.time)
    return stopped


@pytest.fixture
def small(pool: InlinePool, watch: Watch) -> Iterator[None]:
    """A table with windows that are soon full."""
    del pool, watch
    with engine.fresh_table(
        RATE_LIMIT_PRINCIPAL=str(PRINCIPAL), RATE_LIMIT_ADDRESS=str(ADDRESS), RATE_LIMIT_FLOOD=str(FLOOD)
    ):
        yield


@pytest.fixture
def eve(small: None) -> Client:  # noqa: ARG001 - a fixture needs another
    """A user with a session."""
    return Client(session("eve@example.com"))
