"""The routes of dashboards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.limits import (
    DASHBOARD_BYTES,
    DASHBOARD_FIELDS,
    DASHBOARDS_PAGE_BYTES,
)
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.store_calls import InlinePool, count_store_calls

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
    assert create(owner, report)["uniform"] == EMPTY
    for uniform in (None, {}, dict.fromkeys(EMPTY)):
        assert create(owner, report, uniform=uniform)["uniform"] == EMPTY
    history = create(owner, report, dashboardType="historicalFundraising")
    assert history["uniform"] is None
    body = {"dashboardType": "historicalFundraising", "uniform": {}}
    assert list(owner.post(f"{report}/dashboards", body).fields) == ["uniform"]
    assert list(owner.patch(dashboard_path(report, history), {"uniform": {"narrative": "N"}}).fields) == ["uniform"]
    assert owner.patch(dashboard_path(report, history), {"uniform": None, "title": "Rounds"}).data["uniform"] is None


def field(**members: Any) -> dict[str, Any]:
    return {"uniform": {"fields": [{**FIELD, **members}]}}


def fields(number: int) -> dict[str, Any]:
    return {"uniform": {"fields": [{**FIELD, "fieldId": str(place)} for place in range(number)]}}


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": " "}, ["title"]),
        ({"dashboardType": "other", "reportId": "x"}, ["dashboardType", "reportId"]),
        ({"uniform": {"reviewStatus": "ready_for_review"}}, ["uniform.reviewStatus"]),
        ({"uniform": {"isAdHoc": 1, "narrative": 2, "x": 3}}, ["uniform.isAdHoc", "uniform.narrative", "uniform.x"]),
        *[({"uniform": {"dataAnchorDate": bad}}, ["uniform.dataAnchorDate"])
          for bad in ("2027-02-29", "20270228", "2027-2-28", "2027-02-28T00:00:00Z", "0000-01-01", 20270228)],
        (fields(DASHBOARD_FIELDS), []),
        (fields(DASHBOARD_FIELDS + 1), ["uniform.fields"]),
        ({"uniform": {"fields": [FIELD, FIELD]}}, ["uniform.fields"]),
        (field(rogueId=None, value=None, widget=None), []),
        (field(rogueId="finance.no-such-thing"), ["uniform.fields.0.rogueId"]),
        (field(isStub="no", label=None), ["uniform.fields.0.isStub", "uniform.fields.0.label"]),
        ({"uniform": {"fields": [{}]}},
         [f"uniform.fields.0.{member}" for member in ("displayOrder", "fieldId", "isStub", "label")]),
    ],
)  # fmt: skip
def test_a_body_is_accepted_or_names_what_is_wrong(
    scenario: BoardScenario, report: str, body: dict[str, Any], faults: list[str]
) -> None:
    response = scenario.owner.client.post(f"{report}/dashboards", {"dashboardType": "uniform", **body})
    assert response.status == (400 if faults else 201), response.text
    if faults:
        assert sorted(response.fields) == faults


def test_any_json_value_is_returned_unchanged(scenario: BoardScenario, report: str) -> None:
    values = [0, -0.5, 1e300, 10**40, "", 'é\u2028"\\', [], {}, [[{"a": [None, False]}]], "\t"]
    sent = [{**FIELD, "fieldId": str(place), "value": value} for place, value in enumerate(values)]
    dashboard = create(scenario.owner.client, report, uniform={"fields": sent})
    assert scenario.owner.client.get(dashboard_path(report, dashboard)).data["uniform"]["fields"] == sent


def test_managers_write_and_members_read(scenario: BoardScenario, report: str) -> None:
    ben, guest = scenario.member("ben").client, scenario.member("gil", access_type="guest").client
    manager = scenario.member("mona", access_type="manager").client
    path = dashboard_path(report, create(manager, report))
    assert scenario.token().patch(path, {"title": "T"}).data["title"] == "T"
    for caller in (ben, guest, scenario.token("read_only")):
        assert caller.get(path).status == 200
        assert caller.post(f"{report}/dashboards", {"dashboardType": "uniform"}).failure == (403, "FORBIDDEN")
        assert caller.patch(path, {"uniform": {"reviewStatus": "ready_for_review"}}).failure == (403, "FORBIDDEN")
        assert caller.delete(path).failure == (403, "FORBIDDEN")
    assert manager.delete(path).data == {"deleted": True}
    assert manager.get(path).failure == (404, "RESOURCE_NOT_FOUND")


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
    for body in ({"uniform": None}, {"uniform": {"fields": None}}, {"dashboardType": "uniform"}):
        assert owner.patch(path, body).failure == (400, "INVALID_REQUEST_BODY")
    entries = owner.get(f"/api/auditlog/{scenario.board_id}").json
    reviews = [entry["details"] for entry in entries if entry["action"] == "dashboardReviewStatusChange"]
    assert reviews == [{"from": "working", "to": "ready_for_review"}]


def test_dashboards_of_a_finalized_report_cannot_be_changed(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    path = dashboard_path(report, create(owner, report))
    for status in ("published", "finalized"):
        owner.patch(report, {"status": status})
    refusals = [
        owner.patch(path, {"title": "T"}),
        owner.patch(path, {"uniform": {"reviewStatus": "working"}}),
        owner.delete(path),
        owner.post(f"{report}/dashboards", {"dashboardType": "uniform"}),
    ]
    for response in refusals:
        assert (response.failure, response.details) == ((409, "CONFLICT"), {"reason": "REPORT_FINALIZED"})
    assert owner.get(path).status == 200


def test_dashboards_of_a_deleted_report_are_404(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    path = dashboard_path(report, create(owner, report))
    owner.delete(report)
    for response in (owner.get(path), owner.get(f"{report}/dashboards"), owner.patch(path, {"title": "T"})):
        assert response.failure == (404, "RESOURCE_NOT_FOUND")


def test_a_dashboard_is_found_only_under_its_own_report(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    other = f"{scenario.path}/reports/{owner.post(f'{scenario.path}/reports', {'title': 'Q2'}).data['id']}"
    assert owner.get(dashboard_path(other, create(owner, report))).failure == (404, "RESOURCE_NOT_FOUND")
    assert owner.all(f"{other}/dashboards") == []


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
    swollen = json.dumps({"dashboardType": "uniform", **field(value="swollen")})
    swollen = swollen.replace('"swollen"', "[" + ",".join(["1e15"] * 50_000) + "]")
    assert list(owner.call("POST", f"{report}/dashboards", raw=swollen).fields) == ["uniform"]
    over = owner.post(f"{report}/dashboards", {"dashboardType": "uniform", "uniform": {"narrative": "n" * 262_144}})
    assert over.failure == (413, "PAYLOAD_TOO_LARGE")


def test_large_dashboards_are_split_into_pages_without_loss(scenario: BoardScenario, report: str) -> None:
    owner = scenario.owner.client
    made = [create(owner, report, uniform={"narrative": "n" * 250_000})["id"] for _ in range(13)]
    pages = list(owner.pages(f"{report}/dashboards", limit=100))
    assert [dashboard["id"] for page in pages for dashboard in page] == made[::-1]
    assert [len(page) for page in pages] == [11, 2]
    assert all(sum(len(d["uniform"]["narrative"]) for d in page) <= DASHBOARDS_PAGE_BYTES for page in pages)


def test_each_route_makes_no_more_round_trips_than_these(
    scenario: BoardScenario, report: str, pool: InlinePool
) -> None:
    path = dashboard_path(report, create(scenario.owner.client, report))

    def sequential(method: str, path: str, body: Any = None) -> list[str]:
        with count_store_calls(pool) as calls:
            assert scenario.owner.client.call(method, path, body).status in {200, 201}
        return calls.sequential

    write = ["BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", path) == ["BatchGetItem"]
    assert sequential("GET", f"{report}/dashboards") == ["BatchGetItem", "BatchGetItem"]
    assert sequential("POST", f"{report}/dashboards", {"dashboardType": "uniform"}) == write
    assert sequential("PATCH", path, {"title": "T"}) == write
    assert sequential("DELETE", path) == write


def test_a_payload_without_changes_is_refused_like_an_empty_body(scenario: BoardScenario) -> None:
    report = (
        f"{scenario.path}/reports/" + scenario.owner.client.post(f"{scenario.path}/reports", {"title": "R"}).data["id"]
    )
    made = scenario.owner.client.post(f"{report}/dashboards", {"dashboardType": "uniform"}).data["id"]
    refused = scenario.owner.client.patch(f"{report}/dashboards/{made}", {"title": "Other", "uniform": {}})
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    assert refused.fields == {"uniform": "must have at least one field"}
    assert scenario.owner.client.patch(f"{report}/dashboards/{made}", {}).fields.keys() == {"body"}
