"""What a dashboard states of KPIs."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.reports.stated_figures import NO_NUMBER, NOTHING, STUB, figures_of, to_figures
from governance.limits import CHECKED_NUMBER
from governance.models.numbers import kept_as_written, parse_float
from governance.models.reports.dashboard import Uniform
from tests.domain.samples import field


def states(value: Any, *, stub: bool = False) -> str:
    stored = figures_of(
        "d", Uniform(fields=(field(kept_as_written(value), is_stub=stub),), data_anchor_date="2026-03-31")
    )
    assert stored is not None
    (figure,) = to_figures([stored])
    assert figure[:3] == ("d", "f", "finance.revenue")
    assert figure.date == "2026-03-31"
    return figure.states


@pytest.mark.parametrize("text", ["12.50", "12.5", "-0.0", "1e3", "1.50E+3", "0.10"])
def test_a_number_is_kept_as_it_was_written(text: str) -> None:
    assert states(parse_float(text)) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"),
        (-(10**20), "-100000000000000000000"),
        (None, NOTHING),
        (True, NO_NUMBER),
        ("12", NO_NUMBER),
        ([1], NO_NUMBER),
        ({}, NO_NUMBER),
        (10**CHECKED_NUMBER, NO_NUMBER),
    ],
)
def test_what_is_no_number_states_none(value: Any, expected: str) -> None:
    assert states(value) == expected


def test_a_stub_states_nothing_whatever_its_value() -> None:
    assert states(12, stub=True) == STUB


def test_figures_without_a_kpi_are_left_out() -> None:
    assert figures_of("d", Uniform(fields=(field(1, rogue_id=None),))) is None
    assert figures_of("d", Uniform()) is None
    assert figures_of("d", None) is None
