"""Parses units and infers the unit of a formula, whose sides must agree.

A unit is written `currency`, `currency/customer`, `hour*ticket` or, without any, `ratio`. Three literals of the
formulas have a unit, because that is what they mean: `100` is the whole in percent, `12` the months and `365` the
days of a year. `0` agrees with every unit; every other literal is a plain number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from governance.domain.reports.formula import Binary, Call, Name, Node, Number

Unit = frozenset[tuple[str, int]]

PLAIN: Unit = frozenset()
RATIO = "ratio"
TIMES = frozenset({"hour", "day", "week", "month", "year"})

# A point is one hundredth of a whole, used for scores: the same quantity as a percent.
_SYNONYMS = {"point": "percent"}
_LITERALS = {"100": "percent", "12": "month", "365": "day"}


class UnitError(ValueError):
    """Two units do not agree."""


def _unit(powers: Mapping[str, int]) -> Unit:
    return frozenset((name, power) for name, power in powers.items() if power)


def words(text: str) -> list[str]:
    """Returns the words of a written unit: `currency/customer` gives `currency` and `customer`."""
    return [] if text == RATIO else text.replace("/", "*").split("*")


def parse_unit(text: str) -> Unit:
    """Returns the unit that a text stands for."""
    powers: Counter[str] = Counter()
    for position, part in enumerate([] if text == RATIO else text.split("/")):
        for word in part.split("*"):
            powers[_SYNONYMS.get(word, word)] += -1 if position else 1
    return _unit(powers)


def write_unit(unit: Unit) -> str:
    """Returns a unit as a person would write it."""
    above = sorted(name for name, power in unit for _ in range(power))
    below = sorted(name for name, power in unit for _ in range(-power))
    return "/".join(["*".join(above) or "1", *below]) if unit else RATIO


def _multiply(left: Unit, right: Unit, sign: int) -> Unit:
    powers = Counter(dict(left))
    for name, power in right:
        powers[name] += sign * power
    return _unit(powers)


def _common_unit(left: Unit | None, right: Unit | None) -> Unit | None:
    """Returns the unit of a sum; None stands for the number 0, which agrees with every unit."""
    if left is None or right is None or left == right:
        return right if left is None else left
    raise UnitError(f"{write_unit(left)} does not agree with {write_unit(right)}")


def _literal(text: str) -> Unit | None:
    if float(text) == 0:
        return None
    return parse_unit(_LITERALS.get(text, RATIO))


def _binary(operator: str, left: Unit | None, right: Unit | None) -> Unit | None:
    if operator in ("+", "-"):
        return _common_unit(left, right)
    if operator == "**":
        if left or right:
            raise UnitError("a power needs plain numbers")
        return PLAIN
    return _multiply(left or PLAIN, right or PLAIN, 1 if operator == "*" else -1)


def _infer(node: Node, inputs: Mapping[str, Unit]) -> Unit | None:
    match node:
        case Number(text):
            return _literal(text)
        case Name(name):
            return inputs[name]
        case Binary(operator, left, right):
            return _binary(operator, _infer(left, inputs), _infer(right, inputs))
        case Call(_, arguments):
            unit: Unit | None = None
            for argument in arguments:
                unit = _common_unit(unit, _infer(argument, inputs))
            return unit


def infer(node: Node, inputs: Mapping[str, Unit]) -> Unit:
    """Returns the unit of an expression's value; raises `UnitError` if two sides do not agree."""
    return _infer(node, inputs) or PLAIN
