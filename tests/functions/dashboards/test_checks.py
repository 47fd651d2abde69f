"""The checks of figures, and their flags."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from governance.limits import CHECKED_DASHBOARDS
from governance.store.reports import sections
from tests.harness import kpi
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.store_calls import InlinePool, count_store_calls

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

REVENUE, COST, PROFIT, MARGIN = (
    "finance.revenue",
    "finance.cost-of-revenue",
    "finance.gross-profit",
    "finance.gross-margin",
)
_numbers = itertools.count(1)


def figure(rogue_id: str | None, value: Any, *, field_id: str = "", stub: bool = False) -> dict[str, Any]:
    return {
        "fieldId": field_id or f"f{next(_numbers)}",
        "rogueId": rogue_id,
        "isStub": stub,
        "label": "Figure",
        "displayOrder": 1,
        "value": value,
    }


class Report:
    """A report, with short ways to its dashboards."""

    def __init__(self, scenario: BoardScenario, caller: Client | None = None) -> None:
        self.caller = caller or scenario.owner.client
        self.id = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q1"}).data["id"]
        self.path = f"{scenario.path}/reports/{self.id}/dashboards"

    def create(self, *figures: dict[str, Any], date: str | None = None) -> str:
        body = {"dashboardType": "uniform", "title": "D", "uniform": {"fields": [*figures], "dataAnchorDate": date}}
        response = self.caller.post(self.path, body)
        assert response.status == 201, response.text
        return str(response.data["id"])

    def change(self, dashboard: str, *figures: dict[str, Any], **uniform: Any) -> None:
        response = self.caller.patch(f"{self.path}/{dashboard}", {"uniform": {"fields": [*figures], **uniform}})
        assert response.status == 200, response.text

    def checks(self, dashboard: str) -> list[dict[str, Any]]:
        response = self.caller.get(f"{self.path}/{dashboard}/checks")
        assert response.status == 200, response.text
        return list(response.data["figures"])

    def check(self, dashboard: str) -> dict[str, Any]:
        (found,) = self.checks(dashboard)
        return found

    def flags(self, dashboard: str) -> list[dict[str, Any]]:
        response = self.caller.get(f"{self.path}/{dashboard}/flags")
        assert response.status == 200, response.text
        return list(response.json["data"])

    def statuses(self, dashboard: str) -> list[str]:
        return [flag["status"] for flag in self.flags(dashboard)]

    def delete(self, dashboard: str) -> None:
        assert self.caller.delete(f"{self.path}/{dashboard}").status == 200


@pytest.fixture
def report(scenario: BoardScenario) -> Report:
    return Report(scenario)


# What is checked


def test_a_figure_that_agrees_shows_what_was_stated_and_computed(report: Report) -> None:
    inputs = report.create(figure(REVENUE, 820000), figure(COST, 213200, field_id="cost"))
    profit = report.create(figure(PROFIT, 606800, field_id="profit"))
    assert report.check(profit) == {
        "fieldId": "profit",
        "rogueId": PROFIT,
        "status": "agrees",
        "reason": None,
        "stated": {"low": "606799.5", "high": "606800.5"},
        "computed": {"low": "606799", "high": "606801"},
        "inputs": [
            {
                "name": "revenue",
                "rogueId": REVENUE,
                "dashboardId": inputs,
                "fieldId": report.caller.get(f"{report.path}/{inputs}").data["uniform"]["fields"][0]["fieldId"],
                "low": "819999.5",
                "high": "820000.5",
            },
            {
                "name": "cost_of_revenue",
                "rogueId": COST,
                "dashboardId": inputs,
                "fieldId": "cost",
                "low": "213199.5",
                "high": "213200.5",
            },
        ],
        "flagId": None,
    }
    assert report.flags(profit) == []


def test_a_figure_that_contradicts_its_inputs_is_flagged(report: Report) -> None:
    dashboard = report.create(figure(REVENUE, 100), figure(COST, 40), figure(PROFIT, 70, field_id="profit"))
    (flag,) = report.flags(dashboard)
    assert flag == {
        "object": "validation_flag",
        "id": flag["id"],
        "fieldId": "profit",
        "rogueId": PROFIT,
        "status": "open",
        "reason": None,
        "createdAt": flag["createdAt"],
        "updatedAt": flag["createdAt"],
        "dismissedByUserId": None,
    }
    check = report.check(dashboard)
    assert (check["status"], check["flagId"]) == ("contradicts", flag["id"])


def test_the_decimals_of_a_figure_are_those_that_were_written(report: Report, scenario: BoardScenario) -> None:
    """12.50 states less than 12.5 does, and stays so when something else of the dashboard changes."""
    exact = report.caller.call("POST", report.path, raw=_body(figure(PROFIT, 0), "12.50"))
    assert exact.status == 201, exact.text
    dashboard = exact.data["id"]
    assert '"value":12.50' in exact.text
    report.caller.patch(f"{report.path}/{dashboard}", {"uniform": {"narrative": "Words"}})
    assert '"value":12.50' in report.caller.get(f"{report.path}/{dashboard}").text
    assert report.check(dashboard)["stated"] == {"low": "12.495", "high": "12.505"}
    assert scenario.owner.client.get(report.path).text.count('"value":12.50') == 1


def _body(field: dict[str, Any], value: str) -> str:
    field = {**field, "value": "VALUE"}
    return json.dumps({"dashboardType": "uniform", "uniform": {"fields": [field]}}).replace('"VALUE"', value)


@pytest.mark.parametrize(("value", "status"), [("37.4", "agrees"), ("37.6", "contradicts"), ("4e1", "agrees")])
def test_a_percent_states_hundredths(report: Report, value: str, status: str) -> None:
    report.create(figure(REVENUE, 800), figure(PROFIT, 299))
    made = report.caller.call("POST", report.path, raw=_body(figure(MARGIN, 0), value))
    assert report.check(made.data["id"])["status"] == status


# What cannot be checked


def not_checkable(report: Report, *figures: dict[str, Any], own: Any = 70, date: str | None = None) -> str:
    report.create(*figures)
    dashboard = report.create(own if isinstance(own, dict) else figure(PROFIT, own), date=date)
    check = report.check(dashboard)
    assert check["status"] == "not_checkable"
    assert report.flags(dashboard) == []
    return str(check["reason"])


def test_an_input_that_nobody_states_is_missing(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100)) == "missing_input"


def test_an_input_without_a_value_is_missing(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, None)) == "missing_input"


def test_an_input_that_is_a_stub_is_not_used(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, 40, stub=True)) == "stub"


def test_a_stub_is_not_checked_itself(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, 40), own=figure(PROFIT, 70, stub=True)) == "stub"


def test_an_input_of_another_date_is_not_used(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, 40), date="2026-03-31") == "other_date"


def test_an_input_of_another_period_is_not_used(report: Report) -> None:
    growth = figure("finance.revenue-growth", 70)
    assert not_checkable(report, figure(REVENUE, 100), own=growth) == "other_period"


def test_an_input_without_a_kpi_is_missing_whatever_else_is_stated(report: Report) -> None:
    share = figure("revenue.earned-income-share", 70)
    assert not_checkable(report, figure(REVENUE, 100), own=share) == "missing_input"


def test_inputs_that_contradict_each_other_decide_nothing(report: Report) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(REVENUE, 200), figure(COST, 40)) == "contradictory_inputs"


def test_a_divisor_that_may_be_zero_decides_nothing(report: Report) -> None:
    margin = figure(MARGIN, 70)
    assert not_checkable(report, figure(REVENUE, 0), figure(PROFIT, 1), own=margin) == "division_by_zero"


@pytest.mark.parametrize("value", ["seventy", [1, 2], {"series": []}, True, None])
def test_what_is_no_number_is_not_checked(report: Report, value: Any) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, 40), own=figure(PROFIT, value)) == "not_a_number"


@pytest.mark.parametrize("value", [[1, 2], "40", False])
def test_an_input_that_is_no_number_is_not_used(report: Report, value: Any) -> None:
    assert not_checkable(report, figure(REVENUE, 100), figure(COST, value)) == "not_a_number"


def test_an_input_that_is_stated_twice_counts_where_both_agree(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(REVENUE, 100.4), figure(COST, 40))
    dashboard = report.create(figure(PROFIT, 60))
    revenue = report.check(dashboard)["inputs"][0]
    assert (revenue["low"], revenue["high"]) == ("100.35", "100.45")


def test_of_an_input_on_several_dates_that_of_the_figure_counts(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40), date="2026-03-31")
    report.create(figure(REVENUE, 500), figure(COST, 40), date="2026-06-30")
    dashboard = report.create(figure(PROFIT, 60), date="2026-03-31")
    assert report.check(dashboard)["status"] == "agrees"


def test_figures_without_a_formula_are_not_listed(report: Report) -> None:
    assert report.checks(report.create(figure(REVENUE, 100), figure(None, 1))) == []


# The life of a flag


def test_a_change_of_an_input_flags_the_dashboard_of_the_figure(report: Report) -> None:
    inputs = report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 60))
    assert report.flags(profit) == []
    report.change(inputs, figure(REVENUE, 200), figure(COST, 40))
    assert report.statuses(profit) == ["open"]


def test_a_corrected_figure_ends_its_flag_and_the_same_contradiction_reopens_it(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70, field_id="p"))
    report.change(profit, figure(PROFIT, 60, field_id="p"))
    assert report.statuses(profit) == ["corrected"]
    report.change(profit, figure(PROFIT, 70, field_id="p"))
    assert report.statuses(profit) == ["open"]
    report.change(profit, figure(PROFIT, 80, field_id="p"))
    assert sorted(report.statuses(profit)) == ["corrected", "open"]


def test_a_deleted_input_ends_the_flags_that_it_caused(report: Report) -> None:
    inputs = report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    report.delete(inputs)
    assert report.statuses(profit) == ["corrected"]
    assert report.check(profit)["reason"] == "missing_input"


def test_another_anchor_date_is_another_comparison(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    report.caller.patch(f"{report.path}/{profit}", {"uniform": {"dataAnchorDate": "2026-03-31"}})
    assert report.statuses(profit) == ["corrected"]


def test_a_change_of_another_report_changes_nothing(report: Report, scenario: BoardScenario) -> None:
    profit = report.create(figure(PROFIT, 70))
    Report(scenario).create(figure(REVENUE, 100), figure(COST, 40))
    assert report.flags(profit) == []


# The catalog's formulas


def test_without_the_catalog_a_dashboard_is_saved_and_checked_with_the_next_change(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    kpi.forget(monkeypatch)
    report = Report(scenario)
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    assert report.flags(profit) == []
    assert report.caller.get(f"{report.path}/{profit}/checks").status == 503
    kpi.publish(bucket, kpi.released_text())
    kpi.forget(monkeypatch)
    report.create(figure(REVENUE, 100))
    assert report.statuses(profit) == ["open"]


def test_a_new_release_checks_again(
    report: Report, formulas: S3Client, monkeypatch: pytest.MonkeyPatch, scenario: BoardScenario
) -> None:
    profit = report.create(figure(REVENUE, 100), figure(COST, 40), figure(PROFIT, 60))
    changed = json.loads(kpi.released_text())
    changed["version"] = "9.0.0"
    changed["formulas"][PROFIT]["expression"] = "revenue + cost_of_revenue"
    kpi.publish(formulas, json.dumps(changed))
    assert report.check(profit)["status"] == "agrees"
    kpi.forget(monkeypatch)
    assert report.caller.get(f"{report.path}/{profit}/checks").data["catalogVersion"] == "9.0.0"
    assert report.check(profit)["status"] == "contradicts"
    report.create(figure(REVENUE, 100))
    assert report.statuses(profit) == ["open"]
    assert sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id) == {profit: 1}


# Costs


def calls_of(pool: InlinePool, report: Report, *figures: dict[str, Any]) -> int:
    dashboard = report.create(figure(None, 1))
    with count_store_calls(pool) as calls:
        report.change(dashboard, *figures)
    return len(calls.sequential) + len(calls.concurrent)


def test_no_call_is_added_where_no_figure_has_a_formula(pool: InlinePool, report: Report) -> None:
    for _ in range(3):
        report.create(figure(REVENUE, 100))
    without = calls_of(pool, report, figure(None, 2))
    assert calls_of(pool, report, figure(REVENUE, 100)) == without
    assert calls_of(pool, report, figure(PROFIT, 100)) == without + 1


def test_of_many_dashboards_the_first_are_checked(report: Report) -> None:
    for _ in range(CHECKED_DASHBOARDS):
        report.create(figure(REVENUE, 100))
    profit = report.create(figure(COST, 40), figure(PROFIT, 70))
    assert report.flags(profit) == []
    assert report.check(profit)["status"] == "contradicts"
