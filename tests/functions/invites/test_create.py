"""Creating invites: de-duplication, re-invites, what is refused."""

from __future__ import annotations

import pytest

from governance.domain.quota import NEW_INVITES
from governance.models.invite import InvitePosition
from tests.conftest import Clock
from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person, person
from tests.harness.client import Client, session

POSITIONS = list(InvitePosition.__args__)  # type: ignore[attr-defined]


def test_a_new_invite_answers_its_id_and_stands_in_the_list_with_exactly_the_documented_members(
    inviting: Inviting,
) -> None:
    response = inviting.ask("Ann@Example.COM ", message="Welcome", boardPositions=["cfo", "other"])
    assert response.status == 200
    assert response.json.keys() == {"message", "inviteId", "deduped", "triggerNudge"}
    assert response.json["deduped"] is False
    (shown,) = inviting.listed()
    assert list(shown) == [
        "inviteId",
        "boardId",
        "boardName",
        "boardDescription",
        "inviteeEmail",
        "inviterId",
        "inviterEmail",
        "inviterFirstName",
        "inviterLastName",
        "inviteMessage",
        "status",
        "createdAt",
    ]
    assert shown["inviteId"] == response.json["inviteId"]
    assert (shown["inviteeEmail"], shown["status"], shown["inviteMessage"]) == ("ann@example.com", "pending", "Welcome")
    assert (shown["inviterId"], shown["inviterEmail"]) == (inviting.owner.id, inviting.owner.email)


def test_an_address_has_one_pending_invite_whatever_its_case(inviting: Inviting) -> None:
    first = inviting.invite("ann@example.com")
    again = inviting.ask("ANN@example.com")
    assert (again.json["inviteId"], again.json["deduped"]) == (first, True)
    assert len(inviting.listed()) == 1


def test_the_original_inviter_changes_message_and_positions_and_keeps_what_he_leaves_out(
    inviting: Inviting, ann: Person
) -> None:
    invite = inviting.invite(message="One", boardPositions=["ceo"])
    inviting.invite(message="Two")
    assert inviting.listed()[0]["inviteMessage"] == "Two"
    inviting.invite(boardPositions=["cfo"], message=None)
    assert inviting.listed()[0]["inviteMessage"] == "Two"
    assert "alsoInvitedBy" not in inviting.listed()[0]
    ann.client.put(f"/api/invite/accept/{invite}")
    assert inviting.member(ann)["boardPositions"] == ["cfo"]  # type: ignore[index]


def test_another_inviter_is_noted_once_and_what_he_gives_is_ignored(inviting: Inviting, ann: Person) -> None:
    ben = inviting.board.member("ben")
    invite = inviting.invite(message="One", boardPositions=["ceo"])
    for _ in range(2):
        assert inviting.invite(by=ben.client, message="Mine", boardPositions=["cfo"]) == invite
    (shown,) = inviting.listed()
    assert shown["alsoInvitedBy"] == [ben.id]
    assert (shown["inviterId"], shown["inviteMessage"]) == (inviting.owner.id, "One")
    ann.client.put(f"/api/invite/accept/{invite}")
    assert inviting.member(ann)["boardPositions"] == ["ceo"]  # type: ignore[index]


def test_a_closed_invite_leaves_its_address_free_for_a_new_one(inviting: Inviting) -> None:
    first = inviting.invite()
    assert inviting.owner.client.put(f"/api/invite/retract/{first}").status == 200
    second = inviting.ask("ann@example.com")
    assert second.json["deduped"] is False
    assert second.json["inviteId"] != first
    assert [shown["status"] for shown in inviting.listed()] == ["pending", "retracted"]
    assert inviting.owner.client.put(f"/api/invite/retract/{first}").status == 404


def test_a_message_is_escaped_once_and_counted_before(inviting: Inviting) -> None:
    message = "<" * 500
    inviting.invite(message=message)
    assert inviting.listed()[0]["inviteMessage"] == "&lt;" * 500
    assert inviting.ask("bob@example.com", message=message + "<").fields.keys() == {"message"}
    inviting.invite(message="\U0001f600" * 500)
    inviting.invite(message="""a & b "c" 'd'""")
    assert inviting.listed()[0]["inviteMessage"] == "a &amp; b &quot;c&quot; &#x27;d&#x27;"


def test_positions_are_those_of_the_list_and_the_default_is_observer(inviting: Inviting, ann: Person) -> None:
    assert len(POSITIONS) == 14
    invite = inviting.invite()
    ann.client.put(f"/api/invite/accept/{invite}")
    assert inviting.member(ann)["boardPositions"] == ["observer"]  # type: ignore[index]
    inviting.invite("all@example.com", boardPositions=POSITIONS)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "inviteeEmail"),
        ({"inviteeEmail": None}, "inviteeEmail"),
        ({"inviteeEmail": 1}, "inviteeEmail"),
        ({"boardPositions": []}, "boardPositions"),
        ({"boardPositions": ["ceo", "ceo"]}, "boardPositions"),
        ({"boardPositions": ["CEO"]}, "boardPositions.0"),
        ({"boardPositions": ["treasurer"]}, "boardPositions.0"),
        ({"boardPositions": "ceo"}, "boardPositions"),
        ({"message": 5}, "message"),
        ({"message": "nul \0"}, "message"),
        ({"role": "admin"}, "role"),
    ],
)
def test_a_bad_body_is_refused_and_makes_nothing(inviting: Inviting, body: dict[str, object], field: str) -> None:
    sent = body if "inviteeEmail" in body or not body else {"inviteeEmail": "ann@example.com", **body}
    response = inviting.owner.client.post(inviting.path, sent)
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert field in response.fields
    assert inviting.listed() == []


def test_every_fault_is_named_at_once(inviting: Inviting) -> None:
    response = inviting.ask("nobody", message="x" * 501, boardPositions=["x"], more=1)
    assert response.fields.keys() == {"inviteeEmail", "message", "boardPositions.0", "more"}


def test_a_members_address_is_refused_the_callers_own_too(inviting: Inviting, ann: Person) -> None:
    ben = inviting.board.member("ben")
    for email in (ben.email.upper(), inviting.owner.email):
        assert inviting.ask(email).fields.keys() == {"inviteeEmail"}
    second_bearer = Client(session(ann.email, "another subject"))
    second_bearer.get("/api/v1/me")
    invite = inviting.invite(ann.email)
    assert second_bearer.put(f"/api/invite/accept/{invite}").status == 200
    assert inviting.ask(ann.email).fields.keys() == {"inviteeEmail"}
    assert inviting.listed()[0]["status"] == "accepted"


def test_who_may_invite(inviting: Inviting, ann: Person) -> None:
    scenario = inviting.board
    guest = scenario.member("gus", access_type="guest")
    ben = scenario.member("ben")
    read_only = scenario.personal_token(ben, "read_only")
    inviting.invite("a@example.com", by=ben.client)
    inviting.invite("b@example.com", by=scenario.personal_token(ben))
    for caller in (ann.client, guest.client, scenario.token()):
        assert inviting.ask("x@example.com", caller).failure == (403, "FORBIDDEN")
    assert inviting.ask("x@example.com", read_only).details == {"requiredScope": "invites:write"}
    assert inviting.ask("x@example.com", Client()).failure == (401, "UNAUTHENTICATED")
    assert ben.client.post(f"/api/invite/{'0' * 24}", {}).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.post("/api/invite/nonsense", {}).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.set_billing_state("CANCELLED")
    assert inviting.ask("nobody", ben.client).failure == (403, "BILLING_RESTRICTED")
    assert len(inviting.listed()) == 2


def test_the_inviter_without_a_first_name_is_nudged(inviting: Inviting) -> None:
    nameless = person("nemo")
    inviting.board.join(nameless)
    anonymous = Client(session(nameless.email, given_name=None, family_name=None))
    assert inviting.ask("a@example.com", anonymous).json["triggerNudge"] is False  # the first session named him
    nobody = Client(session("nobody@example.com", given_name=None, family_name=None))
    who = Person(nobody.get("/api/v1/me").data["id"], "nobody@example.com", nobody)
    inviting.board.join(who)
    response = inviting.ask("b@example.com", nobody)
    assert response.json["triggerNudge"] is True
    assert inviting.ask("b@example.com", nobody).json["triggerNudge"] is True
    shown = next(entry for entry in inviting.listed() if entry["inviteId"] == response.json["inviteId"])
    assert (shown["inviterFirstName"], shown["inviterLastName"]) == ("", "")


def test_a_repeat_under_one_idempotency_key_gets_the_first_answer(inviting: Inviting) -> None:
    body = {"inviteeEmail": "ann@example.com"}
    first = inviting.owner.client.post(inviting.path, body, Idempotency_Key="k")
    repeat = inviting.owner.client.post(inviting.path, body, Idempotency_Key="k")
    assert repeat.text == first.text
    assert repeat.headers["Idempotent-Replayed"] == "true"
    other = inviting.owner.client.post(inviting.path, {"inviteeEmail": "bob@example.com"}, Idempotency_Key="k")
    assert other.failure == (409, "IDEMPOTENCY_CONFLICT")


def test_a_hundred_new_invites_an_hour_and_not_one_more(inviting: Inviting, clock: Clock) -> None:
    for number in range(NEW_INVITES.uses):
        inviting.invite(f"p{number}@example.com")
    refused = inviting.ask("late@example.com")
    assert refused.failure == (429, "RATE_LIMITED")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert inviting.ask("p1@example.com").json["deduped"] is True
    ben = inviting.board.member("ben")
    inviting.invite("late@example.com", by=ben.client)
    clock.advance(hours=1)
    inviting.invite("later@example.com")
