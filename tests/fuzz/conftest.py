"""A store engine in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from governance.mail import sender
from governance.store import dynamodb
from tests.fuzz import rounds
from tests.harness.store_calls import InlinePool


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The engine's endpoint."""
    with rounds.engine() as running:
        yield running


@pytest.fixture
def engine(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connects the service to that engine, one thread at a time."""
    monkeypatch.setitem(os.environ, "AWS_ENDPOINT_URL", address)
    monkeypatch.setattr(dynamodb, "_pool", InlinePool())
    yield
    sender.client.cache_clear()
