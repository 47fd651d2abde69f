"""The routes of guest links and of guests."""

from __future__ import annotations

import pytest

from governance import instants
from tests.functions.meetings.links import GUEST, open_link, vote
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave


def test_a_link_is_shown_once_and_is_valid_for_thirty_days(meeting: MeetingScenario) -> None:
    response = meeting.board.owner.client.post(f"{meeting.path}/guest-link", idempotency_key="k")
    assert response.status == 201
    assert set(response.data) == {"object", "url", "token", "expiresAt"}
    assert response.data["object"] == "guest_link"
    assert response.data["url"] == f"https://governance.example.com/guest/{response.data['token']}"
    assert instants.shift(instants.now(), days=29) < response.data["expiresAt"] <= from_now(days=30)
    repeat = meeting.board.owner.client.post(f"{meeting.path}/guest-link", idempotency_key="k")
    assert repeat.data == {**response.data, "token": None, "url": None}
    assert GUEST.get(f"/api/v1/guest/{response.data['token']}").status == 200


def test_a_guest_sees_counts_and_no_names(meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot(durationInMinutes=30)
    link = open_link(meeting)
    meeting.vote(ben.client, slot, "cant", comment="Away")
    meeting.vote(cleo.client, slot, "challenging")
    vote(link, slot, choice="challenging")
    response = GUEST.get(link)
    assert response.status == 200
    assert response.data == {
        "object": "guest_meeting",
        "personal": False,
        "title": "Spring",
        "boardName": "Board",
        "status": "scheduled",
        "startTime": None,
        "endTime": None,
        "timezone": None,
        "bookedSlotId": None,
        "cancelledAt": None,
        "slots": [
            {
                "id": slot["id"],
                "startTime": slot["startTime"],
                "timezone": "Europe/Paris",
                "durationInMinutes": 30,
                "ok": 1,
                "challenging": 2,
                "cant": 1,
            }
        ],
    }
    leave(meeting.board, ben)
    assert GUEST.get(link).data["slots"][0]["cant"] == 0


def test_a_guest_sees_what_was_booked_and_votes_no_more(meeting: MeetingScenario) -> None:
    slot, link = meeting.slot(durationInMinutes=30), open_link(meeting)
    assert meeting.confirm(slot).status == 200
    shown = GUEST.get(link).data
    assert (shown["bookedSlotId"], shown["startTime"]) == (slot["id"], slot["startTime"])
    assert shown["timezone"] == "Europe/Paris"
    assert shown["endTime"] == instants.shift(slot["startTime"], minutes=30)
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}
    meeting.finalize()
    assert GUEST.get(link).data["status"] == "finalized"


def test_the_address_of_a_current_member_is_a_400(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot, link = meeting.slot(), open_link(meeting)
    assert set(vote(link, slot, "BEN@example.com").fields) == {"email"}
    leave(meeting.board, ben)
    assert vote(link, slot, "ben@example.com").status == 200


@pytest.mark.parametrize("kind", ["board", "personal"])
def test_a_link_lives_no_longer_than_the_token_that_made_it(meeting: MeetingScenario, clock: Clock, kind: str) -> None:
    owner = meeting.board.owner.client
    path = f"{meeting.board.path}/tokens" if kind == "board" else "/api/v1/me/tokens"
    preset = "read_write" if kind == "board" else "full_access"
    clock.advance(days=5)
    token = owner.post(path, {"name": "robot", "preset": preset, "expiresInDays": 30}).data
    clock.advance(days=25)
    opened = Client(token["secret"]).post(f"{meeting.path}/guest-link").data
    assert opened["expiresAt"] == token["expiresAt"]
    slot = meeting.slot(from_now(days=60))
    clock.advance(days=34)
    link = f"/api/v1/guest/{opened['token']}"
    assert (GUEST.get(link).status, vote(link, slot).status) == (200, 200)
    clock.advance(days=35)
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)


def test_a_link_ends_with_the_board_token_that_made_it(meeting: MeetingScenario) -> None:
    owner, slot = meeting.board.owner.client, meeting.slot()
    path = f"{meeting.board.path}/tokens"
    token = owner.post(path, {"name": "robot", "preset": "read_write", "expiresInDays": None}).data
    link = open_link(meeting, Client(token["secret"]))
    assert (GUEST.get(link).status, vote(link, slot).status) == (200, 200)
    assert owner.delete(f"{path}/{token['id']}").status == 200
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)


def test_a_link_ends_with_the_personal_token_that_made_it(meeting: MeetingScenario) -> None:
    owner, slot = meeting.board.owner.client, meeting.slot()
    body = {"name": "robot", "preset": "full_access", "expiresInDays": None}
    token, other = (owner.post("/api/v1/me/tokens", body).data for _ in range(2))
    link = open_link(meeting, Client(token["secret"]))
    assert owner.delete(f"/api/v1/me/tokens/{other['id']}").status == 200
    assert (GUEST.get(link).status, vote(link, slot).status) == (200, 200)
    assert owner.delete(f"/api/v1/me/tokens/{token['id']}").status == 200
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)


@pytest.mark.parametrize("by_token", [False, True])
def test_a_link_ends_with_the_membership_of_who_made_it(meeting: MeetingScenario, by_token: bool) -> None:
    maker, slot = meeting.board.member("mona"), meeting.slot()
    link = open_link(meeting, meeting.board.personal_token(maker) if by_token else maker.client)
    assert (GUEST.get(link).status, vote(link, slot).status) == (200, 200)
    assert meeting.board.owner.client.delete(meeting.board.member_path(maker)).status == 200
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)
    meeting.board.join(maker)
    assert GUEST.get(link).status == 404, "who joins again starts anew"


def test_a_guest_vote_is_checked_in_the_specified_order(meeting: MeetingScenario) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    path = f"{link}/slots/{slot['id']}/vote"
    meeting.board.set_billing_state("CANCELLED")
    assert GUEST.put("/api/v1/guest/unknown/slots/x/vote", {}).status == 404
    assert GUEST.put(path, {}).failure == (403, "BILLING_RESTRICTED")
    meeting.board.set_billing_state("PAID_ACTIVE")
    meeting.patch(status="completed")
    assert GUEST.put(f"{link}/slots/{'0' * 24}/vote", {}).status == 400
    assert vote(link, {"id": "0" * 24}).failure == (404, "RESOURCE_NOT_FOUND")
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}
