"""Fixtures for race tests: a thread-safe engine (DynamoDB Local, `make dynamodb-local`) and pools of real threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness import engine
from tests.harness.race import Racers

_THREADS = 8


@pytest.fixture
def store(endpoint: str) -> Iterator[str]:
    """A fresh table of a thread-safe engine, and a pool of real threads."""
    with engine.fresh_threaded_table(endpoint) as name:
        yield name


@pytest.fixture
def racers() -> Iterator[Racers]:
    """Threads that start their calls at the same moment."""
    with Racers(_THREADS) as threads:
        yield threads
