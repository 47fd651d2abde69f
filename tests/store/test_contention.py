"""Writes to one board do not contend: a simulation of the store's documented conflicts, with a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from governance.errors import ApiError
from governance.store import dynamodb, transactions
from governance.store.schema.entities import guard_key
from governance.store.writes import EXISTS, Check, StaleRead, Write, key_of_write, retry_stale_reads
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


def test_every_write_checks_one_guard_row_of_its_board(traffic: BoardTraffic) -> None:
    """So the simulation has what it is about; the response builder adds the check."""
    prefix = guard_key(traffic.root.pk.removeprefix("BOARD#"), 0).pk[:-2]
    for _ in range(200):
        checked = [write for write in traffic.writes() if key_of_write(write).pk.startswith(prefix)]
        assert len(checked) == 1


def test_200_writes_a_second_on_one_board_rarely_fail(contended: ContendedStore, traffic: BoardTraffic) -> None:
    """A third of the requests are votes on one meeting."""
    result = simulate(traffic.writes, per_second=200, seconds=30, seed=SEED, store=contended)
    assert result.writes > 5_000
    assert result.conflicts > 0
    assert result.failed_share < 0.001


def test_a_check_that_all_writes_share_would_fail_them(contended: ContendedStore, traffic: BoardTraffic) -> None:
    """The simulation notices what it is about: the same writes, all of them with a check of the board's root item."""
    root = Check(traffic.root, EXISTS)

    def with_shared_check() -> Sequence[Write]:
        return [root, *traffic.writes()]

    result = simulate(with_shared_check, per_second=100, seconds=30, seed=SEED, store=contended)
    assert result.failed_share > 0.05


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


def test_forty_editors_of_one_item_follow_each_other_within_a_deadline(contended: ContendedStore) -> None:
    """Each reads, decides and writes for 50 to 120 ms, as one whose change checks the figures of a report does."""
    time, version, answered, refused = contended.time, 0, list[float](), list[ApiError]()

    def attempt() -> None:
        nonlocal version
        read = version
        time.sleep(contended.random.uniform(0.05, 0.12))
        if version != read:
            raise StaleRead
        version += 1

    def edit() -> None:
        began = time.now
        try:
            retry_stale_reads(attempt)
        except ApiError as error:
            refused.append(error)
        answered.append(time.now - began)

    for wave in range(25):
        for _ in range(40):
            time.schedule(60 * wave + contended.random.uniform(0, 0.02), Process(time, edit))
    time.run()
    assert (version, refused) == (1000, [])
    assert max(answered) < 8
