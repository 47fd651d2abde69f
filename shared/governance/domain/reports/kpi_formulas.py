"""The formulas of one release of the catalog, as the checks of dashboards use them (ADR figures)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from governance.domain.reports.formula import parse
from governance.domain.reports.intervals import Program, compiled

SAME_PERIOD = "same"


@dataclass(frozen=True)
class FormulaInput:
    """A name in a formula: the KPI that it stands for, None for a raw figure, and the period of its value."""

    name: str
    rogue_id: str | None
    period: str | None


@dataclass(frozen=True)
class KpiFormula:
    """The formula of a KPI; it is compiled when it is first evaluated."""

    expression: str
    inputs: tuple[FormulaInput, ...]

    @cached_property
    def program(self) -> Program:
        """The program that evaluates the formula."""
        return compiled(parse(self.expression))

    @cached_property
    def is_checkable(self) -> bool:
        """Whether a report can state all inputs: each is a KPI of the same period."""
        return all(
            formula_input.rogue_id is not None and formula_input.period == SAME_PERIOD for formula_input in self.inputs
        )


@dataclass(frozen=True)
class KpiFormulas:
    """The formulas of a release, by the ids of their KPIs."""

    version: str
    by_id: Mapping[str, KpiFormula]


def to_text(version: str, records: Mapping[str, Mapping[str, Any]], periods: Mapping[tuple[str, str], str]) -> str:
    """Returns the formulas of a release as they are published for the functions.

    `records` are those of the release by id, `periods` those of inputs by KPI and name. An input of unknown period
    counts as one of another period.
    """
    formulas = {
        rogue_id: {
            "expression": record["formula"]["expression"],
            "inputs": [
                [entry["name"], entry["rogueId"], periods.get((rogue_id, entry["name"]))]
                for entry in record["formula"]["inputs"]
            ],
        }
        for rogue_id, record in records.items()
        if record["formula"]
    }
    return json.dumps({"version": version, "formulas": formulas}, separators=(",", ":"))


def from_text(text: str) -> KpiFormulas:
    """Returns the formulas that were published. Raises `ValueError` or `KeyError` for another text."""
    published = json.loads(text)
    by_id = {
        rogue_id: KpiFormula(formula["expression"], tuple(FormulaInput(*row) for row in formula["inputs"]))
        for rogue_id, formula in published["formulas"].items()
    }
    return KpiFormulas(published["version"], by_id)
