"""Interval arithmetic: bounds that hold the true value, judged by other libraries (ADR figures).

What agrees, and what is stated twice, is judged by `test_xbrl_verdicts.py`.
"""

from __future__ import annotations

import random
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import iv  # type: ignore[import-untyped]

from governance.domain.reports.formula import ExpressionError, parse
from governance.domain.reports.intervals import (
    DIGITS,
    Interval,
    NoValueError,
    compiled,
    evaluate,
    exactly,
    stated_interval,
)
from governance.limits import CHECKED_NUMBER

CASES = 10_000


def bounds(text: str) -> tuple[str, str]:
    interval = stated_interval(text)
    return f"{interval.low:f}", f"{interval.high:f}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.50", ("12.495", "12.505")),
        ("0", ("-0.5", "0.5")),
        ("-3.0", ("-3.05", "-2.95")),
        ("1e3", ("500", "1500")),
        ("1.50E+3", ("1495", "1505")),
        ("2e-2", ("0.015", "0.025")),
        ("0.0000000000001", ("0.00000000000005", "0.00000000000015")),
    ],
)
def test_a_number_stands_for_half_a_unit_of_its_last_digit_either_way(text: str, expected: tuple[str, str]) -> None:
    assert bounds(text) == expected


@pytest.mark.parametrize("text", ["1e400", "9" * 400, "1e-9999999", "1e" + "9" * 5000])
def test_a_number_beyond_a_double_states_nothing(text: str) -> None:
    with pytest.raises(NoValueError) as raised:
        stated_interval(text)
    assert raised.value.reason == "not_a_number"


# Bounds hold the exact value


NUMBERS = st.decimals(min_value=-(10**9), max_value=10**9, places=2)
INTERVALS = st.tuples(NUMBERS, NUMBERS).map(lambda pair: Interval(min(pair), max(pair)))
FRACTIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}


@given(st.sampled_from("+-*/"), INTERVALS, INTERVALS)
def test_the_bounds_of_an_operation_are_those_of_its_corners(operator: str, a: Interval, b: Interval) -> None:
    node = parse(f"a {operator} b")
    if operator == "/" and b.low <= 0 <= b.high:
        with pytest.raises(NoValueError) as raised:
            evaluate(node, {"a": a, "b": b})
        assert raised.value.reason == "division_by_zero"
        return
    value = evaluate(node, {"a": a, "b": b})
    corners = [FRACTIONS[operator](Fraction(x), Fraction(y)) for x in a for y in b]
    _are_bounds(value, min(corners), max(corners))


def _are_bounds(value: Interval, low: Fraction, high: Fraction) -> None:
    """The bounds hold the exact ones, and are farther out by some units of the last digit at most."""
    margin = Fraction(1, 10 ** (DIGITS - 3))
    assert 0 <= low - Fraction(value.low) <= abs(low) * margin
    assert 0 <= Fraction(value.high) - high <= abs(high) * margin


@pytest.mark.parametrize("sign", ["", "0 - "])
def test_a_bound_with_endless_digits_is_rounded_outward(sign: str) -> None:
    value = evaluate(parse(f"{sign}a / b"), {"a": exactly(Decimal(1)), "b": exactly(Decimal(3))})
    third = Fraction(-1 if sign else 1, 3)
    assert Fraction(value.low) < third < Fraction(value.high)


@given(INTERVALS, st.integers(min_value=0, max_value=12))
def test_a_whole_power_has_the_bounds_of_its_corners_and_of_zero(base: Interval, exponent: int) -> None:
    value = evaluate(parse(f"a ** {exponent}"), {"a": base})
    corners = [Fraction(bound) ** exponent for bound in base]
    if base.low <= 0 <= base.high and exponent % 2 == 0:
        corners.append(Fraction(0) ** exponent)
    _are_bounds(value, min(corners), max(corners))


@given(INTERVALS, INTERVALS)
def test_the_smaller_and_the_larger_of_two_have_the_bounds_of_both(a: Interval, b: Interval) -> None:
    inputs = {"a": a, "b": b}
    assert evaluate(parse("min(a, b)"), inputs) == (min(a.low, b.low), min(a.high, b.high))
    assert evaluate(parse("max(a, b)"), inputs) == (max(a.low, b.low), max(a.high, b.high))


def test_a_repeated_name_counts_as_independent_intervals() -> None:
    assert evaluate(parse("a - a"), {"a": stated_interval("1")}) == Interval(Decimal(-1), Decimal(1))


# What has no value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("a / 0", "division_by_zero"),
        ("a / zero", "division_by_zero"),
        ("zero ** (0 - 1)", "division_by_zero"),
        ("nothing ** (0 - a / 10)", "division_by_zero"),
        ("(0 - a) ** (1 / 3)", "not_real"),
        ("zero ** (1 / 3)", "not_real"),
        ("a ** 65", "not_a_number"),
        ("large * large", "not_a_number"),
    ],
)
def test_what_some_of_the_numbers_have_no_value_for_has_none(expression: str, reason: str) -> None:
    values = {
        "a": stated_interval("8"),
        "zero": stated_interval("0"),
        "nothing": exactly(Decimal(0)),
        "large": stated_interval("1e200"),
    }
    with pytest.raises(NoValueError) as raised:
        evaluate(parse(expression), values)
    assert raised.value.reason == reason


def test_a_name_without_a_value_is_named() -> None:
    with pytest.raises(ExpressionError, match="no value for 'b'"):
        evaluate(parse("a + b"), {"a": stated_interval("1")})


@pytest.mark.parametrize(
    ("base", "exponent", "power"), [("0", "0.5", "0"), ("0", "0", "1"), ("4", "0.5", "2"), ("2", "-2", "0.25")]
)
def test_a_power_of_exact_numbers_is_bounded_to_forty_digits(base: str, exponent: str, power: str) -> None:
    value = evaluate(parse("a ** b"), {"a": exactly(Decimal(base)), "b": exactly(Decimal(exponent))})
    assert value.low <= Decimal(power) <= value.high
    assert value.high - value.low < Decimal("1e-40")


# Verdicts, judged by mpmath's intervals


RATIOS_AND_POWERS = (
    "a / b * 100",
    "(a - b) / c * 100",
    "a * b / c",
    "a / (b - c)",
    "a / b / (1 - c / 100)",
    "(a + b - c) / (a + b)",
    "((a / b) ** (1 / n) - 1) * 100",
    "(a / b) ** n",
    "a ** (n / 4)",
    "min(a, b) / max(b, c) * 100",
)


def _number(chance: random.Random) -> str:
    digits, decimals = chance.randint(1, 9), chance.randint(0, 4)
    whole = chance.randint(1, 10**digits)
    return f"{whole // 10**decimals}.{whole % 10**decimals:0{decimals}d}" if decimals else str(whole)


def _in_mpmath(expression: str, values: dict[str, Interval]) -> Any:
    names = {name: iv.mpf([str(value.low), str(value.high)]) for name, value in values.items()}
    functions = {"min": lambda *all_: _chosen(min, all_), "max": lambda *all_: _chosen(max, all_)}
    literals = re.sub(r"\b\d+\b", r"iv.mpf(\g<0>)", expression)
    return eval(literals, {"__builtins__": {}}, {**names, **functions, "iv": iv})  # noqa: S307 - expressions of ours


def _chosen(choose: Any, intervals: Any) -> Any:
    return iv.mpf([choose(interval.a for interval in intervals), choose(interval.b for interval in intervals)])


def _near(bound: Decimal, decimals: int, units: int) -> str:
    """A figure with these decimals whose own interval ends about at the bound."""
    unit = Decimal(1).scaleb(-decimals)
    with localcontext(prec=200):
        return f"{bound.quantize(unit) + units * unit:f}"


def test_no_contradiction_is_missed_and_none_invented_at_the_edges() -> None:
    """On 10,000 random formulas, a figure at the edge of what they give is judged as by mpmath with 300 bits."""
    iv.prec = 300
    chance = random.Random(20261123)  # noqa: S311 - the same cases each time
    programs = {expression: compiled(parse(expression)) for expression in RATIOS_AND_POWERS}
    verdicts: list[bool] = []
    while len(verdicts) < CASES:
        expression = chance.choice(RATIOS_AND_POWERS)
        values = {name: stated_interval(_number(chance)) for name in "abc"} | {
            "n": exactly(Decimal(chance.randint(1, 6)))
        }
        try:
            value = programs[expression](values)
        except NoValueError:
            continue
        judge = _in_mpmath(expression, values)
        text = _near(chance.choice(value), chance.randint(0, 6), chance.choice((-2, -1, 0, 1, 2)))
        if len(text) > CHECKED_NUMBER:
            continue
        own = stated_interval(text)
        shown = iv.mpf([str(own.low), str(own.high)])
        expected = bool(shown.a <= judge.b and judge.a <= shown.b)
        assert own.meets(value) is expected, (expression, values, text)
        verdicts.append(expected)
    assert CASES // 5 < sum(verdicts) < CASES * 4 // 5
