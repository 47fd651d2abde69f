"""Dashboards through their routes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.limits import (
    DASHBOARD_BYTES,
    DASHBOARD_FIELDS,
    DASHBOARD_TITLE,
    DASHBOARDS_PAGE_BYTES,
    FIELD_ID,
    FIELD_LABEL,
    ORDER_MAGNITUDE,
    SECTION_NAME,
)
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Client
from tests.harness.world import World

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


@pytest.fixture
def report(world: World) -> str:
    """The path of a report."""
    return f"{world.path}/reports/{world.owner.client.post(f'{world.path}/reports', {'title': 'Q1'}).data['id']}"


def create(caller: Client, report: str, **body: Any) -> Any:
    answer = caller.post(f"{report}/dashboards", {"dashboardType": "uniform", **body})
    assert answer.status == 201, answer.text
    return answer.data


def at(report: str, dashboard: Any) -> str:
    return f"{report}/dashboards/{dashboard['id']}"


def test_a_dashboard_has_exactly_the_members_of_the_specification(world: World, report: str) -> None:
    given = {
        **EMPTY,
        "sourceSectionName": "Finance",
        "isAdHoc": True,
        "dataAnchorDate": "2028-02-29",
        "fields": [FIELD],
    }
    dashboard = create(world.owner.client, report, title="Money", uniform=given)
    assert dashboard.keys() == {
        "object", "id", "boardId", "reportId", "dashboardType", "title", "latestVersionId", "createdByUserId",
        "createdAt", "updatedAt", "uniform",
    }  # fmt: skip
    assert dashboard["uniform"] == given
    assert dashboard["reportId"] == report.rsplit("/", 1)[1]
    assert world.owner.client.get(at(report, dashboard)).data == dashboard
    assert world.owner.client.all(f"{report}/dashboards") == [dashboard]


def test_without_a_payload_there_is_the_empty_one_and_a_history_has_none(world: World, report: str) -> None:
    owner = world.owner.client
    assert create(owner, report)["uniform"] == EMPTY
    for uniform in (None, {}, dict.fromkeys(EMPTY)):
        assert create(owner, report, uniform=uniform)["uniform"] == EMPTY
    history = create(owner, report, dashboardType="historicalFundraising")
    assert history["uniform"] is None
    body = {"dashboardType": "historicalFundraising", "uniform": {}}
    assert list(owner.post(f"{report}/dashboards", body).fields) == ["uniform"]
    assert list(owner.patch(at(report, history), {"uniform": {"narrative": "N"}}).fields) == ["uniform"]
    assert owner.patch(at(report, history), {"uniform": None, "title": "Rounds"}).data["uniform"] is None


def field(**members: Any) -> dict[str, Any]:
    return {"uniform": {"fields": [{**FIELD, **members}]}}


def fields(number: int) -> dict[str, Any]:
    return {"uniform": {"fields": [{**FIELD, "fieldId": str(place)} for place in range(number)]}}


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": "x" * DASHBOARD_TITLE}, []),
        ({"title": "x" * (DASHBOARD_TITLE + 1)}, ["title"]),
        ({"title": " "}, ["title"]),
        ({"dashboardType": "other", "reportId": "x"}, ["dashboardType", "reportId"]),
        ({"uniform": {"reviewStatus": "ready_for_review"}}, ["uniform.reviewStatus"]),
        ({"uniform": {"isAdHoc": 1, "narrative": 2, "x": 3}}, ["uniform.isAdHoc", "uniform.narrative", "uniform.x"]),
        ({"uniform": {"sourceSectionName": "x" * SECTION_NAME}}, []),
        ({"uniform": {"sourceSectionName": "x" * (SECTION_NAME + 1)}}, ["uniform.sourceSectionName"]),
        *[({"uniform": {"dataAnchorDate": bad}}, ["uniform.dataAnchorDate"])
          for bad in ("2027-02-29", "20270228", "2027-2-28", "2027-02-28T00:00:00Z", "0000-01-01", 20270228)],
        (fields(DASHBOARD_FIELDS), []),
        (fields(DASHBOARD_FIELDS + 1), ["uniform.fields"]),
        ({"uniform": {"fields": [FIELD, FIELD]}}, ["uniform.fields"]),
        (field(rogueId=None, value=None, widget=None), []),
        (field(rogueId="finance.no-such-thing"), ["uniform.fields.0.rogueId"]),
        (field(isStub="no", label=None), ["uniform.fields.0.isStub", "uniform.fields.0.label"]),
        (field(fieldId="x" * FIELD_ID, label="x" * FIELD_LABEL, displayOrder=-ORDER_MAGNITUDE), []),
        (field(fieldId="x" * (FIELD_ID + 1)), ["uniform.fields.0.fieldId"]),
        (field(label="x" * (FIELD_LABEL + 1)), ["uniform.fields.0.label"]),
        (field(displayOrder=ORDER_MAGNITUDE + 1), ["uniform.fields.0.displayOrder"]),
        (field(displayOrder=True), ["uniform.fields.0.displayOrder"]),
        (field(displayOrder="1"), ["uniform.fields.0.displayOrder"]),
        (field(widget={"type": "pie", "options": {}}), ["uniform.fields.0.widget.type"]),
        (field(widget={"type": "text", "options": []}), ["uniform.fields.0.widget.options"]),
        (field(widget={"type": "text", "options": {}, "x": 1}), ["uniform.fields.0.widget.x"]),
        (field(surplus=1), ["uniform.fields.0.surplus"]),
        ({"uniform": {"fields": [{}]}},
         [f"uniform.fields.0.{member}" for member in ("displayOrder", "fieldId", "isStub", "label")]),
    ],
)  # fmt: skip
def test_a_body_at_and_over_each_limit(world: World, report: str, body: dict[str, Any], faults: list[str]) -> None:
    answer = world.owner.client.post(f"{report}/dashboards", {"dashboardType": "uniform", **body})
    assert answer.status == (400 if faults else 201), answer.text
    if faults:
        assert sorted(answer.fields) == faults


def test_any_json_value_comes_back_as_it_was_sent(world: World, report: str) -> None:
    values = [0, -0.5, 1e300, 10**40, "", 'é\u2028"\\', [], {}, [[{"a": [None, False]}]], "\t"]
    sent = [{**FIELD, "fieldId": str(place), "value": value} for place, value in enumerate(values)]
    dashboard = create(world.owner.client, report, uniform={"fields": sent})
    assert world.owner.client.get(at(report, dashboard)).data["uniform"]["fields"] == sent


def test_managers_write_and_everybody_reads(world: World, report: str) -> None:
    ben, guest = world.member("ben").client, world.member("gil", access_type="guest").client
    manager = world.member("mona", access_type="manager").client
    path = at(report, create(manager, report))
    assert world.token().patch(path, {"title": "T"}).data["title"] == "T"
    for caller in (ben, guest, world.token("read_only")):
        assert caller.get(path).status == 200
        assert caller.post(f"{report}/dashboards", {"dashboardType": "uniform"}).failure == (403, "FORBIDDEN")
        assert caller.patch(path, {"uniform": {"reviewStatus": "ready_for_review"}}).failure == (403, "FORBIDDEN")
        assert caller.delete(path).failure == (403, "FORBIDDEN")
    assert manager.delete(path).data == {"deleted": True}
    assert manager.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_patch_merges_the_payload_and_records_the_review(world: World, report: str) -> None:
    owner = world.owner.client
    dashboard = create(owner, report, uniform={"narrative": "N", "fields": [FIELD]})
    path = at(report, dashboard)
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
    entries = owner.get(f"/api/auditlog/{world.board_id}").json
    reviews = [entry["details"] for entry in entries if entry["action"] == "dashboardReviewStatusChange"]
    assert reviews == [{"from": "working", "to": "ready_for_review"}]


def test_a_finalized_report_keeps_its_dashboards_as_they_are(world: World, report: str) -> None:
    owner = world.owner.client
    path = at(report, create(owner, report))
    for status in ("published", "finalized"):
        owner.patch(report, {"status": status})
    refusals = [
        owner.patch(path, {"title": "T"}),
        owner.patch(path, {"uniform": {"reviewStatus": "working"}}),
        owner.delete(path),
        owner.post(f"{report}/dashboards", {"dashboardType": "uniform"}),
    ]
    for answer in refusals:
        assert (answer.failure, answer.details) == ((409, "CONFLICT"), {"reason": "REPORT_FINALIZED"})
    assert owner.get(path).status == 200


def test_a_deleted_reports_dashboards_are_out_of_reach(world: World, report: str) -> None:
    owner = world.owner.client
    path = at(report, create(owner, report))
    owner.delete(report)
    for answer in (owner.get(path), owner.get(f"{report}/dashboards"), owner.patch(path, {"title": "T"})):
        assert answer.failure == (404, "RESOURCE_NOT_FOUND")


def test_a_dashboard_is_under_its_own_report_only(world: World, report: str) -> None:
    owner = world.owner.client
    other = f"{world.path}/reports/{owner.post(f'{world.path}/reports', {'title': 'Q2'}).data['id']}"
    assert owner.get(at(other, create(owner, report))).failure == (404, "RESOURCE_NOT_FOUND")
    assert owner.all(f"{other}/dashboards") == []


def test_the_list_by_type_and_update(world: World, report: str) -> None:
    owner = world.owner.client
    made = [create(owner, report, dashboardType=kind) for kind in ("uniform", "historicalFundraising", "uniform")]
    first, history, last = made
    assert owner.all(f"{report}/dashboards", limit=1) == [last, history, first]
    assert owner.all(f"{report}/dashboards", dashboardType="uniform", limit=1, order="asc") == [first, last]
    assert owner.all(f"{report}/dashboards", dashboardType="historicalFundraising") == [history]
    bad = owner.get(f"{report}/dashboards", dashboardType="pie")
    assert bad.failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_payload_that_outgrows_the_store_is_refused_before_it_does(world: World, report: str) -> None:
    owner = world.owner.client
    dashboard = create(owner, report, uniform={"narrative": "n" * 200_000})
    table = [{**FIELD, "value": "v" * 200_000}]
    answer = owner.patch(at(report, dashboard), {"uniform": {"fields": table}})
    assert answer.fields == {"uniform": f"must not make the dashboard larger than {DASHBOARD_BYTES} bytes"}
    # Sent in 250 KB; spelled as the numbers are, without their exponents, it would be twice that.
    swollen = json.dumps({"dashboardType": "uniform", **field(value="swollen")})
    swollen = swollen.replace('"swollen"', "[" + ",".join(["1e15"] * 50_000) + "]")
    assert list(owner.call("POST", f"{report}/dashboards", raw=swollen).fields) == ["uniform"]
    over = owner.post(f"{report}/dashboards", {"dashboardType": "uniform", "uniform": {"narrative": "n" * 262_144}})
    assert over.failure == (413, "PAYLOAD_TOO_LARGE")


def test_a_page_of_large_dashboards_fits_one_answer_and_none_is_lost(world: World, report: str) -> None:
    owner = world.owner.client
    made = [create(owner, report, uniform={"narrative": "n" * 250_000})["id"] for _ in range(13)]
    pages = list(owner.pages(f"{report}/dashboards", limit=100))
    assert [dashboard["id"] for page in pages for dashboard in page] == made[::-1]
    assert [len(page) for page in pages] == [11, 2]
    assert all(sum(len(d["uniform"]["narrative"]) for d in page) <= DASHBOARDS_PAGE_BYTES for page in pages)


def test_the_round_trips_of_each_route(world: World, report: str, pool: InlinePool) -> None:
    path = at(report, create(world.owner.client, report))

    def sequential(method: str, path: str, body: Any = None) -> list[str]:
        with counted(pool) as calls:
            assert world.owner.client.call(method, path, body).status in {200, 201}
        return calls.sequential

    write = ["BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", path) == ["BatchGetItem"]
    assert sequential("GET", f"{report}/dashboards") == ["BatchGetItem", "BatchGetItem"]
    assert sequential("POST", f"{report}/dashboards", {"dashboardType": "uniform"}) == write
    assert sequential("PATCH", path, {"title": "T"}) == write
    assert sequential("DELETE", path) == write


def test_a_payload_that_changes_nothing_is_refused_like_an_empty_body(world: World) -> None:
    report = f"{world.path}/reports/" + world.owner.client.post(f"{world.path}/reports", {"title": "R"}).data["id"]
    made = world.owner.client.post(f"{report}/dashboards", {"dashboardType": "uniform"}).data["id"]
    refused = world.owner.client.patch(f"{report}/dashboards/{made}", {"title": "Other", "uniform": {}})
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    assert refused.fields == {"uniform": "must name at least one member"}
    assert world.owner.client.patch(f"{report}/dashboards/{made}", {}).fields.keys() == {"body"}
