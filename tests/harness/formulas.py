"""Expressions of the catalog's grammar with their values, and others that it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from governance.domain.reports.formula import parse
from governance.domain.reports.intervals import evaluate, exactly

VALUES = {"a": 6.0, "b": 3.0, "c": 2.0}
COMPUTED = {
    "a": 6,
    "a + b * c": 12,
    "(a + b) * c": 18,
    "a - b - c": 1,
    "a / b / c": 1,
    "2 ** 3 ** 2": 512,
    "a * c ** 2": 24,
    "min(a, b, c) + max(a, b)": 8,
    "min(a)": 6,
    " ( a )+1.5 ": 7.5,
}
REFUSED = [
    *("", "a +", "a b", "-a", "a // b", "(a", "a)", "min()", "min(a", "max", "abs(a)", "a.b", "a[0]", "'a'"),
    *("__import__('os')", "A", "1e9", ".5", "1.", "a, b", "(" * 17 + "a" + ")" * 17, "2 ** " * 16 + "2"),
    *("+".join("a" * 200), "d", "a / 0", "a / (b - b)", "10 ** 65", "10 ** (0 - 65)", "(0 - 8) ** (1 / 3)"),
    *("0 ** (0 - 1)", "9999999999 ** 64", "10 ** 64 * 10 ** 64 * 10 ** 64 * 10 ** 64 * 10 ** 64"),
]


def value_of(text: str, inputs: Mapping[str, float]) -> float:
    """Returns the value of an expression for these numbers."""
    return float(evaluate(parse(text), {name: exactly(Decimal(repr(value))) for name, value in inputs.items()}).low)
