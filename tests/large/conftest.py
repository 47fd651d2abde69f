"""Fixtures for tests with large numbers; like the race tests they need a thread-safe engine and real threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness import engine


@pytest.fixture
def store(endpoint: str) -> Iterator[str]:
    """A fresh table of a thread-safe engine, and a pool of real threads."""
    with engine.fresh_threaded_table(endpoint) as name:
        yield name
