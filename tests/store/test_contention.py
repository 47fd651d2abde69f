"""Writes to one board do not contend: a simulation of the store's documented conflicts, with a fixed seed."""

from __future__ import annotations

import random

import pytest

from governance.errors import ApiError
from governance.store import dynamodb, transactions
from tests.harness.board_scenario import BoardScenario
from tests.store.board_traffic import BoardTraffic
from tests.store.contended_store import ContendedStore, Process, VirtualTime, simulate

pytestmark = pytest.mark.slow
SEED = 20


@pytest.fixture
def traffic(scenario: BoardScenario) -> BoardTraffic:
    return BoardTraffic(scenario, SEED)


@pytest.fixture
def contended(traffic: BoardTraffic, monkeypatch: pytest.MonkeyPatch) -> ContendedStore:  # noqa: ARG001 - comes first
    """The simulated store, under the real code of transactions."""
    time = VirtualTime()
    simulated = ContendedStore(time, random.Random(SEED))  # noqa: S311 - a simulation
    monkeypatch.setattr(dynamodb, "time", time)
    monkeypatch.setattr(dynamodb, "client", simulated)
    monkeypatch.setattr(dynamodb, "random", random.Random(SEED + 1))  # noqa: S311
    return simulated


def test_200_writes_a_second_on_one_board_rarely_fail(contended: ContendedStore, traffic: BoardTraffic) -> None:
    """A third of the requests are votes on one meeting."""
    result = simulate(traffic.writes, per_second=200, seconds=30, seed=SEED, store=contended)
    assert result.writes > 5_000
    assert result.conflicts > 0
    assert result.failed_share < 0.001


def test_a_busy_board_can_be_deleted(contended: ContendedStore, traffic: BoardTraffic) -> None:
    """A deletion needs all guard rows at once, so it has more attempts than the writes that need one."""
    refused: list[ApiError] = []

    def delete() -> None:
        try:
            transactions.transact(traffic.deletion)
        except ApiError as error:
            refused.append(error)

    for number in range(20):
        contended.time.schedule(1 + number / 2, Process(contended.time, delete))
    simulate(traffic.writes, per_second=200, seconds=11, seed=SEED, store=contended)
    assert len(refused) <= 3
