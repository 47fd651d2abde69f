"""The routes of dashboards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.limits import DASHBOARD_BYTES
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client

KPI = "customers.active-customers"
FIELD = {
    "fieldId": "arr",
    "rogueId": KPI,
    "isStub": False,
    "label": "ARR",
    "displayOrder": 1.5,
    "value": {"amount": 12.5, "series": [1, None, "x", True]},
    "widget": {"type": "chart", "options": {"y_axis": {"min": 0}}},
}
EMPTY = {
    "sourceSectionName": "",
    "isAdHoc": False,
    "reviewStatus": "working",
    "narrative": None,
    "dataAnchorDate": None,
    "fields": [],
}


def create(caller: Client, report: str, **body: Any) -> Any:
    response = caller.post(f"{report}/dashboards", {"dashboardType": "uniform", **body})
    assert response.status == 201, response.text
    return response.data


def dashboard_path(report: str, dashboard: Any) -> str:
    return f"{report}/dashboards/{dashboard['id']}"


def test_a_dashboard_has_exactly_the_specified_fields(scenario: BoardScenario, report: str) -> None:
    given = {
        **EMPTY,
        "sourceSectionName": "Finance",
        "isAdHoc": True,
        "dataAnchorDate": "2028-02-29",
        "fields": [FIELD],
    }
    dashboard = create(scenario.owner.client, report, title="Money", uniform=given)
    assert dashboard.keys() == {
        "object", "id", "boardId", "reportId", "dashboardType", "title", "latestVersionId", "createdByUserId",
        "createdAt", "updatedAt", "uniform",
    }  # fmt: skip
    assert dashboard["uniform"] == given
    assert dashboard["reportId"] == report.rsplit("/", 1)[1]
    assert scenario.owner.client.get(dashboard_path(report, dashboard)).data == dashboard
    assert scenario.owner.client.all(f"{report}/dashboards") == [dashboard]


def test_the_default_payload_is_empty_and_a_history_has_none(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    for uniform in (None, {}, dict.fromkeys(EMPTY)):
        assert create(owner, report, uniform=uniform)["uniform"] == EMPTY
    history = create(owner, report, dashboardType="historicalFundraising")
    assert history["uniform"] is None
    assert list(owner.patch(dashboard_path(report, history), {"uniform": {"narrative": "N"}}).fields) == ["uniform"]
    assert owner.patch(dashboard_path(report, history), {"uniform": None, "title": "Rounds"}).data["uniform"] is None


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": "T", "uniform": {}}, ["uniform"]),
        ({"uniform": None}, ["uniform"]),
        ({"uniform": {"fields": None}}, ["uniform.fields"]),
        ({"dashboardType": "uniform"}, ["dashboardType"]),
    ],
)
def test_a_change_of_nothing_and_the_change_of_a_type_are_refused(
    scenario: BoardScenario, report: str, body: dict[str, Any], faults: list[str]
) -> None:
    path = dashboard_path(report, create(scenario.owner.client, report))
    refused = scenario.owner.client.patch(path, body)
    assert (refused.failure, [*refused.fields]) == ((400, "INVALID_REQUEST_BODY"), faults)


def test_a_patch_merges_the_payload_and_records_the_review(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    dashboard = create(owner, report, uniform={"narrative": "N", "fields": [FIELD]})
    path = dashboard_path(report, dashboard)
    reviewed = owner.patch(path, {"uniform": {"reviewStatus": "ready_for_review"}}).data
    assert reviewed["uniform"] == {**dashboard["uniform"], "reviewStatus": "ready_for_review"}
    assert owner.patch(path, {"uniform": {"reviewStatus": "ready_for_review"}}).data == reviewed
    wrong = owner.patch(path, {"uniform": {"reviewStatus": "working"}, "title": "T"})
    assert (wrong.failure, wrong.details) == ((409, "CONFLICT"), {"reason": "INVALID_TRANSITION"})
    assert owner.get(path).data == reviewed
    cleared = owner.patch(path, {"uniform": {"fields": [], "narrative": None}}).data["uniform"]
    assert cleared == {**EMPTY, "reviewStatus": "ready_for_review"}
    entries = owner.get(f"/api/auditlog/{scenario.board_id}").json
    reviews = [entry["details"] for entry in entries if entry["action"] == "dashboardReviewStatusChange"]
    assert reviews == [{"from": "working", "to": "ready_for_review"}]


def test_the_list_is_filtered_by_type_and_sorted_by_update(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    made = [create(owner, report, dashboardType=kind) for kind in ("uniform", "historicalFundraising", "uniform")]
    first, history, last = made
    assert owner.all(f"{report}/dashboards", limit=1) == [last, history, first]
    assert owner.all(f"{report}/dashboards", dashboardType="uniform", limit=1, order="asc") == [first, last]
    assert owner.all(f"{report}/dashboards", dashboardType="historicalFundraising") == [history]
    bad = owner.get(f"{report}/dashboards", dashboardType="pie")
    assert bad.failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_payload_too_large_for_the_store_is_refused(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    dashboard = create(owner, report, uniform={"narrative": "n" * 200_000})
    table = [{**FIELD, "value": "v" * 200_000}]
    response = owner.patch(dashboard_path(report, dashboard), {"uniform": {"fields": table}})
    assert response.fields == {"uniform": f"must not make the dashboard larger than {DASHBOARD_BYTES} bytes"}
    # The request has 250 KB. The store writes the numbers without exponents, which would double the size.
    body = {"dashboardType": "uniform", "uniform": {"fields": [{**FIELD, "value": "swollen"}]}}
    swollen = json.dumps(body).replace('"swollen"', "[" + ",".join(["1e15"] * 50_000) + "]")
    assert list(owner.call("POST", f"{report}/dashboards", raw=swollen).fields) == ["uniform"]
