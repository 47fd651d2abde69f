"""Creating invites: de-duplication, repeated invites and refusals."""

from __future__ import annotations

from governance.domain.quota import NEW_INVITES
from governance.instants import now
from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person
from tests.harness.client import Client, session
from tests.harness.clock import Clock
from tests.harness.quota_usage import use_up


def test_a_new_invite_is_listed_with_exactly_the_specified_fields(invites: InviteScenario) -> None:
    response = invites.post("Ann@Example.COM ", message="Welcome", boardPositions=["cfo", "other"])
    assert response.status == 200
    assert response.json.keys() == {"message", "inviteId", "deduped", "triggerNudge"}
    assert response.json["deduped"] is False
    (shown,) = invites.listed()
    assert shown == {
        "inviteId": response.json["inviteId"],
        "boardId": invites.board.board_id,
        "boardName": "Board",
        "boardDescription": None,
        "inviteeEmail": "ann@example.com",
        "inviterId": invites.owner.id,
        "inviterEmail": invites.owner.email,
        "inviterFirstName": "Olivia",
        "inviterLastName": "Tester",
        "inviteMessage": "Welcome",
        "status": "pending",
        "createdAt": shown["createdAt"],
    }


def test_an_address_in_any_case_has_one_pending_invite(invites: InviteScenario) -> None:
    first = invites.invite("ann@example.com")
    again = invites.post("ANN@example.com")
    assert (again.json["inviteId"], again.json["deduped"]) == (first, True)
    assert len(invites.listed()) == 1


def test_an_address_can_be_invited_again_after_its_invite_closed(invites: InviteScenario) -> None:
    first = invites.invite()
    assert invites.owner.client.put(f"/api/invite/retract/{first}").status == 200
    second = invites.post("ann@example.com")
    assert second.json["deduped"] is False
    for shown in (invites.listed(), invites.owner.client.get("/api/invite/sent").json):
        assert [(entry["inviteId"], entry["status"]) for entry in shown] == [
            (second.json["inviteId"], "pending"),
            (first, "retracted"),
        ]


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


def test_an_inviter_without_a_first_name_is_nudged(invites: InviteScenario) -> None:
    nobody = Client(session("nobody@example.com", given_name=None, family_name=None))
    invites.board.join(Person(nobody.get("/api/v1/me").data["id"], "nobody@example.com", nobody))
    for _ in range(2):
        assert invites.post("b@example.com", nobody).json["triggerNudge"] is True
    (shown,) = invites.listed()
    assert (shown["inviterFirstName"], shown["inviterLastName"]) == ("", "")


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
