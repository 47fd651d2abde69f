"""Boards and their members: roles, the owner's protection, leaving, transfer and deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from governance.ids import membership_id
from governance.scopes import BOARD_PRESETS
from governance.store.boards import boards
from governance.usecases.operator import operator, purge
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import stored_events

if TYPE_CHECKING:
    from governance.ids import BoardId, MembershipId
    from governance.models.account.user import StoredUser
    from governance.models.boards.board import Membership


def test_admins_change_and_remove_each_other_with_immediate_effect(scenario: BoardScenario) -> None:
    adam, anna = scenario.member("adam", admin_role="admin"), scenario.member("anna", admin_role="admin")
    token = scenario.personal_token(anna)
    path = scenario.member_path(anna)
    assert adam.client.patch(path, {"adminRole": "member", "accessType": "guest"}).data["adminRole"] == "member"
    assert anna.client.post(f"{scenario.path}/meetings", {"title": "A"}).failure == (403, "FORBIDDEN")
    assert adam.client.delete(path).data == {"deleted": True}
    for client in (anna.client, token):
        assert client.get(scenario.path).failure == (403, "FORBIDDEN")
        assert client.all("/api/v1/boards") == []
    assert adam.client.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_who_leaves_is_told_from_who_is_removed(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    for member, by in ((ben, ben), (cleo, scenario.owner)):
        assert by.client.delete(scenario.member_path(member)).status == 200
    told = [[event.refs["userId"] for event in stored_events(scenario, f"member.{how}")] for how in ("left", "removed")]
    assert told == [[ben.id], [cleo.id]]


def test_a_member_is_shown_with_their_names_until_they_are_purged(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")

    def shown() -> list[str | None]:
        member = scenario.owner.client.get(scenario.member_path(ben)).data
        return [member[name] for name in ("email", "firstName", "lastName")]

    assert shown() == ["ben@example.com", "Ben", "Tester"]
    purge.begin(ben.id)
    assert shown() == [None, None, None]


def test_an_update_tells_what_it_changed_and_the_same_again_is_no_event(scenario: BoardScenario) -> None:
    name = scenario.owner.client.get(scenario.path).data["name"]
    for kind, path, change, field in (
        (
            "member.changed",
            scenario.member_path(scenario.member("ben")),
            {"accessType": "collaborator"},
            "boardPositions",
        ),
        ("board.changed", scenario.path, {"name": name}, "description"),
    ):
        changed = {**change, field: ["Chair"] if field == "boardPositions" else "New"}
        first, again = (scenario.owner.client.patch(path, changed).data for _ in range(2))
        assert again == first
        (event,) = stored_events(scenario, kind)
        assert event.details["fields"] == [field]


def test_the_former_owner_stays_as_admin_and_cannot_transfer_again(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    path, new_owner = f"{scenario.path}/ownership-transfer", membership_id(scenario.board_id, ben.id)
    for bad in ("x", "f" * 24, membership_id(scenario.board_id, scenario.owner.id)):
        response = scenario.owner.client.post(path, {"memberId": bad})
        assert (response.failure, set(response.fields)) == ((400, "INVALID_REQUEST_BODY"), {"memberId"})
    answer = scenario.owner.client.post(path, {"memberId": new_owner})
    assert (answer.status, answer.data["adminRole"]) == (200, "owner")
    assert scenario.owner.client.get(scenario.path).data["myRole"] == "admin"
    assert ben.client.get(scenario.path).data["myRole"] == "owner"
    assert scenario.owner.client.post(path, {"memberId": new_owner}).failure == (403, "FORBIDDEN")


def test_an_account_that_closes_during_the_transfer_gets_no_board(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = scenario.member("ben")
    find = boards.find_member

    def find_then_close(board_id: BoardId, member: MembershipId) -> tuple[Membership | None, StoredUser | None]:
        answer = find(board_id, member)
        operator.set_user_status(ben.id, "suspended")
        return answer

    monkeypatch.setattr(boards, "find_member", find_then_close)
    body = {"memberId": membership_id(scenario.board_id, ben.id)}
    response = scenario.owner.client.post(f"{scenario.path}/ownership-transfer", body)
    assert response.failure == (400, "INVALID_REQUEST_BODY")


def test_a_new_board_is_on_trial_and_its_maker_owns_and_manages_it(scenario: BoardScenario) -> None:
    board = scenario.owner.client.get(scenario.path).data
    assert board == {
        "object": "board",
        "id": scenario.board_id,
        "name": "Board",
        "description": None,
        "inviteCodeEnabled": True,
        "billingState": "TRIAL_ACTIVE",
        "myRole": "owner",
        "createdAt": board["createdAt"],
        "updatedAt": board["createdAt"],
    }
    (member,) = scenario.owner.client.all(f"{scenario.path}/members")
    assert (member["adminRole"], member["accessType"]) == ("owner", "manager")
    assert scenario.token().get(scenario.path).data["myRole"] is None


@pytest.mark.parametrize("preset", [None, "read_only", "read_write"])
def test_a_board_token_has_the_scopes_of_its_preset(scenario: BoardScenario, preset: str | None) -> None:
    body = {"name": "T", "expiresInDays": 30, "preset": preset}
    minted = scenario.owner.client.post(f"{scenario.path}/tokens", body).data
    assert minted["preset"] == (preset or "read_only")
    assert Client(minted["secret"]).get("/api/v1/whoami").json["scopes"] == list(BOARD_PRESETS[minted["preset"]])
