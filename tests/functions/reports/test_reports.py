"""The routes of reports."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import BoardScenario
from tests.harness.table_snapshot import TableSnapshot


def create(scenario: BoardScenario, title: str = "Q1") -> Any:
    response = scenario.owner.client.post(f"{scenario.path}/reports", {"title": title})
    assert response.status == 201, response.text
    return response.data


def report_path(scenario: BoardScenario, report: Any) -> str:
    return f"{scenario.path}/reports/{report['id']}"


def set_status(scenario: BoardScenario, report: Any, *statuses: str) -> Any:
    for status in statuses:
        response = scenario.owner.client.patch(report_path(scenario, report), {"status": status})
        assert response.status == 200, response.text
    return response.data


def audited(scenario: BoardScenario) -> list[Any]:
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry["details"] for entry in entries if entry["action"] == "reportStatusChange"]


def test_a_report_has_exactly_the_specified_fields_and_starts_as_a_draft(scenario: BoardScenario) -> None:
    report = create(scenario)
    assert report.keys() == {
        "object", "id", "boardId", "title", "status", "publishedAt", "createdByUserId", "createdAt", "updatedAt",
    }  # fmt: skip
    assert (report["object"], report["status"], report["publishedAt"]) == ("report", "draft", None)
    assert scenario.owner.client.get(report_path(scenario, report)).data == report
    assert scenario.owner.client.all(f"{scenario.path}/reports") == [report]


def test_a_report_is_published_withdrawn_and_finalized_and_never_changes_then(scenario: BoardScenario) -> None:
    report = create(scenario)
    published = set_status(scenario, report, "published")
    assert published["publishedAt"] == published["updatedAt"]
    assert set_status(scenario, report, "draft")["publishedAt"] is None
    final = set_status(scenario, report, "published", "finalized")
    assert final["status"] == "finalized"
    path, owner = report_path(scenario, report), scenario.owner.client
    for body in ({"title": "T"}, {"status": "finalized"}, {"status": "draft"}):
        response = owner.patch(path, body)
        assert (response.failure, response.details) == ((409, "CONFLICT"), {"reason": "REPORT_FINALIZED"})
    assert owner.delete(path).details == {"reason": "REPORT_FINALIZED"}
    changes = [("draft", "published"), ("published", "draft"), ("draft", "published"), ("published", "finalized")]
    assert audited(scenario) == [{"from": old, "to": new} for old, new in changes]


def test_setting_the_same_status_again_changes_nothing(scenario: BoardScenario) -> None:
    report = set_status(scenario, create(scenario), "published")
    before = TableSnapshot()
    assert set_status(scenario, report, "published") == report
    assert before.changes() == {}
    skipped = scenario.owner.client.patch(report_path(scenario, create(scenario)), {"status": "finalized"})
    assert (skipped.failure, skipped.details) == ((409, "CONFLICT"), {"reason": "INVALID_TRANSITION"})


def test_the_list_is_filtered_by_status_and_sorted_by_update(scenario: BoardScenario) -> None:
    first, second, third = (create(scenario, title) for title in "abc")
    set_status(scenario, first, "published")
    listed = scenario.owner.client.all(f"{scenario.path}/reports", limit=1)
    assert [report["id"] for report in listed] == [first["id"], third["id"], second["id"]]
    assert [r["id"] for r in scenario.owner.client.all(f"{scenario.path}/reports", status="published")] == [first["id"]]
    drafts = scenario.owner.client.all(f"{scenario.path}/reports", status="draft", order="asc", limit=1)
    assert [report["id"] for report in drafts] == [second["id"], third["id"]]
    assert scenario.owner.client.all(f"{scenario.path}/reports", status="finalized") == []
    bad = scenario.owner.client.get(f"{scenario.path}/reports", status="archived")
    assert bad.failure == (400, "INVALID_QUERY_PARAMETER")
