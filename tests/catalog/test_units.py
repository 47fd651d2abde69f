"""Units: both sides of a formula agree, and three literals have a unit."""

import pytest

from governance.domain.reports.formula import parse
from infra.catalog.units import UnitError, infer, parse_unit, write_unit

INPUTS = {
    "money": "currency",
    "monthly": "currency/month",
    "customers": "customer",
    "days": "day*deal",
    "deals": "deal",
    "margin": "percent",
    "growth": "ratio",
}


def unit_of(text: str) -> str:
    return write_unit(infer(parse(text), {name: parse_unit(unit) for name, unit in INPUTS.items()}))


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("money / money", "ratio"),
        ("money / money * 100", "percent"),
        ("money * margin / 100", "currency"),
        ("100 - margin", "percent"),
        ("monthly * 12", "currency"),
        ("money / monthly", "month"),
        ("money / money * 365", "day"),
        ("money / customers", "currency/customer"),
        ("monthly / customers", "currency/customer/month"),
        ("days / deals", "day"),
        ("(money + money) / 2", "currency"),
        ("max(0, money)", "currency"),
        ("min(money, money)", "currency"),
        ("growth ** (1 / 2) - 1", "ratio"),
        ("1 / customers", "1/customer"),
        ("0", "ratio"),
    ],
)
def test_a_formula_has_the_unit_that_follows_from_those_of_its_inputs(text: str, unit: str) -> None:
    assert unit_of(text) == unit


@pytest.mark.parametrize(
    "text", ["money + customers", "money + monthly", "money - 1", "max(money, margin)", "money ** 2", "2 ** customers"]
)
def test_units_that_do_not_agree_are_refused(text: str) -> None:
    with pytest.raises(UnitError):
        unit_of(text)


def test_a_point_is_a_percent() -> None:
    assert parse_unit("point") == parse_unit("percent")
