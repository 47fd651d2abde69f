"""Boards and their members: roles, the owner's protection, leaving, transfer and deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from governance.limits import BODY_BYTES
from governance.store.boards import boards
from governance.usecases.operator import operator, purge
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import audit_entries, leave, stored_events

if TYPE_CHECKING:
    from governance.ids import BoardId, MembershipId
    from governance.models.account.user import StoredUser, UserStatus
    from governance.models.boards.board import Membership


def member_id(scenario: BoardScenario, user: Person) -> str:
    return next(str(m["id"]) for m in scenario.owner.client.all(f"{scenario.path}/members") if m["userId"] == user.id)


def reason(details: Any) -> str:
    return str(details["reason"])


def test_only_the_owner_changes_the_owner(scenario: BoardScenario) -> None:
    adam = scenario.member("adam", admin_role="admin").client
    owner = f"{scenario.path}/members/{member_id(scenario, scenario.owner)}"
    for response in (adam.patch(owner, {"accessType": "guest"}), adam.delete(owner)):
        assert (response.failure, reason(response.details)) == ((409, "CONFLICT"), "OWNER_ROLE")
    assert reason(scenario.owner.client.patch(owner, {"adminRole": "member"}).details) == "OWNER_ROLE"
    assert reason(scenario.owner.client.delete(owner).details) == "OWNER_CANNOT_LEAVE"
    assert scenario.owner.client.patch(owner, {"boardPositions": ["Chair"]}).data["boardPositions"] == ["Chair"]
    assert adam.patch(owner, {"adminRole": "owner"}).failure == (400, "INVALID_REQUEST_BODY")


def test_admins_change_and_remove_each_other_with_immediate_effect(scenario: BoardScenario) -> None:
    adam, anna = scenario.member("adam", admin_role="admin"), scenario.member("anna", admin_role="admin")
    token = scenario.personal_token(anna)
    path = f"{scenario.path}/members/{member_id(scenario, anna)}"
    assert adam.client.patch(path, {"adminRole": "member", "accessType": "guest"}).data["adminRole"] == "member"
    assert anna.client.post(f"{scenario.path}/meetings", {"title": "A"}).failure == (403, "FORBIDDEN")
    assert adam.client.delete(path).data == {"deleted": True}
    for client in (anna.client, token):
        assert client.get(scenario.path).failure == (403, "FORBIDDEN")
        assert client.all("/api/v1/boards") == []
    assert adam.client.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_the_audit_log_names_what_changed_of_a_member(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/members/{member_id(scenario, scenario.member('ben'))}"
    same = {"accessType": "collaborator", "boardPositions": []}
    for body in ({**same, "isInternalMgmt": True}, {**same, "boardPositions": ["Chair"]}, {"isInternalMgmt": True}):
        assert scenario.owner.client.patch(path, body).status == 200
    fields = [entry["details"]["fields"] for entry in audit_entries(scenario, "memberChange")]
    assert fields == [["isInternalMgmt"], ["boardPositions"]]


def test_the_event_names_what_changed_of_a_board(scenario: BoardScenario) -> None:
    name = scenario.owner.client.get(scenario.path).data["name"]
    for body in ({"name": name, "description": "Ours"}, {"name": name}):
        assert scenario.owner.client.patch(scenario.path, body).status == 200
    assert [event.details["fields"] for event in stored_events(scenario, "board.changed")] == [["description"]]


def test_a_member_of_a_restricted_board_may_leave_and_rejoins_with_the_same_id(scenario: BoardScenario) -> None:
    ben = scenario.member("ben", access_type="guest")
    before = member_id(scenario, ben)
    scenario.set_billing_state("CANCELLED")
    assert ben.client.delete(f"{scenario.path}/members/{before}").status == 200
    scenario.join(ben)
    assert member_id(scenario, ben) == before


def test_who_leaves_is_told_from_who_is_removed(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    cleo_id = member_id(scenario, cleo)
    leave(scenario, ben)
    assert scenario.owner.client.delete(f"{scenario.path}/members/{cleo_id}").status == 200
    told = [[event.refs["userId"] for event in stored_events(scenario, f"member.{how}")] for how in ("left", "removed")]
    assert told == [[ben.id], [cleo.id]]


def test_a_member_is_shown_with_their_names_until_they_are_purged(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    path = f"{scenario.path}/members/{member_id(scenario, ben)}"

    def shown() -> list[str | None]:
        found = scenario.owner.client.get(path).data
        return [found[name] for name in ("email", "firstName", "lastName")]

    assert shown() == ["ben@example.com", "Ben", "Tester"]
    purge.begin(ben.id)
    assert shown() == [None, None, None]


def test_only_an_admin_removes_another_member(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    path = f"{scenario.path}/members/{member_id(scenario, cleo)}"
    assert ben.client.delete(path).failure == (403, "FORBIDDEN")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.delete(path).failure == (403, "BILLING_RESTRICTED")


def test_the_role_and_the_billing_state_are_judged_before_the_body(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    path = f"{scenario.path}/members/{member_id(scenario, cleo)}"
    for body in ('{"a": 1}', "x" * (BODY_BYTES + 1)):
        assert ben.client.call("DELETE", path, raw=body).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.call("DELETE", path, raw="[]").failure == (400, "INVALID_REQUEST_BODY")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.call("DELETE", path, raw="[]").failure == (403, "BILLING_RESTRICTED")
    assert cleo.client.call("DELETE", path, raw="[]").failure == (400, "INVALID_REQUEST_BODY")


def test_an_update_of_a_member_tells_what_it_changed(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/members/{member_id(scenario, scenario.member('ben'))}"
    change = {"accessType": "collaborator", "boardPositions": ["Chair"]}
    changed = scenario.owner.client.patch(path, change)
    (entry,) = (found for found in audit_entries(scenario, "memberChange") if "fields" in found["details"])
    assert entry["details"]["fields"] == ["boardPositions"]
    assert scenario.owner.client.patch(path, change).data == changed.data
    assert len(stored_events(scenario, "member.changed")) == 1


def test_an_update_of_a_board_tells_what_it_changed(scenario: BoardScenario) -> None:
    name = scenario.owner.client.get(scenario.path).data["name"]
    changed = scenario.owner.client.patch(scenario.path, {"name": name, "description": "New"})
    assert scenario.owner.client.patch(scenario.path, {"name": name, "description": "New"}).data == changed.data
    (event,) = stored_events(scenario, "board.changed")
    assert event.details == {"fields": ["description"]}


def test_the_former_owner_stays_as_admin_and_cannot_transfer_again(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    path, new_owner = f"{scenario.path}/ownership-transfer", member_id(scenario, ben)
    for bad in ("x", "f" * 24, member_id(scenario, scenario.owner)):
        response = scenario.owner.client.post(path, {"memberId": bad})
        assert (response.failure, set(response.fields)) == ((400, "INVALID_REQUEST_BODY"), {"memberId"})
    answer = scenario.owner.client.post(path, {"memberId": new_owner})
    assert (answer.status, answer.data["adminRole"]) == (200, "owner")
    assert scenario.owner.client.get(scenario.path).data["myRole"] == "admin"
    assert ben.client.get(scenario.path).data["myRole"] == "owner"
    assert scenario.owner.client.post(path, {"memberId": new_owner}).failure == (403, "FORBIDDEN")


@pytest.mark.parametrize("status", ["suspended", "inactive", "purged"])
def test_ownership_moves_to_an_active_account_only(scenario: BoardScenario, status: str) -> None:
    ben = scenario.member("ben")
    path, new_owner = f"{scenario.path}/ownership-transfer", member_id(scenario, ben)
    if status == "purged":
        purge.begin(ben.id)
    else:
        operator.set_user_status(ben.id, cast("UserStatus", status))
    response = scenario.owner.client.post(path, {"memberId": new_owner})
    assert (response.failure, set(response.fields)) == ((400, "INVALID_REQUEST_BODY"), {"memberId"})
    assert scenario.owner.client.get(scenario.path).data["myRole"] == "owner"


def test_an_account_that_closes_during_the_transfer_gets_no_board(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = scenario.member("ben")
    found = boards.find_member

    def find_then_close(board_id: BoardId, member: MembershipId) -> tuple[Membership | None, StoredUser | None]:
        answer = found(board_id, member)
        operator.set_user_status(ben.id, "suspended")
        return answer

    monkeypatch.setattr(boards, "find_member", find_then_close)
    body = {"memberId": member_id(scenario, ben)}
    response = scenario.owner.client.post(f"{scenario.path}/ownership-transfer", body)
    assert response.failure == (400, "INVALID_REQUEST_BODY")


def test_every_resource_of_a_deleted_board_is_404(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "A", "status": "scheduled"}).data["id"]
    assert scenario.owner.client.delete(scenario.path).data == {"deleted": True}
    for path in ("", "/members", "/meetings", f"/meetings/{meeting}", "/tokens", "/documents"):
        assert ben.client.get(scenario.path + path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.all("/api/v1/boards") == []


def test_a_board_has_the_specified_fields_and_a_token_no_role(scenario: BoardScenario) -> None:
    board = scenario.owner.client.get(scenario.path).data
    expected = "object id name description inviteCodeEnabled billingState myRole createdAt updatedAt"
    assert list(board) == expected.split()
    assert (board["billingState"], board["inviteCodeEnabled"], board["myRole"]) == ("TRIAL_ACTIVE", True, "owner")
    assert scenario.token().get(scenario.path).data["myRole"] is None


def test_board_tokens_are_events_when_they_are_created_and_revoked(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    body = {"name": "robot", "preset": "read_only", "expiresInDays": 30}
    token = owner.post(f"{scenario.path}/tokens", body).data
    for _ in range(2):
        assert owner.delete(f"{scenario.path}/tokens/{token['id']}").status == 200
    other = owner.post(f"{scenario.path}/tokens", body).data
    operator.revoke_token(other["id"])
    created, revoked = (stored_events(scenario, f"token.{what}") for what in ("created", "revoked"))
    for found in (created, revoked):
        assert [event.refs["tokenId"] for event in found] == [token["id"], other["id"]]
        assert found[0].details == {"id": token["id"], "title": "robot"}
    assert [event.actor_user_id for event in revoked] == [scenario.owner.id, None]
    assert token["secret"][30:] not in "".join(event.to_json() for event in (*created, *revoked))
