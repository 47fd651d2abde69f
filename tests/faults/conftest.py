"""Makes the fault tests repeatable: no waiting, no randomness, no rate limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.calendars.invited import Invited, new_invited
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - requested for its effect
    """A fresh table, without a rate limit."""
    with engine.fresh_table(**engine.WITHOUT_RATE_LIMIT) as name:
        yield name


@pytest.fixture
def invited(scenario: BoardScenario, outbox: Outbox) -> Invited:
    """A meeting that Ben was invited to by mail."""
    return new_invited(scenario, outbox)


@pytest.fixture(autouse=True)
def _without_waiting_or_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("random.choice", lambda options: options[0])
