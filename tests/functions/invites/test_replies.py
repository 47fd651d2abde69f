"""Replies to invites: accept, join, decline and retract."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, new_board_scenario, person
from tests.harness.client import Client, session
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records

ENDINGS = ("accept", "decline", "retract")


def _reply(verb: str, invite: str, invites: InviteScenario, ann: Person) -> tuple[int, str]:
    user = invites.owner if verb == "retract" else ann
    response = user.client.put(f"/api/invite/{verb}/{invite}")
    return response.status, response.text


def test_accepting_creates_a_member_with_the_invites_positions(invites: InviteScenario, ann: Person) -> None:
    invite = invites.invite(ann.email, boardPositions=["board chair", "investor"])
    response = ann.client.put(f"/api/invite/accept/{invite}")
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
        assert "membership_accepted" in [each["type"] for each in inviter.client.get("/api/notification/").json]


def test_joining_by_the_code_creates_a_member_and_names_the_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email, boardPositions=["ceo"])
    response = ann.client.put(f"/api/invite/join/{invites.code().upper()}")
    assert response.status == 200
    assert response.json.keys() == {"message", "boardId", "boardName"}
    assert (response.json["boardId"], response.json["boardName"]) == (invites.board.board_id, "Board")
    assert invites.member(ann)["boardPositions"] == ["ceo"]  # type: ignore[index]
    assert invites.listed()[0]["status"] == "accepted"


def test_a_user_without_a_first_name_is_nudged_on_accepting(invites: InviteScenario) -> None:
    nemo = Client(session("nemo@example.com", given_name=None))
    invite = invites.invite("nemo@example.com")
    assert nemo.put(f"/api/invite/accept/{invite}").json["triggerNudge"] is True


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


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_closed_invite_cannot_be_closed_again(invites: InviteScenario, ann: Person, ending: str) -> None:
    invite, code = invites.invite(ann.email), invites.code()
    assert _reply(ending, invite, invites, ann)[0] == 200
    before = invites.listed()
    for verb in ENDINGS:
        assert _reply(verb, invite, invites, ann)[0] == 404
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")
    assert invites.owner.client.post(f"/api/invite/{invite}/send-email").status == 404
    assert invites.listed() == before


@pytest.mark.parametrize("verb", ENDINGS)
@pytest.mark.parametrize("invite", ["0" * 24, "nonsense", "A" * 24, "1f50599a-9fdd-476c-861a-b184c261b4f0"])
def test_an_unknown_or_malformed_id_is_not_found(invites: InviteScenario, verb: str, invite: str) -> None:
    response = invites.owner.client.put(f"/api/invite/{verb}/{invite}")
    assert response.failure == (404, "RESOURCE_NOT_FOUND")


def test_only_the_invitee_may_accept_or_decline(invites: InviteScenario, ann: Person) -> None:
    invite = invites.invite("ANN@example.com")
    bob = person("bob")
    for verb in ("accept", "decline"):
        for caller in (bob.client, invites.owner.client, invites.board.token()):
            assert caller.put(f"/api/invite/{verb}/{invite}").failure == (403, "FORBIDDEN")
    shouting = Client(session("ANN@EXAMPLE.COM", "ann@example.com"))
    assert shouting.put(f"/api/invite/accept/{invite}").status == 200
    assert invites.member(ann) is not None


def test_only_the_inviter_or_an_admin_retracts(invites: InviteScenario, ann: Person) -> None:
    scenario = invites.board
    ben, cleo = scenario.member("ben"), scenario.member("cleo", access_type="manager")
    admin = scenario.member("ada", admin_role="admin")
    invite = invites.invite(ann.email, by=ben.client)
    invites.invite(ann.email, by=cleo.client)
    for caller in (cleo.client, ann.client, new_board_scenario("otto").owner.client, scenario.token()):
        assert caller.put(f"/api/invite/retract/{invite}").failure == (403, "FORBIDDEN")
    assert ben.client.put(f"/api/invite/retract/{invite}").status == 200
    again = invites.invite(ann.email, by=ben.client)
    assert admin.client.put(f"/api/invite/retract/{again}").status == 200


def test_an_inviter_who_left_the_board_may_still_send_and_retract_what_another_inviter_keeps(
    invites: InviteScenario, ann: Person, outbox: Outbox
) -> None:
    ben = invites.board.member("ben")
    invite = invites.invite(ann.email, by=ben.client)
    invites.invite(ann.email, by=invites.board.owner.client)
    membership = invites.member(ben)["id"]  # type: ignore[index]
    ben.client.delete(f"{invites.board.path}/members/{membership}")
    assert ben.client.post(f"/api/invite/{invite}/send-email").json["throttled"] is False
    assert len(outbox.mails) == 1
    assert ben.client.put(f"/api/invite/retract/{invite}").status == 200
    assert ann.client.put(f"/api/invite/accept/{invite}").failure == (404, "RESOURCE_NOT_FOUND")


def test_replies_need_the_write_scope_and_joining_a_session(invites: InviteScenario, ann: Person) -> None:
    invite, code = invites.invite(ann.email), invites.code()
    scenario = invites.board
    read_only, full = scenario.personal_token(ann, "read_only"), scenario.personal_token(ann)
    for verb in ENDINGS:
        response = read_only.put(f"/api/invite/{verb}/{invite}")
        assert response.failure == (403, "FORBIDDEN")
        assert response.details == {"requiredScope": "invites:write"}
        assert Client().put(f"/api/invite/{verb}/{invite}").failure == (401, "UNAUTHENTICATED")
    for caller in (full, scenario.token(), Client()):
        assert caller.put(f"/api/invite/join/{code}").failure == (401, "UNAUTHENTICATED")
    assert full.put(f"/api/invite/accept/{invite}").status == 200


@pytest.mark.parametrize("raw", ["{}", "null", "x", " "])
def test_a_reply_with_a_body_is_refused(invites: InviteScenario, ann: Person, raw: str) -> None:
    invite, code = invites.invite(ann.email), invites.code()
    for verb, user in (("accept", ann), ("decline", ann), ("retract", invites.owner)):
        path = f"/api/invite/{verb}/{invite}"
        response = user.client.call("PUT", path, raw=raw, headers={"content-type": "text/plain"})
        assert response.failure == (400, "INVALID_REQUEST_BODY")
    if raw != "{}":
        assert ann.client.call("PUT", f"/api/invite/join/{code}", raw=raw).status == 400
    assert invites.listed()[0]["status"] == "pending"


def test_a_restricted_board_refuses_new_members_but_not_decline_or_retract(
    invites: InviteScenario, ann: Person
) -> None:
    invite, other, code = invites.invite(ann.email), invites.invite("bob@example.com"), invites.code()
    invites.board.set_billing_state("TRIAL_EXPIRED")
    assert ann.client.put(f"/api/invite/accept/{invite}").failure == (403, "BILLING_RESTRICTED")
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "BILLING_RESTRICTED")
    assert ann.client.put(f"/api/invite/decline/{invite}").status == 200
    assert invites.owner.client.put(f"/api/invite/retract/{other}").status == 200


def test_a_reply_is_checked_in_the_specified_order(invites: InviteScenario, ann: Person) -> None:
    invite, bob = invites.invite(ann.email), person("bob")
    invites.board.set_billing_state("CANCELLED")
    path = f"/api/invite/accept/{invite}"
    assert bob.client.call("PUT", f"/api/invite/accept/{'0' * 24}", raw="{}").failure == (404, "RESOURCE_NOT_FOUND")
    assert bob.client.call("PUT", path, raw="{}").failure == (403, "FORBIDDEN")
    assert ann.client.call("PUT", path, raw="{}").failure == (403, "BILLING_RESTRICTED")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "nonsense",
        lambda _: "0" * 24,
        lambda code: code[:14] + "1" + code[15:],
        lambda code: code.replace("-", ""),
        lambda _: "1f50599a-9fdd-476c-861a-b184c261b4f0",
    ],
    ids=["word", "id", "version 1", "no hyphens", "unknown"],
)
def test_an_unknown_code_is_a_bare_404(invites: InviteScenario, ann: Person, spoil: Callable[[str], str]) -> None:
    invites.invite(ann.email)
    response = ann.client.put(f"/api/invite/join/{spoil(invites.code())}")
    assert response.status == 404
    assert response.json.keys() == {"message", "code"}
    assert response.json["code"] == "INVALID_INVITE_CODE"
    assert invites.member(ann) is None


def test_a_disabled_code_looks_unknown(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email)
    code = invites.code()
    invites.owner.client.patch(invites.board.path, {"inviteCodeEnabled": False})
    unknown = ann.client.put("/api/invite/join/1f50599a-9fdd-476c-861a-b184c261b4f0")
    response = ann.client.put(f"/api/invite/join/{code}")
    assert (response.status, response.text) == (unknown.status, unknown.text)
    invites.owner.client.patch(invites.board.path, {"inviteCodeEnabled": True})
    assert ann.client.put(f"/api/invite/join/{code}").status == 200


def test_joining_needs_a_pending_invite_for_the_caller(invites: InviteScenario, ann: Person) -> None:
    code = invites.code()
    invites.invite("bob@example.com")
    for caller in (ann.client, invites.owner.client):
        assert caller.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")
    elsewhere = InviteScenario(new_board_scenario("otto"))
    elsewhere.invite(ann.email)
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")


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


def test_joining_is_audited_with_address_and_positions(invites: InviteScenario, ann: Person) -> None:
    invite = invites.invite(ann.email, boardPositions=["cfo"])
    ann.client.put(f"/api/invite/accept/{invite}")
    (entry,) = invites.owner.client.get(f"/api/auditlog/{invites.board.board_id}").json
    assert entry["action"] == "memberChange"
    assert entry["actorUser"] == ann.id
    assert entry["details"] == {"memberEmail": ann.email, "positions": ["cfo"]}
