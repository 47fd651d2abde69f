"""Exact decimal interval arithmetic, and the value of a formula over intervals (ADR figures).

An interval is closed. Its bounds are decimals of at most `DIGITS` digits: the lower is rounded down, the upper up, so
that the true value never lies outside. A bound that has no more digits is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
)
from typing import Literal, NamedTuple

from governance.domain.reports.formula import Binary, Call, ExpressionError, Name, Node, Number

DIGITS = 50
MAX_EXPONENT = 64
_LARGEST_EXPONENT = 308
"""No bound is beyond the range of a double: the catalog's page, which computes with doubles, refuses the same."""
_GUARD_DIGITS = 15
_EXPONENT_DIGITS = 6

_TRAPS = [DivisionByZero, InvalidOperation, Overflow]
_DOWN = Context(DIGITS, ROUND_FLOOR, -_LARGEST_EXPONENT, _LARGEST_EXPONENT, traps=_TRAPS)
_UP = Context(DIGITS, ROUND_CEILING, -_LARGEST_EXPONENT, _LARGEST_EXPONENT, traps=_TRAPS)
_ZERO, _ONE = Decimal(0), Decimal(1)


def _half(decimals: int) -> Decimal:
    return Decimal((0, (5,), -decimals - 1))


_HALVES = tuple(map(_half, range(10)))

NoValueReason = Literal["division_by_zero", "not_a_number", "not_real"]


class NoValueError(ExpressionError):
    """The formula has no finite real value for some numbers of its inputs' intervals."""

    def __init__(self, reason: NoValueReason) -> None:
        super().__init__(
            {
                "division_by_zero": "division by zero",
                "not_a_number": f"the number is too large, or an exponent beyond {MAX_EXPONENT}",
                "not_real": "the root of a negative number is undefined",
            }[reason]
        )
        self.reason: NoValueReason = reason


class Interval(NamedTuple):
    """The numbers from `low` to `high`, both included."""

    low: Decimal
    high: Decimal

    def meets(self, other: Interval) -> bool:
        """Returns whether the intervals have a number in common; touching is enough."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        """Returns the bounds; equal intervals have the same text."""
        return f"{self.low.normalize(_DOWN)}..{self.high.normalize(_UP)}"


Inputs = Mapping[str, Interval]
Program = Callable[[Inputs], Interval]
"""A compiled formula; it raises `ExpressionError` for an input without a value or a result without one."""


def exactly(number: Decimal) -> Interval:
    """Returns the interval of one number."""
    return Interval(number, number)


def stated_interval(text: str) -> Interval:
    """Returns the numbers that a number written in JSON may stand for: half a unit of its last digit either way.

    Zeros count as written (`12.50` has two decimals) and an exponent scales them (`1.5e3` is 1450 to 1550). Raises
    `NoValueError` for a number beyond the range of a double.
    """
    half = _half_unit(text)
    try:
        number = Decimal(text)
        return Interval(_DOWN.subtract(number, half), _UP.add(number, half))
    except (Overflow, InvalidOperation):
        raise NoValueError("not_a_number") from None


def _half_unit(text: str) -> Decimal:
    """Returns half a unit of the last digit of a number as it is written."""
    if "e" not in text and "E" not in text:
        point = text.find(".")
        decimals = len(text) - point - 1 if point >= 0 else 0
        return _HALVES[decimals] if decimals < len(_HALVES) else _half(decimals)
    digits, _, exponent = text.replace("E", "e").partition("e")
    if len(exponent.lstrip("+-0")) > _EXPONENT_DIGITS:
        raise NoValueError("not_a_number")
    return _half(len(digits.partition(".")[2]) - int(exponent))


def intersection(intervals: list[Interval]) -> Interval | None:
    """Returns what all of the intervals have in common; None if that is nothing."""
    low, high = max(interval.low for interval in intervals), min(interval.high for interval in intervals)
    return Interval(low, high) if low <= high else None


# -- the operations


def _add(left: Interval, right: Interval) -> Interval:
    return Interval(_DOWN.add(left.low, right.low), _UP.add(left.high, right.high))


def _subtract(left: Interval, right: Interval) -> Interval:
    return Interval(_DOWN.subtract(left.low, right.high), _UP.subtract(left.high, right.low))


def _multiply(left: Interval, right: Interval) -> Interval:
    if left.low >= 0 and right.low >= 0:
        return Interval(_DOWN.multiply(left.low, right.low), _UP.multiply(left.high, right.high))
    corners = [(a, b) for a in left for b in right]
    return Interval(min(_DOWN.multiply(a, b) for a, b in corners), max(_UP.multiply(a, b) for a, b in corners))


def _divide(left: Interval, right: Interval) -> Interval:
    if right.low <= 0 <= right.high:
        raise NoValueError("division_by_zero")
    if left.low >= 0 and right.low > 0:
        return Interval(_DOWN.divide(left.low, right.high), _UP.divide(left.high, right.low))
    corners = [(a, b) for a in left for b in right]
    return Interval(min(_DOWN.divide(a, b) for a, b in corners), max(_UP.divide(a, b) for a, b in corners))


def _power(base: Interval, exponent: Interval) -> Interval:
    if exponent.low < -MAX_EXPONENT or exponent.high > MAX_EXPONENT:
        raise NoValueError("not_a_number")
    if exponent.low == exponent.high and exponent.low == exponent.low.to_integral_value():
        whole = int(exponent.low)
        return _whole_power(base, whole) if whole >= 0 else _divide(exactly(_ONE), _whole_power(base, -whole))
    if base.low < 0:
        raise NoValueError("not_real")
    if base.low == 0 and exponent.low < 0:
        raise NoValueError("division_by_zero")
    corners = [_real_power(a, b) for a in base for b in exponent]
    return Interval(min(low for low, _ in corners), max(high for _, high in corners))


def _whole_power(base: Interval, exponent: int) -> Interval:
    """Returns a power by a whole number of at least 0.

    The even power of an interval that contains 0 has 0 as its lower bound.
    """
    smallest, largest = sorted((base.low.copy_abs(), base.high.copy_abs()))
    if base.low <= 0 <= base.high:
        smallest = _ZERO
    least, most = _repeated(_DOWN, smallest, exponent), _repeated(_UP, largest, exponent)
    if exponent % 2 == 0 or base.low >= 0:
        return Interval(least, most)
    if base.high <= 0:
        return Interval(most.copy_negate(), least.copy_negate())
    lowest = _repeated(_UP, base.low.copy_negate(), exponent)
    return Interval(lowest.copy_negate(), _repeated(_UP, base.high, exponent))


def _repeated(rounding: Context, number: Decimal, exponent: int) -> Decimal:
    """Returns the power of a number of at least 0, each product rounded the same way."""
    power = _ONE
    for digit in f"{exponent:b}":
        power = rounding.multiply(power, power)
        if digit == "1":
            power = rounding.multiply(power, number)
    return power


def _real_power(base: Decimal, exponent: Decimal) -> Interval:
    """Returns bounds of the power of a number of at least 0, computed with more digits than are kept.

    The result of `decimal` is off by less than a unit of its last digit, so its neighbours are bounds.
    """
    if base == 0:
        return exactly(_ZERO if exponent else _ONE)
    wide = Context(DIGITS + _GUARD_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[InvalidOperation, Overflow])
    power = wide.power(base, exponent)
    if not wide.flags[Inexact]:
        return Interval(_DOWN.plus(power), _UP.plus(power))
    return Interval(_DOWN.plus(wide.next_minus(power)), _UP.plus(wide.next_plus(power)))


_OPERATIONS: Mapping[str, Callable[[Interval, Interval], Interval]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "**": _power,
}
_CHOICES: Mapping[str, Callable[..., Decimal]] = {"min": min, "max": max}


# -- formulas


def compiled(node: Node) -> Program:
    """Returns the program that evaluates a formula."""
    program = _compiled(node)

    def run(inputs: Inputs) -> Interval:
        try:
            return program(inputs)
        except KeyError as missing:
            raise ExpressionError(f"no value for '{missing.args[0]}'") from None
        except (Overflow, InvalidOperation):
            raise NoValueError("not_a_number") from None

    return run


def _compiled(node: Node) -> Program:
    match node:
        case Number(text):
            number = exactly(Decimal(text))
            return lambda _: number
        case Name(name):
            return lambda inputs: inputs[name]
        case Binary(operator, left, right):
            operation, first, second = _OPERATIONS[operator], _compiled(left), _compiled(right)
            return lambda inputs: operation(first(inputs), second(inputs))
        case Call(function, arguments):
            choose, programs = _CHOICES[function], [_compiled(argument) for argument in arguments]

            def chosen(inputs: Inputs) -> Interval:
                values = [program(inputs) for program in programs]
                return Interval(choose(value.low for value in values), choose(value.high for value in values))

            return chosen


def evaluate(node: Node, inputs: Inputs) -> Interval:
    """Returns the interval of a formula's values over the intervals of its inputs.

    Raises `ExpressionError`: a `NoValueError` unless an input is missing.
    """
    return compiled(node)(inputs)
