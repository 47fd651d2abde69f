"""Invites end with the right of those who made them."""

from __future__ import annotations

import pytest

from governance.ids import membership_id
from governance.usecases.invites import invite_endings
from tests.deliveries.test_announcements import deliver_all, messages
from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, person
from tests.harness.fault_injection import meanwhile
from tests.harness.outbox import Outbox

ENDINGS = ["left", "removed", "demoted"]


def end(invites: InviteScenario, user: Person, how: str) -> None:
    path = invites.board.member_path(user)
    if how == "demoted":
        response = invites.owner.client.patch(path, {"accessType": "guest"})
    else:
        response = (user if how == "left" else invites.owner).client.delete(path)
    assert response.status == 200, response.text


def states(invites: InviteScenario) -> dict[str, str]:
    return {shown["inviteeEmail"]: shown["status"] for shown in invites.listed()}


@pytest.mark.parametrize("how", ENDINGS)
def test_a_former_inviter_gets_nobody_in(invites: InviteScenario, ann: Person, how: str, outbox: Outbox) -> None:
    """Above all not themself, by an address that they invited before."""
    ben = invites.board.member("ben")
    invite = invites.invite(by=ben.client)
    assert ben.client.post(f"/api/invite/{invite}/send-email").status == 200
    code, token = outbox.link()
    other = invites.invite("carl@example.com")
    end(invites, ben, how)
    assert states(invites) == {"ann@example.com": "retracted", "carl@example.com": "pending"}
    assert ann.client.put(f"/api/invite/accept/{invite}").status == 404
    assert ann.client.put(f"/api/invite/join/{code}").status == 403
    assert ann.client.get(f"/api/v1/invite/status/{code}", i=token).json == {"pending": False}
    assert invites.post("ann@example.com").json["deduped"] is False
    assert person("carl").client.put(f"/api/invite/accept/{other}").status == 200


def test_an_invite_lives_as_long_as_somebody_who_made_it_may(invites: InviteScenario) -> None:
    ben, dan = invites.board.member("ben"), invites.board.member("dan")
    assert invites.invite(by=ben.client) == invites.invite(by=dan.client)
    end(invites, ben, "left")
    assert states(invites) == {"ann@example.com": "pending"}
    end(invites, dan, "left")
    assert states(invites) == {"ann@example.com": "retracted"}


def test_any_other_change_of_a_member_leaves_their_invites(invites: InviteScenario, ann: Person) -> None:
    ada = invites.board.member("ada", admin_role="admin", access_type="manager")
    invite = invites.invite(by=ada.client)
    path = invites.board.member_path(ada)
    for change in ({"boardPositions": ["chair"]}, {"adminRole": "member"}, {"accessType": "collaborator"}):
        assert invites.owner.client.patch(path, change).status == 200
    assert ann.client.put(f"/api/invite/accept/{invite}").status == 200


@pytest.mark.parametrize("at_once", [2, invite_endings.AT_ONCE])
def test_any_number_of_invites_ends_with_their_maker_and_what_others_made_too_stays(
    invites: InviteScenario, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(invite_endings, "AT_ONCE", at_once)
    ben = invites.board.member("ben")
    for number in range(30):
        invites.invite(f"n{number}@example.com", by=ben.client)
    for number in range(3):
        invites.invite(f"n{number}@example.com")
    kept = {f"n{number}@example.com" for number in range(3)} | {"kept@example.com"}
    invites.invite("kept@example.com")
    end(invites, ben, "removed")
    assert len(states(invites)) == 31
    assert {email for email, status in states(invites).items() if status == "pending"} == kept


def test_of_two_who_made_an_invite_and_leave_at_the_same_time_the_second_ends_it(invites: InviteScenario) -> None:
    ben, dan = invites.board.member("ben"), invites.board.member("dan")
    invites.invite(by=ben.client)
    invites.invite(by=dan.client)
    with meanwhile(lambda: end(invites, dan, "left")):
        end(invites, ben, "left")
    assert states(invites) == {"ann@example.com": "retracted"}


def test_who_becomes_the_owner_while_they_are_removed_keeps_their_invites(
    invites: InviteScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invite_endings, "AT_ONCE", 1)
    ada, ben = (invites.board.member(name, admin_role="admin") for name in ("ada", "ben"))
    for number in range(3):
        invites.invite(f"n{number}@example.com", by=ben.client)
    member = membership_id(invites.board.board_id, ben.id)
    transfer = f"{invites.board.path}/ownership-transfer"
    with meanwhile(lambda: invites.owner.client.post(transfer, {"memberId": member})):
        assert ada.client.delete(f"{invites.board.path}/members/{member}").status == 409
    assert (invites.member(ben) or {})["adminRole"] == "owner"
    assert set(states(invites).values()) == {"pending"}


@pytest.mark.usefixtures("outbox")
def test_the_owner_hears_of_invites_that_somebody_leaves_and_of_none_that_others_made(invites: InviteScenario) -> None:
    ben, dan = invites.board.member("ben"), invites.board.member("dan", access_type="manager")
    invites.invite("others@example.com")
    invites.invite("alone@example.com", by=ben.client)
    for sender in (ben, dan):
        invites.invite("both@example.com", by=sender.client)
        invites.invite("too@example.com", by=sender.client)
    assert invites.owner.client.patch(invites.board.member_path(dan), {"accessType": "collaborator"}).status == 200
    deliver_all(invites.board)
    assert messages(invites.owner, "board_update") == []
    end(invites, ben, "demoted")
    deliver_all(invites.board)
    (hint,) = messages(invites.owner, "board_update")
    assert "2 invites that they made are still pending" in hint
