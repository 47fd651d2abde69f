"""A published report with two dashboards (key figures from the catalog, fundraising history), and a draft report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.models.base import Body
from governance.models.dashboard import DashboardCreate, DashboardPatch
from governance.models.report import ReportCreate, ReportPatch
from governance.usecases import dashboards, reports
from infra.local.demo.boards import NORTHWIND
from infra.local.demo.scenario import Scenario

_EURO, _BARS = {"currency": "EUR"}, {"kind": "bar", "unit": "thousand EUR"}
_QUARTERS = ("2025-Q2", "2025-Q3", "2025-Q4", "2026-Q1", "2026-Q2", "2026-Q3")


def _points(*values: float) -> list[dict[str, Any]]:
    return [{"period": period, "value": value} for period, value in zip(_QUARTERS, values, strict=True)]


_ARR = {
    "series": [
        {"name": "Plan", "points": _points(3_000_000, 3_350_000, 3_700_000, 4_100_000, 4_500_000, 4_900_000)},
        {"name": "Actual", "points": _points(2_940_000, 3_280_000, 3_810_000, 4_190_000, 4_470_000, 4_820_000)},
    ]
}
_REGIONS = {"columns": ["Region", "Customers", "Net new"], "rows": [["North", 120, 9], ["South", 92, 4]]}
# catalog id, label, value, widget type, options of the widget
_FIGURES: tuple[tuple[str, str, Any, str, dict[str, str]], ...] = (
    ("revenue.arr", "ARR", 4_820_000, "currency", _EURO),
    ("revenue.net-revenue-retention", "Net revenue retention", 1.12, "percent", {}),
    ("finance.gross-margin", "Gross margin", 0.71, "percent", {}),
    ("finance.cash-balance", "Cash", 6_150_000, "currency", _EURO),
    ("finance.net-burn", "Net burn", 310_000, "currency", _EURO),
    ("finance.runway", "Runway", 19.8, "number", {"unit": "months"}),
    ("finance.burn-multiple", "Burn multiple", 1.4, "number", {}),
    ("sales.win-rate", "Win rate", 0.27, "percent", {}),
    ("customers.active-customers", "Active customers", 212, "number", {}),
    ("customers.customer-churn-rate", "Churn", 0.018, "percent", {}),
    ("people.headcount", "Headcount", 64, "number", {}),
    ("product.uptime", "Uptime", 0.9994, "percent", {}),
    ("revenue.arr", "ARR by quarter", _ARR, "chart", _EURO),
    ("finance.net-burn", "Net burn by quarter", _points(420, 405, 390, 372, 338, 310), "chart", _BARS),
    ("customers.active-customers", "Customers by region", _REGIONS, "table", {}),
)


def seed(scenario: Scenario) -> None:
    """Creates the published report of the third quarter and the draft of the fourth."""
    quarter = _call(scenario, 20, reports.create_report, ReportCreate(title="Third quarter"))
    uniform = {
        "sourceSectionName": "Key figures",
        "narrative": "Growth held while burn came down; hiring waits for the next quarter.",
        "dataAnchorDate": scenario.ago(days=30)[:10],
        "fields": [_field(order, *figure) for order, figure in enumerate(_FIGURES, 1)],
    }
    body = {"dashboardType": "uniform", "title": "Key figures", "uniform": uniform}
    figures = _call(
        scenario, 18, dashboards.create_dashboard, DashboardCreate.model_validate(body), reportId=quarter.id
    )
    history = DashboardCreate.model_validate({"dashboardType": "historicalFundraising", "title": "Rounds so far"})
    _call(scenario, 17, dashboards.create_dashboard, history, reportId=quarter.id)
    for days, status in ((16, "ready_for_review"), (15, "internally_reviewed")):
        review = DashboardPatch.model_validate({"uniform": {"reviewStatus": status}})
        _call(scenario, days, dashboards.update_dashboard, review, reportId=quarter.id, dashboardId=figures.id)
    _call(scenario, 14, reports.update_report, ReportPatch(status="published"), reportId=quarter.id)
    _call(scenario, 2, reports.create_report, ReportCreate(title="Fourth quarter"))


def _field(
    order: int, rogue_id: str, label: str, value: Any, widget: str, options: Mapping[str, str]
) -> dict[str, Any]:
    slug = rogue_id.partition(".")[2]
    name = slug if widget in {"number", "currency", "percent"} else f"{slug}-{widget}"
    field = {"fieldId": name, "rogueId": rogue_id, "isStub": False, "label": label}
    return {**field, "displayOrder": order, "value": value, "widget": {"type": widget, "options": dict(options)}}


def _call(scenario: Scenario, days: int, usecase: Any, body: Body, **params: str) -> Any:
    return scenario.call(
        "maya", usecase, body, at=scenario.ago(days=days), boardId=scenario.boards[NORTHWIND], **params
    )
