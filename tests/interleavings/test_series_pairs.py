"""Concurrent writes to a series: what is opened is opened once, and what was left open is carried over once."""

from __future__ import annotations

from functools import partial

import pytest

from tests.harness.sample_bodies import SERIES
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow
SECOND = "2098-02-04T09:00"


def _occurrence(scenario: PairScenario, key: str = SERIES["start"]) -> str:
    return f"{scenario.create(scenario.path('series'), **SERIES)}/occurrences/{key}"


def test_open_open(pairs: PairScenario, check: Check) -> None:
    opening = partial(pairs.owner.post, f"{_occurrence(pairs)}/open")
    check(opening, opening)


def test_open_open_another(pairs: PairScenario, check: Check) -> None:
    series = pairs.create(pairs.path("series"), **SERIES)
    first, second = (f"{series}/occurrences/{key}/open" for key in (SERIES["start"], SECOND))
    check(partial(pairs.owner.post, first), partial(pairs.owner.post, second))


def test_open_cancel(pairs: PairScenario, check: Check) -> None:
    one = _occurrence(pairs)
    check(partial(pairs.owner.post, f"{one}/open"), partial(pairs.owner.put, one, {"cancelled": True}))


def test_open_change_rule(pairs: PairScenario, check: Check) -> None:
    one = _occurrence(pairs)
    changed = {"rule": "FREQ=WEEKLY", "start": "2098-01-01T10:00"}
    check(partial(pairs.owner.post, f"{one}/open"), partial(pairs.owner.patch, one.partition("/occ")[0], changed))


def test_open_delete_series(pairs: PairScenario, check: Check) -> None:
    one = _occurrence(pairs)
    check(partial(pairs.owner.post, f"{one}/open"), partial(pairs.owner.delete, one.partition("/occ")[0]))


def test_complete_open_next(pairs: PairScenario, check: Check) -> None:
    one = _occurrence(pairs)
    meeting = pairs.path("meetings", pairs.owner.post(f"{one}/open").data["id"])
    assert pairs.owner.put(f"{meeting}/agenda", {"items": [{"title": "Budget"}]}).status == 200
    following = f"{one.rpartition('/')[0]}/{SECOND}/open"
    check(partial(pairs.owner.patch, meeting, {"status": "completed"}), partial(pairs.owner.post, following))
