"""Boards and their members: roles, the owner whom nobody else touches, leaving, transfer, deletion."""

from __future__ import annotations

from typing import Any

from tests.harness.world import Person, World


def member_id(world: World, who: Person) -> str:
    return next(str(m["id"]) for m in world.owner.client.all(f"{world.path}/members") if m["userId"] == who.id)


def reason(details: Any) -> str:
    return str(details["reason"])


def test_nobody_else_touches_the_owner(world: World) -> None:
    adam = world.member("adam", admin_role="admin").client
    owner = f"{world.path}/members/{member_id(world, world.owner)}"
    for answer in (adam.patch(owner, {"accessType": "guest"}), adam.delete(owner)):
        assert (answer.failure, reason(answer.details)) == ((409, "CONFLICT"), "OWNER_ROLE")
    assert reason(world.owner.client.patch(owner, {"adminRole": "member"}).details) == "OWNER_ROLE"
    assert reason(world.owner.client.delete(owner).details) == "OWNER_CANNOT_LEAVE"
    assert world.owner.client.patch(owner, {"boardPositions": ["Chair"]}).data["boardPositions"] == ["Chair"]
    assert adam.patch(owner, {"adminRole": "owner"}).failure == (400, "INVALID_REQUEST_BODY")


def test_admins_change_and_remove_one_another_and_a_removed_member_is_out_at_once(world: World) -> None:
    adam, anna = world.member("adam", admin_role="admin"), world.member("anna", admin_role="admin")
    token = world.personal_token(anna)
    path = f"{world.path}/members/{member_id(world, anna)}"
    assert adam.client.patch(path, {"adminRole": "member", "accessType": "guest"}).data["adminRole"] == "member"
    assert anna.client.post(f"{world.path}/meetings", {"title": "A"}).failure == (403, "FORBIDDEN")
    assert adam.client.delete(path).data == {"deleted": True}
    for client in (anna.client, token):
        assert client.get(world.path).failure == (403, "FORBIDDEN")
        assert client.all("/api/v1/boards") == []
    assert adam.client.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_member_leaves_whatever_the_bill_and_may_come_back_under_the_same_id(world: World) -> None:
    ben = world.member("ben", access_type="guest")
    before = member_id(world, ben)
    world.bill("CANCELLED")
    assert ben.client.delete(f"{world.path}/members/{before}").status == 200
    world.join(ben)
    assert member_id(world, ben) == before


def test_removing_another_is_a_write_and_an_admins(world: World) -> None:
    ben, cleo = world.member("ben"), world.member("cleo")
    path = f"{world.path}/members/{member_id(world, cleo)}"
    assert ben.client.delete(path).failure == (403, "FORBIDDEN")
    world.bill("CANCELLED")
    assert world.owner.client.delete(path).failure == (403, "BILLING_RESTRICTED")


def test_ownership_moves_once_and_the_old_owner_stays_as_admin(world: World) -> None:
    ben = world.member("ben")
    path, heir = f"{world.path}/ownership-transfer", member_id(world, ben)
    for bad in ("x", "f" * 24, member_id(world, world.owner)):
        answer = world.owner.client.post(path, {"memberId": bad})
        assert (answer.failure, set(answer.fields)) == ((400, "INVALID_REQUEST_BODY"), {"memberId"})
    assert world.owner.client.post(path, {"memberId": heir}).data["adminRole"] == "owner"
    assert world.owner.client.get(world.path).data["myRole"] == "admin"
    assert ben.client.get(world.path).data["myRole"] == "owner"
    assert world.owner.client.post(path, {"memberId": heir}).failure == (403, "FORBIDDEN")


def test_a_deleted_board_is_404_in_every_part(world: World) -> None:
    ben = world.member("ben")
    meeting = world.owner.client.post(f"{world.path}/meetings", {"title": "A", "status": "scheduled"}).data["id"]
    assert world.owner.client.delete(world.path).data == {"deleted": True}
    for path in ("", "/members", "/meetings", f"/meetings/{meeting}", "/tokens", "/documents"):
        assert ben.client.get(world.path + path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.all("/api/v1/boards") == []


def test_a_board_has_the_members_of_the_specification_and_no_role_for_a_token(world: World) -> None:
    board = world.owner.client.get(world.path).data
    expected = "object id name description inviteCodeEnabled billingState myRole createdAt updatedAt"
    assert list(board) == expected.split()
    assert (board["billingState"], board["inviteCodeEnabled"], board["myRole"]) == ("TRIAL_ACTIVE", True, "owner")
    assert world.token().get(world.path).data["myRole"] is None
