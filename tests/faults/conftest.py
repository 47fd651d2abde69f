"""Makes the fault tests repeatable: no waiting, no randomness, no rate limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness import engine
from tests.harness.outbox import outbox
from tests.harness.store_calls import InlinePool

__all__ = ["outbox"]

_UNLIMITED = str(10**9)


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - requested for its effect
    """A fresh table, without a rate limit."""
    with engine.fresh_table(RATE_LIMIT_PRINCIPAL=_UNLIMITED, RATE_LIMIT_ADDRESS=_UNLIMITED) as name:
        yield name


@pytest.fixture(autouse=True)
def _without_waiting_or_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("random.choice", lambda options: options[0])
    monkeypatch.setattr("botocore.retries.quota.RetryQuota.acquire", lambda *_: True)
