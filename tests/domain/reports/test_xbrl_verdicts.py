"""Sums are checked as by XBRL Calculations 1.1 with rounding to nearest, the published rule for rounded totals.

`xbrl_verdicts.txt` has what Arelle 2.47.3 (`--calc c11r`) said of random dashboards, written as an instance whose facts
have as many `decimals` as are written: a line has the verdict and the numbers that state a, b, c and their total, which
is a + b - c. Stated twice, what both have in common counts; where that is nothing, Arelle calls the facts disallowed.
"""

from __future__ import annotations

from pathlib import Path

from governance.domain.reports.formula import parse
from governance.domain.reports.intervals import compiled, intersection, stated_interval

VERDICTS = Path(__file__).with_name("xbrl_verdicts.txt")
TOTAL = compiled(parse("a + b - c"))


def verdict(numbers: str) -> str:
    *inputs, total = [intersection([stated_interval(text) for text in part.split()]) for part in numbers.split("|")]
    values = {name: value for name, value in zip("abc", inputs, strict=True) if value is not None}
    if total is None or len(values) < len(inputs):
        return "disallowed"
    return "agrees" if total.meets(TOTAL(values)) else "contradicts"


def test_sums_are_checked_as_by_the_rule_for_rounded_totals() -> None:
    lines = [line.split(" ", 1) for line in VERDICTS.read_text(encoding="ascii").splitlines()]
    assert len(lines) > 1000
    assert {expected for expected, _ in lines} == {"agrees", "contradicts", "disallowed"}
    assert [(numbers, verdict(numbers)) for _, numbers in lines] == [(numbers, expected) for expected, numbers in lines]
