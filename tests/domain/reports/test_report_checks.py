"""What a change of figures means for a report."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.reports import report_checks as report_checks_rules
from governance.domain.reports.kpi_formulas import FormulaInput, KpiFormula, KpiFormulas
from governance.domain.reports.report_checks import FiguresChange
from governance.ids import BoardId
from governance.instants import Instant
from governance.limits import CHECKED_DASHBOARDS, FIELD_ID
from governance.models.reports.check import StoredChecked, StoredChecks, StoredFigures, StoredFlags
from tests.domain.samples import refusal

NOW = Instant("2026-11-23T06:00:00.000Z")
SUM = KpiFormula("x + y", (FormulaInput("x", "a.x", "same"), FormulaInput("y", "a.y", "same")))
FORMULAS = KpiFormulas("1.0.0", {"a.sum": SUM})


def figures(dashboard_id: str, **stated: str) -> StoredFigures:
    rows = [[name, f"a.{name}", value] for name, value in stated.items()]
    return StoredFigures(dashboard_id=dashboard_id, data_anchor_date=None, figures=json.dumps(rows))


def checks(version: str | None = "1.0.0", /, **dashboards: StoredChecked) -> StoredChecks:
    return listed(dashboards, version)


def listed(dashboards: dict[str, StoredChecked], version: str | None = "1.0.0") -> StoredChecks:
    return StoredChecks(board_id=BoardId("b"), report_id="r", catalog_version=version, dashboards=dashboards, version=1)


def checked(
    all_figures: Mapping[str, StoredFigures], flags: Mapping[str, StoredFlags] | None = None
) -> report_checks_rules.CheckedReport:
    return report_checks_rules.checked_report(checks(), all_figures, flags or {}, FORMULAS, NOW)


# When a change must be checked


@pytest.mark.parametrize(
    ("known", "change", "expected"),
    [
        (checks(), figures("d", x="1"), False),
        (checks(), figures("d", sum="1"), True),
        (checks(e=StoredChecked()), figures("d", x="1"), False),
        (checks(e=StoredChecked(formulas=1)), figures("d", x="1"), True),
        (checks("0.9.0", e=StoredChecked()), figures("d", x="1"), True),
        (checks(None, e=StoredChecked()), figures("d", x="1"), True),
        (checks("0.9.0", d=StoredChecked()), figures("d", x="1"), False),
        (checks(d=StoredChecked(formulas=1, flags=1)), None, True),
        (checks(d=StoredChecked(formulas=1)), None, False),
    ],
)
def test_a_change_is_checked_if_it_can_raise_or_end_a_flag(
    known: StoredChecks, change: StoredFigures | None, expected: bool
) -> None:
    assert report_checks_rules.needs_check(known, FiguresChange("d", change), FORMULAS) is expected


def test_dashboards_take_part_up_to_a_limit() -> None:
    full = listed({f"d{number}": StoredChecked() for number in range(CHECKED_DASHBOARDS)})
    some = listed(dict(list(full.dashboards.items())[1:]))
    assert report_checks_rules.takes_part(full, FiguresChange("d1", figures("d1", x="1")))
    assert report_checks_rules.takes_part(full, FiguresChange("d1", None))
    assert not report_checks_rules.takes_part(full, FiguresChange("new", figures("new", x="1")))
    assert report_checks_rules.takes_part(some, FiguresChange("new", figures("new", x="1")))
    assert not report_checks_rules.takes_part(some, FiguresChange("new", None))


def test_a_change_that_nothing_follows_from_is_counted() -> None:
    after = report_checks_rules.unchecked(checks(), FiguresChange("d", figures("d", x="1")), FORMULAS)
    assert (after.dashboards, after.catalog_version) == ({"d": StoredChecked()}, "1.0.0")
    assert report_checks_rules.unchecked(after, FiguresChange("d", None), FORMULAS).dashboards == {}


def test_without_the_catalog_the_next_change_checks_everything() -> None:
    known = checks(d=StoredChecked(formulas=1, flags=2, open_flags=1))
    after = report_checks_rules.unchecked(known, FiguresChange("d", None), None)
    assert after.catalog_version is None
    assert after.dashboards["d"].open_flags == 1
    assert report_checks_rules.unchecked(known, FiguresChange("d", None, is_deleted=True), None).dashboards == {}


# What a check says


def test_a_contradiction_is_counted_and_told_where_it_is() -> None:
    after = checked({"d": figures("d", x="1", y="1"), "e": figures("e", sum="9")})
    assert after.checks.dashboards == {"d": StoredChecked(), "e": StoredChecked(formulas=1, flags=1, open_flags=1)}
    assert {id_: len(flags) for id_, flags in after.raised.items()} == {"e": 1}
    again = checked({"d": figures("d", x="1", y="1"), "e": figures("e", sum="9")}, after.flags)
    assert (again.flags, again.raised, again.corrected) == ({}, {}, {})
    corrected = checked({"d": figures("d", x="8", y="1"), "e": figures("e", sum="9")}, after.flags)
    assert {id_: len(flags) for id_, flags in corrected.corrected.items()} == {"e": 1}
    assert corrected.checks.dashboards["e"] == StoredChecked(formulas=1, flags=1, open_flags=0)


def test_a_dashboard_whose_figures_are_gone_keeps_its_flags() -> None:
    first = checked({"e": figures("e", x="1", y="1", sum="9")})
    after = checked({}, first.flags)
    assert after.checks.dashboards == {"e": StoredChecked(formulas=0, flags=1, open_flags=0)}


NUMBERS = st.sampled_from(["1", "2", "3"])


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_only_the_last_state_decides_what_is_open(states: list[tuple[str, str, str]]) -> None:
    flags: dict[str, StoredFlags] = {}
    for x, y, total in states:
        flags = {**flags, **checked({"d": figures("d", x=x, y=y), "e": figures("e", sum=total)}, flags).flags}
    first, second, sum_ = map(int, states[-1])
    opened = [flag for stored in flags.values() for flag in stored.flags if flag.status == "open"]
    assert len(opened) == (abs(first + second - sum_) > 1)


def test_flags_that_outgrow_a_transaction_are_refused() -> None:
    rows = [["😀" * FIELD_ID + str(number), "a.sum", "9"] for number in range(200)]
    many = {
        f"d{number}": StoredFigures(dashboard_id=f"d{number}", data_anchor_date=None, figures=json.dumps(rows))
        for number in range(CHECKED_DASHBOARDS)
    }
    assert refusal(checked, {"inputs": figures("inputs", x="1", y="1"), **many})[0] == 409
