"""Who may edit a dashboard: granting and revoking the right, what it permits, and who is told."""

from __future__ import annotations

from typing import Any

from tests.functions.dashboards.rights import create, grant, hand_over, leave, may_edit
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import stored_events

FIELD = {"fieldId": "arr", "isStub": False, "label": "ARR", "displayOrder": 1, "value": 1}


def test_a_dashboard_is_shown_with_its_owner_and_editors_and_keeps_its_own_fields(
    scenario: BoardScenario, dashboard: str
) -> None:
    before = scenario.owner.client.get(dashboard)
    guest = scenario.member("guest", access_type="guest")
    granted = grant(scenario.owner, dashboard, guest)
    assert granted.status == 200
    (editor,) = granted.data["editors"]
    assert granted.data == {
        "object": "dashboard_access",
        "dashboardId": before.data["id"],
        "ownerUserId": scenario.owner.id,
        "editors": [{"userId": guest.id, "grantedByUserId": scenario.owner.id, "grantedAt": editor["grantedAt"]}],
    }
    shown = guest.client.get(f"{dashboard}/access")
    assert shown.data == granted.data
    assert (
        guest.client.call("GET", f"{dashboard}/access", headers={"If-None-Match": shown.headers["etag"]}).status == 304
    )
    after = scenario.owner.client.get(dashboard)
    assert (after.data, after.headers["etag"]) == (before.data, before.headers["etag"])


def test_an_editor_changes_title_and_content_and_asks_for_reviews_and_nothing_else(
    scenario: BoardScenario, report: str, dashboard: str
) -> None:
    guest = scenario.member("guest", access_type="guest")
    assert not may_edit(guest, dashboard)
    grant(scenario.owner, dashboard, guest)
    assert may_edit(guest, dashboard)
    edited = guest.client.patch(dashboard, {"uniform": {"fields": [FIELD], "reviewStatus": "ready_for_review"}})
    assert (edited.status, edited.data["uniform"]["reviewStatus"]) == (200, "ready_for_review")
    refused: tuple[tuple[str, str, Any], ...] = (
        ("PATCH", dashboard, {"latestVersionId": "v2"}),
        ("PATCH", dashboard, {"uniform": {"reviewStatus": "internally_reviewed"}}),
        ("DELETE", dashboard, None),
        ("POST", f"{report}/dashboards", {"dashboardType": "uniform"}),
        ("PATCH", report, {"title": "Mine"}),
        ("PUT", f"{dashboard}/access/{scenario.owner.id}", None),
        ("POST", f"{dashboard}/ownership-transfer", {"userId": guest.id}),
        ("PATCH", create(scenario.owner.client, report), {"title": "Another"}),
    )
    for method, path, body in refused:
        assert guest.client.call(method, path, body).status == 403, (method, path)
    assert scenario.owner.client.delete(f"{dashboard}/access/{guest.id}").data == {"deleted": True}
    assert not may_edit(guest, dashboard)


def test_a_change_that_is_left_to_managers_is_refused_before_the_state_of_the_report(
    scenario: BoardScenario, report: str, dashboard: str
) -> None:
    guest = scenario.member("guest", access_type="guest")
    grant(scenario.owner, dashboard, guest)
    for status in ("published", "finalized"):
        assert scenario.owner.client.patch(report, {"status": status}).status == 200
    assert guest.client.patch(dashboard, {"latestVersionId": "v2"}).status == 403
    assert guest.client.patch(dashboard, {"title": "T"}).details == {"reason": "REPORT_FINALIZED"}


def test_a_right_that_is_given_again_is_no_event(scenario: BoardScenario, dashboard: str) -> None:
    ben = scenario.member("ben")
    first, again = (grant(scenario.owner, dashboard, ben) for _ in range(2))
    assert (again.status, again.data) == (200, first.data)
    assert len(stored_events(scenario, "dashboard.access_granted")) == 1
    assert grant(scenario.owner, dashboard, scenario.owner).details == {"reason": "NOT_NEEDED"}
    handed, repeated = (hand_over(scenario.owner, dashboard, ben) for _ in range(2))
    assert repeated.data == handed.data
    assert len(stored_events(scenario, "dashboard.ownership_transferred")) == 1


def test_a_right_is_not_given_to_a_member_who_leaves_meanwhile(scenario: BoardScenario, dashboard: str) -> None:
    ben = scenario.member("ben")
    with meanwhile(lambda: leave(scenario, ben)):
        assert grant(scenario.owner, dashboard, ben).status == 404
