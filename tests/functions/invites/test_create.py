"""Creating invites: de-duplication, repeated invites and refusals."""

from __future__ import annotations

import pytest

from governance.domain.quota import NEW_INVITES
from governance.instants import now
from governance.models.boards.board import AccessType, AdminRole
from governance.models.invite import BoardPosition
from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, person
from tests.harness.client import Client, session
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.quota_usage import use_up

POSITIONS = list(BoardPosition.__args__)  # type: ignore[attr-defined]


def test_a_new_invite_is_listed_with_exactly_the_specified_fields(
    invites: InviteScenario,
) -> None:
    response = invites.post("Ann@Example.COM ", message="Welcome", boardPositions=["cfo", "other"])
    assert response.status == 200
    assert response.json.keys() == {"message", "inviteId", "deduped", "triggerNudge"}
    assert response.json["deduped"] is False
    (shown,) = invites.listed()
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
    assert (shown["inviterId"], shown["inviterEmail"]) == (invites.owner.id, invites.owner.email)
    assert (shown["inviterFirstName"], shown["inviterLastName"]) == ("Olivia", "Tester")


def test_an_address_in_any_case_has_one_pending_invite(invites: InviteScenario) -> None:
    first = invites.invite("ann@example.com")
    again = invites.post("ANN@example.com")
    assert (again.json["inviteId"], again.json["deduped"]) == (first, True)
    assert len(invites.listed()) == 1


def test_the_inviter_changes_message_and_positions_and_omitted_fields_stay(
    invites: InviteScenario, ann: Person
) -> None:
    invite = invites.invite(message="One", boardPositions=["ceo"])
    invites.invite(message="Two")
    assert invites.listed()[0]["inviteMessage"] == "Two"
    invites.invite(boardPositions=["cfo"], message=None)
    assert invites.listed()[0]["inviteMessage"] == "Two"
    assert "alsoInvitedBy" not in invites.listed()[0]
    ann.client.put(f"/api/invite/accept/{invite}")
    assert invites.member(ann)["boardPositions"] == ["cfo"]  # type: ignore[index]


def test_another_inviter_is_added_once_and_changes_nothing_else(invites: InviteScenario, ann: Person) -> None:
    ben = invites.board.member("ben")
    invite = invites.invite(message="One", boardPositions=["ceo"])
    for _ in range(2):
        assert invites.invite(by=ben.client, message="Mine", boardPositions=["cfo"]) == invite
    (shown,) = invites.listed()
    assert shown["alsoInvitedBy"] == [ben.id]
    assert (shown["inviterId"], shown["inviteMessage"]) == (invites.owner.id, "One")
    ann.client.put(f"/api/invite/accept/{invite}")
    assert invites.member(ann)["boardPositions"] == ["ceo"]  # type: ignore[index]


ACCESS = ["guest", "collaborator", "manager"]


def access(invites: InviteScenario, ann: Person) -> str:
    """Accepts ann's invite; returns the access of the new member."""
    (pending,) = [shown for shown in invites.listed() if shown["inviteeEmail"] == ann.email]
    assert ann.client.put(f"/api/invite/accept/{pending['inviteId']}").status == 200
    member = invites.member(ann)
    assert member is not None
    assert member["adminRole"] == "member"
    return str(member["accessType"])


@pytest.mark.parametrize("given", [*ACCESS, None])
def test_the_invitee_gets_the_access_of_the_invite_and_without_one_collaborator(
    invites: InviteScenario, ann: Person, given: str | None
) -> None:
    invites.invite(accessType=given)
    assert access(invites, ann) == (given or "collaborator")


TIERS: dict[str, tuple[AccessType, AdminRole]] = {
    "collaborator": ("collaborator", "member"),
    "manager": ("manager", "member"),
    "admin": ("collaborator", "admin"),
}


@pytest.mark.parametrize("tier", TIERS)
def test_only_the_owner_and_admins_invite_managers(invites: InviteScenario, ann: Person, tier: str) -> None:
    access_type, admin_role = TIERS[tier]
    ben = invites.board.member("ben", access_type=access_type, admin_role=admin_role)
    for given in ACCESS:
        response = invites.post(f"{given}@example.com", by=ben.client, accessType=given)
        refused = given == "manager" and tier != "admin"
        assert response.status == (403 if refused else 200)
    invites.invite(accessType="guest")
    again = invites.post("ann@example.com", by=ben.client, accessType="manager")
    assert again.status == (200 if tier == "admin" else 403)
    assert access(invites, ann) == ("manager" if tier == "admin" else "guest")


def test_the_inviter_and_admins_change_the_access_and_nobody_else(invites: InviteScenario, ann: Person) -> None:
    ben, carla = invites.board.member("ben"), invites.board.member("carla", admin_role="admin")
    invites.invite(by=ben.client, accessType="guest")
    invites.invite(by=ben.client, message="Two")
    invites.invite(by=invites.board.member("dan").client, accessType="collaborator")
    invites.invite(by=carla.client)
    assert access(invites, ann) == "guest"


@pytest.mark.parametrize("who", ["inviter", "admin"])
def test_the_access_of_a_pending_invite_is_the_last_one_given(invites: InviteScenario, ann: Person, who: str) -> None:
    ben, carla = invites.board.member("ben"), invites.board.member("carla", admin_role="admin")
    invites.invite(by=ben.client, accessType="guest")
    again = invites.invite(by=(ben if who == "inviter" else carla).client, accessType="collaborator", message="Two")
    assert [(shown["inviteId"], shown["inviteMessage"]) for shown in invites.listed()] == [
        (again, "Two" if who == "inviter" else None)
    ]
    assert access(invites, ann) == "collaborator"


def test_an_invite_that_is_retracted_while_it_is_sent_again_is_a_new_one(invites: InviteScenario) -> None:
    first = invites.invite()
    with meanwhile(lambda: invites.owner.client.put(f"/api/invite/retract/{first}")):
        again = invites.post("ann@example.com").json
    assert again["deduped"] is False
    assert [(entry["inviteId"], entry["status"]) for entry in invites.listed()] == [
        (again["inviteId"], "pending"),
        (first, "retracted"),
    ]


def test_an_address_can_be_invited_again_after_its_invite_closed(invites: InviteScenario) -> None:
    first = invites.invite()
    assert invites.owner.client.put(f"/api/invite/retract/{first}").status == 200
    second = invites.post("ann@example.com")
    assert second.json["deduped"] is False
    assert second.json["inviteId"] != first
    assert [shown["status"] for shown in invites.listed()] == ["pending", "retracted"]
    assert invites.owner.client.put(f"/api/invite/retract/{first}").status == 404


def test_a_message_is_escaped_once_and_counted_before(invites: InviteScenario) -> None:
    message = "<" * 500
    invites.invite(message=message)
    assert invites.listed()[0]["inviteMessage"] == "&lt;" * 500
    assert invites.post("bob@example.com", message=message + "<").fields.keys() == {"message"}
    invites.invite(message="\U0001f600" * 500)
    invites.invite(message="""a & b "c" 'd'""")
    assert invites.listed()[0]["inviteMessage"] == "a &amp; b &quot;c&quot; &#x27;d&#x27;"


def test_positions_come_from_the_list_and_the_default_is_observer(invites: InviteScenario, ann: Person) -> None:
    assert len(POSITIONS) == 14
    invite = invites.invite()
    ann.client.put(f"/api/invite/accept/{invite}")
    assert invites.member(ann)["boardPositions"] == ["observer"]  # type: ignore[index]
    invites.invite("all@example.com", boardPositions=POSITIONS)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "inviteeEmail"),
        ({"accessType": "owner"}, "accessType"),
        ({"boardPositions": ["ceo", "ceo"]}, "boardPositions"),
        ({"boardPositions": ["treasurer"]}, "boardPositions.0"),
        ({"message": "nul \0"}, "message"),
    ],
)
def test_an_invalid_body_is_refused_and_creates_nothing(
    invites: InviteScenario, body: dict[str, object], field: str
) -> None:
    sent = body if "inviteeEmail" in body or not body else {"inviteeEmail": "ann@example.com", **body}
    response = invites.owner.client.post(invites.path, sent)
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert field in response.fields
    assert invites.listed() == []


def test_every_invalid_field_is_named_at_once(invites: InviteScenario) -> None:
    response = invites.post("nobody", message="x" * 501, boardPositions=["x"], more=1)
    assert response.fields.keys() == {"inviteeEmail", "message", "boardPositions.0", "more"}


def test_the_address_of_a_member_is_refused_even_the_callers_own(invites: InviteScenario, ann: Person) -> None:
    ben = invites.board.member("ben")
    for email in (ben.email.upper(), invites.owner.email):
        assert invites.post(email).fields.keys() == {"inviteeEmail"}
    second_bearer = Client(session(ann.email, "another subject"))
    second_bearer.get("/api/v1/me")
    invite = invites.invite(ann.email)
    assert second_bearer.put(f"/api/invite/accept/{invite}").status == 200
    assert invites.post(ann.email).fields.keys() == {"inviteeEmail"}
    assert invites.listed()[0]["status"] == "accepted"


def test_only_collaborators_and_above_invite(invites: InviteScenario, ann: Person) -> None:
    scenario = invites.board
    guest = scenario.member("gus", access_type="guest")
    ben = scenario.member("ben")
    read_only = scenario.personal_token(ben, "read_only")
    invites.invite("a@example.com", by=ben.client)
    invites.invite("b@example.com", by=scenario.personal_token(ben))
    for caller in (ann.client, guest.client, scenario.token()):
        assert invites.post("x@example.com", caller).failure == (403, "FORBIDDEN")
    assert invites.post("x@example.com", read_only).details == {"requiredScope": "invites:write"}
    assert invites.post("x@example.com", Client()).failure == (401, "UNAUTHENTICATED")
    assert ben.client.post(f"/api/invite/{'0' * 24}", {}).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.post("/api/invite/nonsense", {}).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.set_billing_state("CANCELLED")
    assert invites.post("nobody", ben.client).failure == (403, "BILLING_RESTRICTED")
    assert len(invites.listed()) == 2


def test_an_inviter_without_a_first_name_is_nudged(invites: InviteScenario) -> None:
    nameless = person("nemo")
    invites.board.join(nameless)
    anonymous = Client(session(nameless.email, given_name=None, family_name=None))
    assert invites.post("a@example.com", anonymous).json["triggerNudge"] is False  # the first session had a name
    nobody = Client(session("nobody@example.com", given_name=None, family_name=None))
    user = Person(nobody.get("/api/v1/me").data["id"], "nobody@example.com", nobody)
    invites.board.join(user)
    response = invites.post("b@example.com", nobody)
    assert response.json["triggerNudge"] is True
    assert invites.post("b@example.com", nobody).json["triggerNudge"] is True
    shown = next(entry for entry in invites.listed() if entry["inviteId"] == response.json["inviteId"])
    assert (shown["inviterFirstName"], shown["inviterLastName"]) == ("", "")


def test_a_retry_with_the_same_idempotency_key_returns_the_first_response(invites: InviteScenario) -> None:
    body = {"inviteeEmail": "ann@example.com"}
    first = invites.owner.client.post(invites.path, body, Idempotency_Key="k")
    repeat = invites.owner.client.post(invites.path, body, Idempotency_Key="k")
    assert repeat.text == first.text
    assert repeat.headers["Idempotent-Replayed"] == "true"
    other = invites.owner.client.post(invites.path, {"inviteeEmail": "bob@example.com"}, Idempotency_Key="k")
    assert other.failure == (409, "IDEMPOTENCY_CONFLICT")


def test_a_caller_may_send_a_hundred_new_invites_an_hour(invites: InviteScenario, clock: Clock) -> None:
    use_up(NEW_INVITES, invites.board.owner.id, now(), but=2)
    for number in range(2):
        invites.invite(f"p{number}@example.com")
    refused = invites.post("late@example.com")
    assert refused.failure == (429, "RATE_LIMITED")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert invites.post("p1@example.com").json["deduped"] is True
    ben = invites.board.member("ben")
    invites.invite("late@example.com", by=ben.client)
    clock.advance(hours=1)
    invites.invite("later@example.com")
