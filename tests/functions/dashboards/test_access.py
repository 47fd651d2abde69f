"""Who may edit a dashboard: granting and revoking the right, what it permits, and who is told."""

from __future__ import annotations

from typing import Any

from governance.limits import DASHBOARD_EDITORS
from tests.functions.dashboards.rights import create, editors_of, grant, hand_over, leave, may_edit
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import stored_events
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTES_BY_NAME
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.stream import event_records, process_records

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
    for body in (
        {"latestVersionId": "v2"},
        {"uniform": {"reviewStatus": "internally_reviewed"}},
        {"uniform": {"reviewStatus": "changes_requested"}},
    ):
        assert guest.client.patch(dashboard, body).status == 403
    refused: tuple[tuple[str, str, Any], ...] = (
        ("DELETE", dashboard, None),
        ("POST", f"{report}/dashboards", {"dashboardType": "uniform"}),
        ("PATCH", report, {"title": "Mine"}),
        ("PUT", f"{dashboard}/access/{scenario.owner.id}", None),
        ("POST", f"{dashboard}/ownership-transfer", {"userId": guest.id}),
        ("PATCH", create(scenario.owner.client, report), {"title": "Another"}),
    )
    for method, path, body in refused:
        assert guest.client.call(method, path, body).status == 403, (method, path)


def test_an_editor_keeps_the_review_status_that_a_manager_set(scenario: BoardScenario, dashboard: str) -> None:
    guest = scenario.member("guest", access_type="guest")
    grant(scenario.owner, dashboard, guest)
    for status in ("ready_for_review", "internally_reviewed"):
        assert scenario.owner.client.patch(dashboard, {"uniform": {"reviewStatus": status}}).status == 200
    kept = guest.client.patch(dashboard, {"uniform": {"reviewStatus": "internally_reviewed", "narrative": "N"}})
    assert (kept.status, kept.data["uniform"]["reviewStatus"]) == (200, "internally_reviewed")


def test_an_editor_changes_the_title_of_a_dashboard_without_a_payload(scenario: BoardScenario, report: str) -> None:
    history = create(scenario.owner.client, report, dashboardType="historicalFundraising")
    guest = scenario.member("guest", access_type="guest")
    grant(scenario.owner, history, guest)
    assert may_edit(guest, history)


def test_a_change_that_is_left_to_managers_is_refused_before_the_state_of_the_report(
    scenario: BoardScenario, report: str, dashboard: str
) -> None:
    guest = scenario.member("guest", access_type="guest")
    grant(scenario.owner, dashboard, guest)
    for status in ("published", "finalized"):
        assert scenario.owner.client.patch(report, {"status": status}).status == 200
    assert guest.client.patch(dashboard, {"latestVersionId": "v2"}).status == 403
    assert guest.client.patch(dashboard, {"title": "T"}).details == {"reason": "REPORT_FINALIZED"}


def test_what_does_not_exist_is_a_404_before_the_tier_is_checked(scenario: BoardScenario, dashboard: str) -> None:
    guest = scenario.member("guest", access_type="guest")
    absent = dashboard[:-24] + "0" * 24
    assert guest.client.patch(absent, {"title": "T"}).status == 404
    assert guest.client.put(f"{absent}/access/{scenario.owner.id}").status == 404
    assert guest.client.put(f"{dashboard}/access/{'0' * 24}").status == 404
    assert guest.client.delete(f"{dashboard}/access/{scenario.owner.id}").status == 404


def test_a_right_is_given_again_without_effect_and_not_needed_for_the_owner_and_managers(
    scenario: BoardScenario, dashboard: str
) -> None:
    ben, manager = scenario.member("ben"), scenario.member("manager", access_type="manager")
    first = grant(scenario.owner, dashboard, ben)
    again = grant(manager, dashboard, ben)
    assert (again.status, again.data) == (200, first.data)
    assert len(stored_events(scenario, "dashboard.access_granted")) == 1
    assert grant(scenario.owner, dashboard, manager).details == {"reason": "NOT_NEEDED"}
    assert grant(manager, dashboard, scenario.owner).details == {"reason": "NOT_NEEDED"}
    handed = hand_over(scenario.owner, dashboard, ben)
    assert grant(ben, dashboard, ben).details == {"reason": "NOT_NEEDED"}
    assert hand_over(scenario.owner, dashboard, ben).data == handed.data
    assert len(stored_events(scenario, "dashboard.ownership_transferred")) == 1


def test_at_most_twenty_members_may_edit_and_one_who_leaves_makes_room(scenario: BoardScenario, dashboard: str) -> None:
    crowd = [scenario.member(f"m{number}", access_type="guest") for number in range(DASHBOARD_EDITORS + 1)]
    for each in crowd[:-1]:
        assert grant(scenario.owner, dashboard, each).status == 200
    assert grant(scenario.owner, dashboard, crowd[-1]).details == {"reason": "LIMIT_REACHED"}
    leave(scenario, crowd[0])
    assert grant(scenario.owner, dashboard, crowd[-1]).status == 200
    assert editors_of(scenario.owner, dashboard) == [each.id for each in crowd[1:]]


def test_a_revoked_editor_edits_no_more_and_revoking_again_is_a_404(scenario: BoardScenario, dashboard: str) -> None:
    ben = scenario.member("ben")
    grant(scenario.owner, dashboard, ben)
    revoked = scenario.owner.client.delete(f"{dashboard}/access/{ben.id}")
    assert (revoked.status, revoked.data) == (200, {"deleted": True})
    assert not may_edit(ben, dashboard)
    assert scenario.owner.client.delete(f"{dashboard}/access/{ben.id}").status == 404


def test_each_change_is_told_to_whom_it_concerns_and_is_in_the_audit_log(
    scenario: BoardScenario, dashboard: str, outbox: Outbox
) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    del outbox
    grant(scenario.owner, dashboard, ben)
    scenario.owner.client.delete(f"{dashboard}/access/{ben.id}")
    hand_over(scenario.owner, dashboard, eve)
    assert process_records(event_records(scenario.board_id)) == []
    told = [(each["type"], each["dashboardId"]["title"]) for each in ben.client.get("/api/notification/").json]
    assert sorted(told) == [("dashboard_access_granted", "Money"), ("dashboard_access_removed", "Money")]
    assert [each["type"] for each in eve.client.get("/api/notification/").json] == ["dashboard_assigned"]
    log = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    named = {"id": dashboard[-24:], "title": "Money"}
    assert {entry["action"]: entry["details"] for entry in log} == {
        "dashboardAccessGranted": {**named, "userId": ben.id},
        "dashboardAccessRevoked": {**named, "userId": ben.id},
        "dashboardOwnershipTransferred": {**named, "userId": eve.id},
    }


def test_a_right_is_not_given_to_a_member_who_leaves_meanwhile(scenario: BoardScenario, dashboard: str) -> None:
    ben = scenario.member("ben")
    with meanwhile(lambda: leave(scenario, ben)):
        assert grant(scenario.owner, dashboard, ben).status == 404


def test_a_change_of_a_dashboard_costs_the_same_calls_whoever_may_make_it(
    scenario: BoardScenario, dashboard: str, pool: InlinePool
) -> None:
    guest, manager = scenario.member("guest", access_type="guest"), scenario.member("mia", access_type="manager")
    grant(scenario.owner, dashboard, guest)
    for caller, path in (
        (scenario.owner, dashboard),
        (guest, dashboard),
        (scenario.owner, create(manager.client, dashboard.partition("/dashboards/")[0])),
    ):
        with count_store_calls(pool) as calls:
            caller.client.patch(path, {"title": f"By {caller.email}"})
        assert calls.sequential == ["BatchGetItem", "TransactWriteItems"]


def test_the_routes_admit_users_only_but_for_the_reading_one() -> None:
    path = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
    assert ROUTES_BY_NAME[f"GET {path}/access"].admission.audience.name == "ANYONE"
    for name in (
        f"PUT {path}/access/{{userId}}",
        f"DELETE {path}/access/{{userId}}",
        f"POST {path}/ownership-transfer",
    ):
        assert ROUTES_BY_NAME[name].admission.audience.name == "USER"
