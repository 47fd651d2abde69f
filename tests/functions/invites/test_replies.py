"""What ends an invite: accept, join, decline, retract."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person, new_board_scenario, person
from tests.harness.client import Client, session

ENDINGS = ("accept", "decline", "retract")


def _reply(verb: str, invite: str, inviting: Inviting, ann: Person) -> tuple[int, str]:
    who = inviting.owner if verb == "retract" else ann
    response = who.client.put(f"/api/invite/{verb}/{invite}")
    return response.status, response.text


def test_accepting_makes_a_member_with_the_invites_positions(inviting: Inviting, ann: Person) -> None:
    invite = inviting.invite(ann.email, boardPositions=["board chair", "investor"])
    response = ann.client.put(f"/api/invite/accept/{invite}")
    assert response.status == 200
    assert response.json.keys() == {"message", "triggerNudge"}
    assert response.json["triggerNudge"] is False
    member = inviting.member(ann)
    assert member is not None
    assert member["boardPositions"] == ["board chair", "investor"]
    assert (member["adminRole"], member["accessType"]) == ("member", "collaborator")
    assert inviting.listed()[0]["status"] == "accepted"


def test_joining_by_the_code_does_the_same_and_names_the_board(inviting: Inviting, ann: Person) -> None:
    inviting.invite(ann.email, boardPositions=["ceo"])
    response = ann.client.put(f"/api/invite/join/{inviting.code().upper()}")
    assert response.status == 200
    assert response.json.keys() == {"message", "boardId", "boardName"}
    assert (response.json["boardId"], response.json["boardName"]) == (inviting.board.board_id, "Board")
    assert inviting.member(ann)["boardPositions"] == ["ceo"]  # type: ignore[index]
    assert inviting.listed()[0]["status"] == "accepted"


def test_who_has_no_first_name_is_nudged_on_accepting(inviting: Inviting) -> None:
    nemo = Client(session("nemo@example.com", given_name=None))
    invite = inviting.invite("nemo@example.com")
    assert nemo.put(f"/api/invite/accept/{invite}").json["triggerNudge"] is True


def test_declining_and_retracting_say_the_same_words(inviting: Inviting, ann: Person) -> None:
    declined = inviting.invite(ann.email)
    first = ann.client.put(f"/api/invite/decline/{declined}")
    retracted = inviting.invite(ann.email)
    second = inviting.owner.client.put(f"/api/invite/retract/{retracted}")
    assert first.status == second.status == 200
    assert first.text == second.text
    assert first.json.keys() == {"message"}
    assert [entry["status"] for entry in inviting.listed()] == ["retracted", "declined"]
    assert inviting.member(ann) is None


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ended_invite_is_a_404_for_every_ending(inviting: Inviting, ann: Person, ending: str) -> None:
    invite, code = inviting.invite(ann.email), inviting.code()
    assert _reply(ending, invite, inviting, ann)[0] == 200
    before = inviting.listed()
    for verb in ENDINGS:
        assert _reply(verb, invite, inviting, ann)[0] == 404
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")
    assert inviting.owner.client.post(f"/api/invite/{invite}/send-email").status == 404
    assert inviting.listed() == before


@pytest.mark.parametrize("verb", ENDINGS)
@pytest.mark.parametrize("invite", ["0" * 24, "nonsense", "A" * 24, "1f50599a-9fdd-476c-861a-b184c261b4f0"])
def test_an_unknown_or_malformed_id_is_not_found(inviting: Inviting, verb: str, invite: str) -> None:
    response = inviting.owner.client.put(f"/api/invite/{verb}/{invite}")
    assert response.failure == (404, "RESOURCE_NOT_FOUND")


def test_only_the_addressee_answers_whatever_the_case_of_his_address(inviting: Inviting, ann: Person) -> None:
    invite = inviting.invite("ANN@example.com")
    bob = person("bob")
    for verb in ("accept", "decline"):
        for caller in (bob.client, inviting.owner.client, inviting.board.token()):
            assert caller.put(f"/api/invite/{verb}/{invite}").failure == (403, "FORBIDDEN")
    shouting = Client(session("ANN@EXAMPLE.COM", "ann@example.com"))
    assert shouting.put(f"/api/invite/accept/{invite}").status == 200
    assert inviting.member(ann) is not None


def test_the_inviter_or_an_admin_retracts_and_nobody_else(inviting: Inviting, ann: Person) -> None:
    scenario = inviting.board
    ben, cleo = scenario.member("ben"), scenario.member("cleo", access_type="manager")
    admin = scenario.member("ada", admin_role="admin")
    invite = inviting.invite(ann.email, by=ben.client)
    inviting.invite(ann.email, by=cleo.client)
    for caller in (cleo.client, ann.client, new_board_scenario("otto").owner.client, scenario.token()):
        assert caller.put(f"/api/invite/retract/{invite}").failure == (403, "FORBIDDEN")
    assert ben.client.put(f"/api/invite/retract/{invite}").status == 200
    again = inviting.invite(ann.email, by=ben.client)
    assert admin.client.put(f"/api/invite/retract/{again}").status == 200


def test_an_inviter_who_left_the_board_has_no_say_any_more(inviting: Inviting, ann: Person) -> None:
    ben = inviting.board.member("ben")
    invite = inviting.invite(ann.email, by=ben.client)
    membership = inviting.member(ben)["id"]  # type: ignore[index]
    ben.client.delete(f"{inviting.board.path}/members/{membership}")
    assert ben.client.put(f"/api/invite/retract/{invite}").failure == (403, "FORBIDDEN")
    assert ben.client.post(f"/api/invite/{invite}/send-email").failure == (404, "RESOURCE_NOT_FOUND")


def test_replies_need_the_write_scope_and_join_a_session(inviting: Inviting, ann: Person) -> None:
    invite, code = inviting.invite(ann.email), inviting.code()
    scenario = inviting.board
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
def test_any_body_is_refused_and_changes_nothing(inviting: Inviting, ann: Person, raw: str) -> None:
    invite, code = inviting.invite(ann.email), inviting.code()
    for verb, who in (("accept", ann), ("decline", ann), ("retract", inviting.owner)):
        path = f"/api/invite/{verb}/{invite}"
        response = who.client.call("PUT", path, raw=raw, headers={"content-type": "text/plain"})
        assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert ann.client.call("PUT", f"/api/invite/join/{code}", raw=raw).status == 400
    assert inviting.listed()[0]["status"] == "pending"


def test_a_restricted_board_takes_nobody_in_but_lets_decline_and_retract(inviting: Inviting, ann: Person) -> None:
    invite, other, code = inviting.invite(ann.email), inviting.invite("bob@example.com"), inviting.code()
    inviting.board.set_billing_state("TRIAL_EXPIRED")
    assert ann.client.put(f"/api/invite/accept/{invite}").failure == (403, "BILLING_RESTRICTED")
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "BILLING_RESTRICTED")
    assert ann.client.put(f"/api/invite/decline/{invite}").status == 200
    assert inviting.owner.client.put(f"/api/invite/retract/{other}").status == 200


def test_the_order_of_judgement_is_404_then_address_then_billing_then_body(inviting: Inviting, ann: Person) -> None:
    invite, bob = inviting.invite(ann.email), person("bob")
    inviting.board.set_billing_state("CANCELLED")
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
def test_a_code_that_is_none_is_a_bare_404(inviting: Inviting, ann: Person, spoil: Callable[[str], str]) -> None:
    inviting.invite(ann.email)
    response = ann.client.put(f"/api/invite/join/{spoil(inviting.code())}")
    assert response.status == 404
    assert response.json.keys() == {"message", "code"}
    assert response.json["code"] == "INVALID_INVITE_CODE"
    assert inviting.member(ann) is None


def test_a_code_that_is_switched_off_is_as_unknown(inviting: Inviting, ann: Person) -> None:
    inviting.invite(ann.email)
    code = inviting.code()
    inviting.owner.client.patch(inviting.board.path, {"inviteCodeEnabled": False})
    unknown = ann.client.put("/api/invite/join/1f50599a-9fdd-476c-861a-b184c261b4f0")
    response = ann.client.put(f"/api/invite/join/{code}")
    assert (response.status, response.text) == (unknown.status, unknown.text)
    inviting.owner.client.patch(inviting.board.path, {"inviteCodeEnabled": True})
    assert ann.client.put(f"/api/invite/join/{code}").status == 200


def test_joining_needs_a_pending_invite_of_ones_own(inviting: Inviting, ann: Person) -> None:
    code = inviting.code()
    inviting.invite("bob@example.com")
    for caller in (ann.client, inviting.owner.client):
        assert caller.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")
    elsewhere = Inviting(new_board_scenario("otto"))
    elsewhere.invite(ann.email)
    assert ann.client.put(f"/api/invite/join/{code}").failure == (403, "FORBIDDEN")


def test_a_member_who_accepts_stays_as_he_is(inviting: Inviting) -> None:
    """He may have come to the address after he became a member."""
    invite = inviting.invite("late@example.com")
    ben = inviting.board.member("ben", access_type="guest")
    moved = Client(session("late@example.com", ben.email))
    assert moved.put(f"/api/invite/accept/{invite}").status == 200
    member = inviting.member(ben)
    assert member is not None
    assert (member["accessType"], member["boardPositions"]) == ("guest", [])
    assert inviting.listed()[0]["status"] == "accepted"


def test_of_two_bearers_of_an_address_the_first_to_accept_has_it(inviting: Inviting, ann: Person) -> None:
    invite = inviting.invite(ann.email)
    twin = Client(session(ann.email, "twin"))
    assert twin.put(f"/api/invite/accept/{invite}").status == 200
    assert ann.client.put(f"/api/invite/accept/{invite}").status == 404
    assert inviting.member(ann) is None


def test_joining_is_audited_with_address_and_positions(inviting: Inviting, ann: Person) -> None:
    invite = inviting.invite(ann.email, boardPositions=["cfo"])
    ann.client.put(f"/api/invite/accept/{invite}")
    (entry,) = inviting.owner.client.get(f"/api/auditlog/{inviting.board.board_id}").json
    assert entry["action"] == "memberChange"
    assert entry["actorUser"] == ann.id
    assert entry["details"] == {"memberEmail": ann.email, "positions": ["cfo"]}
