"""The formulas of a release as they are published for the functions."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from governance.domain.reports.intervals import exactly
from governance.domain.reports.kpi_formulas import from_text, to_text

RECORDS: dict[str, dict[str, Any]] = {
    "a.sum": {
        "formula": {"expression": "x + y", "inputs": [{"name": "x", "rogueId": "a.x"}, {"name": "y", "rogueId": "a.y"}]}
    },
    "a.raw": {"formula": {"expression": "x", "inputs": [{"name": "x", "rogueId": None}]}},
    "a.growth": {"formula": {"expression": "x", "inputs": [{"name": "x", "rogueId": "a.x"}]}},
    "a.unsaid": {"formula": {"expression": "x", "inputs": [{"name": "x", "rogueId": "a.x"}]}},
    "a.primary": {"formula": None},
}
PERIODS = {("a.sum", "x"): "same", ("a.sum", "y"): "same", ("a.raw", "x"): "same", ("a.growth", "x"): "prior"}


def test_a_release_is_read_as_it_was_written() -> None:
    formulas = from_text(to_text("1.0.0", RECORDS, PERIODS))
    assert formulas.version == "1.0.0"
    assert set(formulas.by_id) == {"a.sum", "a.raw", "a.growth", "a.unsaid"}
    formula = formulas.by_id["a.sum"]
    assert [(given.name, given.rogue_id, given.period) for given in formula.inputs] == [
        ("x", "a.x", "same"),
        ("y", "a.y", "same"),
    ]
    assert formula.program({"x": exactly(Decimal(1)), "y": exactly(Decimal(2))}) == exactly(Decimal(3))


def test_a_formula_can_be_checked_if_a_report_can_state_all_inputs() -> None:
    by_id = from_text(to_text("1.0.0", RECORDS, PERIODS)).by_id
    assert {id_ for id_, formula in by_id.items() if formula.is_checkable} == {"a.sum"}


@pytest.mark.parametrize("text", ["", "{}", "<html>", '{"version": "1"}'])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        from_text(text)
