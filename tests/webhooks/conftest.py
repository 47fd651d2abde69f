"""Fixtures for the tests of webhooks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from governance.settings import settings
from governance.webhooks import client as webhook_client
from tests.harness.clock import Clock
from tests.webhooks import sending
from tests.webhooks.sending import Sender


@pytest.fixture
def sender(monkeypatch: pytest.MonkeyPatch, store: str, clock: Clock) -> Iterator[Sender]:  # noqa: ARG001 - requested for its effect
    """The sender of webhooks without a network, with the clock of all components."""
    with sending.sending(monkeypatch, clock) as sender_of_test:
        yield sender_of_test


@pytest.fixture
def client_settings(monkeypatch: pytest.MonkeyPatch, _engine: str) -> Iterator[None]:
    """The settings of the client of webhooks, without a table."""
    monkeypatch.setenv("TABLE_NAME", "none")
    settings.cache_clear()
    webhook_client._tls.cache_clear()
    yield
    settings.cache_clear()
    webhook_client._tls.cache_clear()


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets webhooks lead to this machine."""
    monkeypatch.setenv("WEBHOOK_ALLOW_LOOPBACK", "1")
    settings.cache_clear()
