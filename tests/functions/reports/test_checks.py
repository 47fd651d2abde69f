"""The checks of figures, and their flags."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.harness import kpi
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client

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
        (only,) = self.checks(dashboard)
        return only

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


# What cannot be checked


def test_figures_without_a_formula_are_not_listed(report: Report) -> None:
    assert report.checks(report.create(figure(REVENUE, 100), figure(None, 1))) == []


# The life of a flag


def test_a_corrected_figure_ends_its_flag_and_the_same_contradiction_reopens_it(report: Report) -> None:
    inputs = report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 60))
    assert report.flags(profit) == []
    report.change(inputs, figure(REVENUE, 200), figure(COST, 40))
    assert report.statuses(profit) == ["open"]
    report.change(inputs, figure(REVENUE, 100), figure(COST, 40))
    assert report.statuses(profit) == ["corrected"]
    report.change(inputs, figure(REVENUE, 200), figure(COST, 40))
    assert report.statuses(profit) == ["open"]
    report.change(inputs, figure(REVENUE, 300), figure(COST, 40))
    assert sorted(report.statuses(profit)) == ["corrected", "open"]


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
