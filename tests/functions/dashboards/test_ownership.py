"""Who owns a dashboard: handing it over, what an owner may do, and how the rights of owners and editors end."""

from __future__ import annotations

import pytest

from infra.operator.purging import purge_users
from tests.functions.dashboards.rights import create, editors_of, grant, hand_over, leave, may_edit, owner_of
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records


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
    told = [notification["type"] for notification in ben.client.get("/api/notification/").json]
    assert "dashboard_internally_reviewed" in told
    assert "dashboard_internally_reviewed" not in [
        notification["type"] for notification in scenario.owner.client.get("/api/notification/").json
    ]


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
