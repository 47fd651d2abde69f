"""Fixtures for the tests of webhooks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.webhooks import sending
from tests.webhooks.sending import Sender


@pytest.fixture
def sender(monkeypatch: pytest.MonkeyPatch, store: str) -> Iterator[Sender]:  # noqa: ARG001 - requested for its effect
    """The sender of webhooks without a network, with a clock that tests move."""
    with sending.sending(monkeypatch) as found:
        yield found
