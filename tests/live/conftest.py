"""A live channel on the table of the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness import live
from tests.harness.live import Channel


@pytest.fixture
def channel(store: str) -> Iterator[Channel]:  # noqa: ARG001 - requested for its effect
    """A gateway that holds connections to the platform's limits."""
    with live.running() as running:
        yield running
