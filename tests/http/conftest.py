"""Rate limits whose windows are soon full, and a clock that stands still."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.harness import engine
from tests.harness.client import Client, session
from tests.harness.store_calls import InlinePool

WHOAMI = "/api/v1/whoami"
PRINCIPAL, ADDRESS, FLOOD = 20, 10, 5


class Watch:
    """The clock of the process, standing still at the beginning of a slice unless moved."""

    def __init__(self) -> None:
        self.now = time.time() // 30 * 30

    def time(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    stopped = Watch()
    monkeypatch.setattr(time, "time", stopped.time)
    return stopped


@pytest.fixture
def small(pool: InlinePool, watch: Watch) -> Iterator[None]:
    del pool, watch
    with engine.fresh_table(
        RATE_LIMIT_PRINCIPAL=str(PRINCIPAL), RATE_LIMIT_ADDRESS=str(ADDRESS), RATE_LIMIT_FLOOD=str(FLOOD)
    ):
        yield


@pytest.fixture
def eve(small: None) -> Client:  # noqa: ARG001 - a fixture needs another
    return Client(session("eve@example.com"))
