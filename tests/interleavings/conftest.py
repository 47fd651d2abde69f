"""Fixtures for pairs of requests at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.interleavings.pair_scenario import PairScenario, check_pair
from tests.interleavings.schedules import Call


@pytest.fixture
def pairs(scenario: BoardScenario) -> PairScenario:
    """A board with an owner and a member."""
    return PairScenario(scenario, scenario.member("ben"))


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Callable[[Call, Call], None]:
    """Asserts that two calls at once are as one after the other."""
    return partial(check_pair, monkeypatch=monkeypatch)
