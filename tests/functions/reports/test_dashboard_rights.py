"""Who owns and edits a dashboard: granting and revoking rights, handing over, and how rights end."""

from __future__ import annotations

from typing import Any

import pytest

from infra.operator.purging import purge_users
from tests.functions.reports.conftest import create
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import leave, stored_events
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records


def grant(by: Person, dashboard: str, to: Person) -> Any:
    return by.client.put(f"{dashboard}/access/{to.id}")


def hand_over(by: Person, dashboard: str, to: Person) -> Any:
    return by.client.post(f"{dashboard}/ownership-transfer", {"userId": to.id})


def owner_of(caller: Person, dashboard: str) -> Any:
    return caller.client.get(f"{dashboard}/access").data["ownerUserId"]


def editors_of(caller: Person, dashboard: str) -> list[str]:
    return [editor["userId"] for editor in caller.client.get(f"{dashboard}/access").data["editors"]]


def may_edit(who: Person, dashboard: str, title: str = "Edited") -> bool:
    """Whether a change is accepted; the evaluation of access must say the same."""
    edited = who.client.patch(dashboard, {"title": title})
    assert edited.status in {200, 403}
    asked = {"action": {"name": "updateDashboard"}, "resource": {"type": "route", "id": dashboard}}
    assert who.client.post("/api/v1/access/evaluation", asked).json["decision"] == (edited.status == 200)
    return bool(edited.status == 200)


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
        ("DELETE", dashboard, None),
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


def test_the_new_owner_edits_grants_and_hands_over_and_the_old_one_does_not(
    scenario: BoardScenario, dashboard: str
) -> None:
    manager, ben, eve = scenario.member("mia", access_type="manager"), scenario.member("ben"), scenario.member("eve")
    grant(scenario.owner, dashboard, ben)
    handed = hand_over(manager, dashboard, ben)
    assert (handed.status, handed.data["ownerUserId"], handed.data["editors"]) == (200, ben.id, [])
    assert may_edit(ben, dashboard)
    assert grant(ben, dashboard, eve).status == 200
    assert hand_over(ben, dashboard, eve).data["ownerUserId"] == eve.id
    assert not may_edit(ben, dashboard)
    assert grant(ben, dashboard, manager).status == 403
    assert may_edit(eve, dashboard)


def test_rights_end_with_the_membership_and_joining_again_brings_none_back(
    scenario: BoardScenario, report: str, dashboard: str
) -> None:
    editor, owner = scenario.member("ed", access_type="guest"), scenario.member("ola")
    creator = scenario.member("cleo", access_type="manager")
    created = create(creator.client, report)
    grant(scenario.owner, dashboard, editor)
    hand_over(scenario.owner, dashboard, owner)
    for who in (editor, owner, creator):
        leave(scenario, who)
    assert editors_of(scenario.owner, dashboard) == []
    assert owner_of(scenario.owner, dashboard) == owner_of(scenario.owner, created) == scenario.owner.id
    for who in (editor, owner, creator):
        scenario.join(who, access_type="collaborator")
    assert not may_edit(editor, dashboard)
    assert not may_edit(owner, dashboard)
    assert not may_edit(creator, created)
    assert editors_of(scenario.owner, dashboard) == []
    assert owner_of(scenario.owner, dashboard) == owner_of(scenario.owner, created) == scenario.owner.id


@pytest.mark.usefixtures("bucket")
def test_a_purged_user_owns_and_edits_nothing(scenario: BoardScenario, dashboard: str) -> None:
    editor, owner = scenario.member("ed"), scenario.member("ola")
    grant(scenario.owner, dashboard, editor)
    hand_over(scenario.owner, dashboard, owner)
    purge_users([editor.id])
    purge_users([owner.id])
    assert owner_of(scenario.owner, dashboard) == scenario.owner.id
    assert editors_of(scenario.owner, dashboard) == []
    assert grant(scenario.owner, dashboard, editor).status == 404
    assert hand_over(scenario.owner, dashboard, owner).status == 400


def test_a_review_is_told_to_the_owner_in_place_of_the_creator(
    scenario: BoardScenario, dashboard: str, outbox: Outbox
) -> None:
    del outbox
    manager, ben = scenario.member("mia", access_type="manager"), scenario.member("ben")
    hand_over(scenario.owner, dashboard, ben)
    for status in ("ready_for_review", "internally_reviewed"):
        assert manager.client.patch(dashboard, {"uniform": {"reviewStatus": status}}).status == 200
    assert process_records(event_records(scenario.board_id)) == []
    inboxes = [reader.client.get("/api/notification/").json for reader in (ben, scenario.owner)]
    told = [[notification["type"] for notification in inbox] for inbox in inboxes]
    assert ["dashboard_internally_reviewed" in types for types in told] == [True, False]


@pytest.mark.parametrize("deleted", ["dashboard", "report"])
def test_a_review_of_what_was_deleted_since_is_told_to_nobody(
    scenario: BoardScenario, report: str, dashboard: str, outbox: Outbox, deleted: str
) -> None:
    del outbox
    manager = scenario.member("mia", access_type="manager")
    for status in ("ready_for_review", "internally_reviewed"):
        assert manager.client.patch(dashboard, {"uniform": {"reviewStatus": status}}).status == 200
    assert manager.client.delete({"dashboard": dashboard, "report": report}[deleted]).status == 200
    assert process_records(event_records(scenario.board_id)) == []
    told = [notification["type"] for notification in scenario.owner.client.get("/api/notification/").json]
    assert "dashboard_internally_reviewed" not in told
