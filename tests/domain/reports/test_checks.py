"""What a check says of figures, over all figures that there may be."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.reports.checks import CheckedFigures, formulas_among, to_bounds
from governance.domain.reports.intervals import stated_interval
from governance.domain.reports.kpi_formulas import FormulaInput, KpiFormula, KpiFormulas
from governance.domain.reports.stated_figures import NO_NUMBER, NOTHING, STUB, Figure

SUM = KpiFormula("x + y", (FormulaInput("x", "a.x", "same"), FormulaInput("y", "a.y", "same")))
RATIO = KpiFormula("x / y", (FormulaInput("x", "a.x", "same"), FormulaInput("y", "a.y", "same")))
ROOT = KpiFormula("x ** (1 / y)", (FormulaInput("x", "a.x", "same"), FormulaInput("y", "a.y", "same")))
GROWTH = KpiFormula("x / p", (FormulaInput("x", "a.x", "same"), FormulaInput("p", "a.x", "prior")))
RAW = KpiFormula("x / r", (FormulaInput("r", None, "same"), FormulaInput("x", "a.x", "same")))
FORMULAS = KpiFormulas("1.0.0", {"a.sum": SUM, "a.ratio": RATIO, "a.root": ROOT, "a.growth": GROWTH, "a.raw": RAW})


def figures(*given_: tuple[str, str] | tuple[str, str, str]) -> list[Figure]:
    return [
        Figure("d", f"f{number}", kpi, states, date[0] if date else None)
        for number, (kpi, states, *date) in enumerate(given_)
    ]


def checked(*given_: tuple[str, str] | tuple[str, str, str]) -> tuple[str, str | None]:
    """The status and the reason of the one figure that has a formula."""
    checked_figures = CheckedFigures(FORMULAS, figures(*given_))
    (check,) = checked_figures.checks("d", [])
    assert bool(list(checked_figures.contradictions())) is (check.status == "contradicts")
    return check.status, check.reason


@given(st.permutations([("a.x", "1.0"), ("a.y", "2.0"), ("a.sum", "3.0")]))
def test_the_order_of_figures_does_not_matter(order: list[tuple[str, str]]) -> None:
    assert checked(*order) == ("agrees", None)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(-5, 5))
def test_a_sum_of_whole_numbers_is_off_by_at_most_one_and_a_half(x: int, y: int, off: int) -> None:
    """Each of the three numbers is off by half a unit at most."""
    expected = "agrees" if abs(off) <= 1 else "contradicts"
    assert checked(("a.x", str(x)), ("a.y", str(y)), ("a.sum", str(x + y + off)))[0] == expected


REASONS = [
    ([("a.x", "1"), ("a.sum", "2")], "missing_input"),
    ([("a.x", "1"), ("a.y", NOTHING), ("a.sum", "2")], "missing_input"),
    ([("a.x", "1"), ("a.y", STUB), ("a.sum", "2")], "stub"),
    ([("a.x", "1"), ("a.y", NO_NUMBER), ("a.sum", "2")], "not_a_number"),
    ([("a.x", "1"), ("a.y", "1"), ("a.sum", STUB)], "stub"),
    ([("a.x", "1"), ("a.y", "1"), ("a.sum", NO_NUMBER)], "not_a_number"),
    ([("a.x", "1"), ("a.y", "1"), ("a.sum", NOTHING)], "not_a_number"),
    ([("a.x", "1"), ("a.y", "1", "2026-01-01"), ("a.sum", "2")], "other_date"),
    ([("a.x", "1"), ("a.x", "3"), ("a.y", "1"), ("a.sum", "9")], "contradictory_inputs"),
    ([("a.x", "1"), ("a.y", "0.4"), ("a.y", "0"), ("a.ratio", "9")], None),
    ([("a.x", "1"), ("a.y", "0"), ("a.ratio", "9")], "division_by_zero"),
    ([("a.x", "-5"), ("a.y", "3"), ("a.root", "9")], "not_real"),
    ([("a.x", "1e300"), ("a.y", "0.01"), ("a.root", "9")], "not_a_number"),
    ([("a.x", "1"), ("a.growth", "9")], "other_period"),
    ([("a.growth", "9")], "other_period"),
    ([("a.x", "1"), ("a.raw", "9")], "missing_input"),
]


@pytest.mark.parametrize(("stated_", "reason"), REASONS)
def test_why_a_figure_cannot_be_checked(stated_: list[tuple[str, str]], reason: str | None) -> None:
    status, why = checked(*stated_)
    assert why == reason
    assert (status == "not_checkable") is (reason is not None)


def test_figures_of_another_date_are_ignored_where_one_of_the_same_date_exists() -> None:
    inputs = [("a.x", "1"), ("a.x", "500", "2026-01-01"), ("a.y", "1"), ("a.y", STUB, "2026-01-01")]
    assert checked(*inputs, ("a.sum", "2")) == ("agrees", None)  # type: ignore[arg-type]


def test_fields_without_a_number_do_not_keep_another_from_stating_the_input() -> None:
    assert checked(("a.x", STUB), ("a.x", "1"), ("a.x", NOTHING), ("a.y", "1"), ("a.sum", "2")) == ("agrees", None)


# The ids of flags


def flag_ids(formulas: KpiFormulas, given_: Iterable[Figure]) -> list[str]:
    return [contradiction.flag_id for contradiction in CheckedFigures(formulas, given_).contradictions()]


def test_a_flag_has_the_same_id_for_the_same_values_only() -> None:
    same = figures(("a.x", "1"), ("a.y", "1"), ("a.sum", "9"))
    moved = [*figures(("a.y", "1")), *figures(("a.x", "1")), same[2]]
    others = [
        figures(("a.x", "1"), ("a.y", "1"), ("a.sum", "9.0")),
        figures(("a.x", "2"), ("a.y", "1"), ("a.sum", "9")),
        [*same[:2], same[2]._replace(field_id="other")],
        [*same[:2], same[2]._replace(dashboard_id="e")],
    ]
    ids = [flag_ids(FORMULAS, stated) for stated in (same, moved, *others)]
    ids.append(flag_ids(KpiFormulas("2.0.0", FORMULAS.by_id), same))
    assert ids[0] == ids[1]
    assert len({id_ for (id_,) in ids}) == len(ids) - 1


def test_a_dashboard_is_shown_its_own_figures_and_a_check_names_its_flag_only_if_there_is_one() -> None:
    checked_figures = CheckedFigures(FORMULAS, figures(("a.x", "1"), ("a.y", "1"), ("a.sum", "9")))
    (contradiction,) = checked_figures.contradictions()
    assert [check.flag_id for check in checked_figures.checks("d", [])] == [None]
    assert [check.flag_id for check in checked_figures.checks("d", [contradiction.flag_id])] == [contradiction.flag_id]
    assert list(checked_figures.checks("other", [])) == []


# What is shown


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [
        ("100", "99.5", "100.5"),
        ("12.50", "12.495", "12.505"),
        ("-1e3", "-1500", "-500"),
        ("1.00e40", "9.95E+39", "1.005E+40"),
        ("1234567890123456789012345", "1.2345678901234567890E+24", "1.2345678901234567891E+24"),
    ],
)
def test_bounds_are_shown_rounded_outward(number: str, low: str, high: str) -> None:
    shown = to_bounds(stated_interval(number))
    assert shown is not None
    assert (float(shown.low), float(shown.high)) == (float(low), float(high))
    assert Decimal(shown.low) <= stated_interval(number).low
    assert stated_interval(number).high <= Decimal(shown.high)
    if "E" not in low:
        assert (shown.low, shown.high) == (low, high)


def test_formulas_are_counted() -> None:
    assert formulas_among(FORMULAS, figures(("a.x", "1"), ("a.sum", "9"), ("a.raw", "9"))) == 2


def test_all_figures_at_the_limit_are_checked_by_few_evaluations() -> None:
    """What a formula gives is computed once for a KPI and a date, however many fields state it."""
    evaluated = itertools.count()
    counted = KpiFormula(SUM.expression, SUM.inputs)
    program = SUM.program
    object.__setattr__(counted, "program", lambda inputs: (next(evaluated), program(inputs))[1])
    many = [figure for _ in range(2600) for figure in figures(("a.x", "1"), ("a.y", "1"), ("a.sum", "9"))]
    list(CheckedFigures(KpiFormulas("1", {"a.sum": counted}), many).contradictions())
    assert next(evaluated) == 1
