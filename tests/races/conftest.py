"""Fixtures for race tests: a thread-safe engine (DynamoDB Local, `make dynamodb-local`) and real threads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.harness import engine
from tests.harness.race import Race

_THREADS = 8


@pytest.fixture
def store(endpoint: str) -> Iterator[str]:
    """A fresh table of a thread-safe engine, and a pool of real threads."""
    with engine.fresh_threaded_table(endpoint) as name:
        yield name


@pytest.fixture
def race(store: str) -> Iterator[Race]:  # noqa: ARG001 - requested for its effect
    """Rounds of calls that start at the same moment."""
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="racer") as threads:
        running = Race(threads)
        yield running
        running.stop()
