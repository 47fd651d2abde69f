"""Replies to invites: accept, join, decline and retract."""

from __future__ import annotations

from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records


def test_accepting_in_any_case_of_the_address_creates_a_member_with_the_invites_positions(
    invites: InviteScenario, ann: Person
) -> None:
    invite = invites.invite("ANN@example.com", boardPositions=["board chair", "investor"])
    shouting = Client(session("ANN@EXAMPLE.COM", ann.email))
    response = shouting.put(f"/api/invite/accept/{invite}")
    assert response.status == 200
    assert response.json.keys() == {"message", "triggerNudge"}
    assert response.json["triggerNudge"] is False
    member = invites.member(ann)
    assert member is not None
    assert member["boardPositions"] == ["board chair", "investor"]
    assert (member["adminRole"], member["accessType"]) == ("member", "collaborator")
    assert invites.listed()[0]["status"] == "accepted"


def test_everybody_who_sent_an_invite_is_told_that_it_was_accepted(invites: InviteScenario, ann: Person) -> None:
    ben = invites.board.member("ben")
    invite = invites.invite(ann.email)
    assert invites.invite(ann.email, by=ben.client) == invite
    assert ann.client.put(f"/api/invite/accept/{invite}").status == 200
    process_records(event_records(invites.board.board_id))
    for inviter in (invites.owner, ben):
        assert "membership_accepted" in [told["type"] for told in inviter.client.get("/api/notification/").json]


def test_joining_by_the_code_creates_a_member_and_names_the_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email, boardPositions=["ceo"])
    response = ann.client.put(f"/api/invite/join/{invites.code().upper()}")
    assert response.status == 200
    assert response.json.keys() == {"message", "boardId", "boardName"}
    assert (response.json["boardId"], response.json["boardName"]) == (invites.board.board_id, "Board")
    assert invites.member(ann)["boardPositions"] == ["ceo"]  # type: ignore[index]
    assert invites.listed()[0]["status"] == "accepted"


def test_declining_and_retracting_return_the_same_body(invites: InviteScenario, ann: Person) -> None:
    declined = invites.invite(ann.email)
    first = ann.client.put(f"/api/invite/decline/{declined}")
    retracted = invites.invite(ann.email)
    second = invites.owner.client.put(f"/api/invite/retract/{retracted}")
    assert first.status == second.status == 200
    assert first.text == second.text
    assert first.json.keys() == {"message"}
    assert [entry["status"] for entry in invites.listed()] == ["retracted", "declined"]
    assert invites.member(ann) is None


def test_an_inviter_who_left_the_board_may_still_send_and_retract_what_another_inviter_keeps(
    invites: InviteScenario, ann: Person, outbox: Outbox
) -> None:
    ben = invites.board.member("ben")
    invite = invites.invite(ann.email, by=ben.client)
    invites.invite(ann.email)
    leave(invites.board, ben)
    assert send_email(invites, invite, ben.client).json["throttled"] is False
    assert len(outbox.mails) == 1
    assert ben.client.put(f"/api/invite/retract/{invite}").status == 200
    assert ann.client.put(f"/api/invite/accept/{invite}").failure == (404, "RESOURCE_NOT_FOUND")


def test_joining_needs_a_pending_invite_for_the_caller_on_this_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite("bob@example.com")
    InviteScenario(new_board_scenario("otto")).invite(ann.email)
    for caller in (ann.client, invites.owner.client):
        assert caller.put(f"/api/invite/join/{invites.code()}").failure == (403, "FORBIDDEN")


def test_a_member_who_accepts_keeps_role_and_positions(invites: InviteScenario) -> None:
    """A member can get the invited address after joining the board."""
    invite = invites.invite("late@example.com")
    ben = invites.board.member("ben", access_type="guest")
    moved = Client(session("late@example.com", ben.email))
    assert moved.put(f"/api/invite/accept/{invite}").status == 200
    member = invites.member(ben)
    assert member is not None
    assert (member["accessType"], member["boardPositions"]) == ("guest", [])
    assert invites.listed()[0]["status"] == "accepted"


def test_a_member_who_leaves_while_they_accept_is_a_member_by_the_invite(invites: InviteScenario) -> None:
    invite = invites.invite("late@example.com", boardPositions=["cfo"])
    ben = invites.board.member("ben", access_type="guest")
    moved = Client(session("late@example.com", ben.email))
    with meanwhile(lambda: leave(invites.board, ben)):
        assert moved.put(f"/api/invite/accept/{invite}").status == 200
    assert (invites.member(ben) or {})["boardPositions"] == ["cfo"]


def test_the_first_of_two_users_with_one_address_may_accept(invites: InviteScenario, ann: Person) -> None:
    invite = invites.invite(ann.email)
    twin = Client(session(ann.email, "twin"))
    assert twin.put(f"/api/invite/accept/{invite}").status == 200
    assert ann.client.put(f"/api/invite/accept/{invite}").status == 404
    assert invites.member(ann) is None
