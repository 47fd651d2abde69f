"""Boards and their members: roles, the owner whom nobody else touches, leaving, transfer, deletion."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import BoardScenario, Person


def member_id(scenario: BoardScenario, who: Person) -> str:
    return next(str(m["id"]) for m in scenario.owner.client.all(f"{scenario.path}/members") if m["userId"] == who.id)


def reason(details: Any) -> str:
    return str(details["reason"])


def test_nobody_else_touches_the_owner(scenario: BoardScenario) -> None:
    adam = scenario.member("adam", admin_role="admin").client
    owner = f"{scenario.path}/members/{member_id(scenario, scenario.owner)}"
    for response in (adam.patch(owner, {"accessType": "guest"}), adam.delete(owner)):
        assert (response.failure, reason(response.details)) == ((409, "CONFLICT"), "OWNER_ROLE")
    assert reason(scenario.owner.client.patch(owner, {"adminRole": "member"}).details) == "OWNER_ROLE"
    assert reason(scenario.owner.client.delete(owner).details) == "OWNER_CANNOT_LEAVE"
    assert scenario.owner.client.patch(owner, {"boardPositions": ["Chair"]}).data["boardPositions"] == ["Chair"]
    assert adam.patch(owner, {"adminRole": "owner"}).failure == (400, "INVALID_REQUEST_BODY")


def test_admins_change_and_remove_one_another_and_a_removed_member_is_out_at_once(scenario: BoardScenario) -> None:
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


def test_a_member_leaves_whatever_the_bill_and_may_come_back_under_the_same_id(scenario: BoardScenario) -> None:
    ben = scenario.member("ben", access_type="guest")
    before = member_id(scenario, ben)
    scenario.set_billing_state("CANCELLED")
    assert ben.client.delete(f"{scenario.path}/members/{before}").status == 200
    scenario.join(ben)
    assert member_id(scenario, ben) == before


def test_removing_another_is_a_write_and_an_admins(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    path = f"{scenario.path}/members/{member_id(scenario, cleo)}"
    assert ben.client.delete(path).failure == (403, "FORBIDDEN")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.delete(path).failure == (403, "BILLING_RESTRICTED")


def test_ownership_moves_once_and_the_old_owner_stays_as_admin(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    path, heir = f"{scenario.path}/ownership-transfer", member_id(scenario, ben)
    for bad in ("x", "f" * 24, member_id(scenario, scenario.owner)):
        response = scenario.owner.client.post(path, {"memberId": bad})
        assert (response.failure, set(response.fields)) == ((400, "INVALID_REQUEST_BODY"), {"memberId"})
    assert scenario.owner.client.post(path, {"memberId": heir}).data["adminRole"] == "owner"
    assert scenario.owner.client.get(scenario.path).data["myRole"] == "admin"
    assert ben.client.get(scenario.path).data["myRole"] == "owner"
    assert scenario.owner.client.post(path, {"memberId": heir}).failure == (403, "FORBIDDEN")


def test_a_deleted_board_is_404_in_every_part(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "A", "status": "scheduled"}).data["id"]
    assert scenario.owner.client.delete(scenario.path).data == {"deleted": True}
    for path in ("", "/members", "/meetings", f"/meetings/{meeting}", "/tokens", "/documents"):
        assert ben.client.get(scenario.path + path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.all("/api/v1/boards") == []


def test_a_board_has_the_members_of_the_specification_and_no_role_for_a_token(scenario: BoardScenario) -> None:
    board = scenario.owner.client.get(scenario.path).data
    expected = "object id name description inviteCodeEnabled billingState myRole createdAt updatedAt"
    assert list(board) == expected.split()
    assert (board["billingState"], board["inviteCodeEnabled"], board["myRole"]) == ("TRIAL_ACTIVE", True, "owner")
    assert scenario.token().get(scenario.path).data["myRole"] is None
