"""The routes of guest links and of guests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance import instants
from tests.functions.guests.links import GUEST, open_link, vote
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import (
    MeetingScenario,
    audit_entries,
    from_now,
    leave,
    new_meeting_scenario,
    stored_events,
)
from tests.harness.sdk import dynamodb as client
from tests.harness.store_calls import requests_to


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


def test_the_token_is_not_stored(meeting: MeetingScenario, store: str) -> None:
    response = meeting.board.owner.client.post(f"{meeting.path}/guest-link", idempotency_key="k")
    everything = json.dumps(client().scan(TableName=store)["Items"])
    assert response.data["token"] not in everything
    assert response.data["token"][-16:] not in everything


def test_a_guest_sees_counts_and_no_names(meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot(durationInMinutes=30)
    link = open_link(meeting, ben.client)
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


def test_a_guest_sees_what_was_booked(meeting: MeetingScenario) -> None:
    slot, link = meeting.slot(durationInMinutes=30), open_link(meeting)
    assert meeting.confirm(slot).status == 200
    shown = GUEST.get(link).data
    assert (shown["bookedSlotId"], shown["startTime"], shown["timezone"]) == (
        slot["id"],
        slot["startTime"],
        "Europe/Paris",
    )
    assert shown["endTime"] == instants.shift(slot["startTime"], minutes=30)


def test_many_views_of_a_link_in_an_hour_are_one_entry(meeting: MeetingScenario, clock: Clock) -> None:
    first = open_link(meeting)
    for minutes in (0, 1, 59, 61, 62):
        clock.advance(minutes=minutes)
        assert GUEST.get(first).status == 200
    assert len(audit_entries(meeting.board, "meetingGuestSlotsViewed")) == 2
    assert len(stored_events(meeting.board, "guest.slots_viewed")) == 2
    second = open_link(meeting)
    assert GUEST.get(second).status == GUEST.get(second).status == 200
    assert len(audit_entries(meeting.board, "meetingGuestSlotsViewed")) == 3


def test_a_view_holds_nothing_that_a_members_write_needs(meeting: MeetingScenario) -> None:
    link = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data
    with requests_to("dynamodb.TransactWriteItems") as requests:
        assert Client().get(f"/api/v1/guest/{link['token']}").status == 200
    parts = [part for request in requests for entry in request["TransactItems"] for part in entry.values()]
    held = [str((part.get("Key") or part["Item"])["PK"]["S"]).partition("#")[0] for part in parts]
    assert sorted(held) == ["AUDIT", "BOARD", "EVENTS", "GUESTS"]


def test_opening_and_closing_a_link_are_events_that_hide_like_their_meeting(meeting: MeetingScenario) -> None:
    open_link(meeting)
    meeting.patch(status="draft")
    assert meeting.board.owner.client.delete(f"{meeting.path}/guest-link").status == 200
    (opened,), (closed,) = (stored_events(meeting.board, f"guest_link.{what}") for what in ("opened", "closed"))
    assert opened.details == closed.details == {"id": meeting.path.rpartition("/")[2], "title": "Spring"}
    assert (opened.draft_of, closed.draft_of) == (None, meeting.board.owner.id)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"vote": "ok"}, "email"),
    ({"email": None, "vote": "ok"}, "email"),
    ({"email": "gwen", "vote": "ok"}, "email"),
    ({"email": "gwen@localhost", "vote": "ok"}, "email"),
    ({"email": "x" * 65 + "@example.org", "vote": "ok"}, "email"),
    ({"email": "gw\u00e9n@example.org", "vote": "ok"}, "email"),
    ({"email": "gwen@example.org"}, "vote"),
    ({"email": "gwen@example.org", "vote": "didNotVote"}, "vote"),
    ({"email": "gwen@example.org", "vote": "ok", "comment": "\U0001f5d3" * 501}, "comment"),
    ({"email": "gwen@example.org", "vote": "ok", "comment": "a\x1b"}, "comment"),
    ({"email": "gwen@example.org", "vote": "ok", "isGuest": True}, "isGuest"),
]


@pytest.mark.parametrize(("body", "field"), BAD)
def test_an_invalid_guest_vote_is_named_and_changes_nothing(
    meeting: MeetingScenario, body: dict[str, Any], field: str
) -> None:
    slot = meeting.slot()
    response = GUEST.put(f"{open_link(meeting)}/slots/{slot['id']}/vote", body)
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert set(response.fields) == {field}
    assert meeting.listed() == [slot]


def test_the_address_of_a_current_member_is_a_400(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot, link = meeting.slot(), open_link(meeting)
    assert set(vote(link, slot, "BEN@example.com").fields) == {"email"}
    leave(meeting.board, ben)
    assert vote(link, slot, "ben@example.com").status == 200


@pytest.mark.parametrize("token", ["x", "A" * 64, "A" * 63, "A" * 65, "!" * 64, "0" * 24])
def test_an_unknown_link_is_a_404(meeting: MeetingScenario, token: str) -> None:
    slot = meeting.slot()
    open_link(meeting)
    assert GUEST.get(f"/api/v1/guest/{token}").failure == (404, "RESOURCE_NOT_FOUND")
    assert vote(f"/api/v1/guest/{token}", slot).failure == (404, "RESOURCE_NOT_FOUND")


def test_another_secret_for_the_same_meeting_is_a_404(meeting: MeetingScenario) -> None:
    link = open_link(meeting)
    forged = link[:-4] + ("AAAA" if link[-4:] != "AAAA" else "BBBB")
    assert GUEST.get(forged).status == 404
    assert GUEST.get(link).status == 200


def test_a_replaced_or_closed_link_is_a_404(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    old, new = open_link(meeting), open_link(meeting)
    assert (GUEST.get(old).status, GUEST.get(new).status) == (404, 200)
    vote(new, slot)
    path = f"{meeting.path}/guest-link"
    assert meeting.board.owner.client.delete(path).data == {"deleted": True}
    assert meeting.board.owner.client.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert (GUEST.get(new).status, vote(new, slot).status) == (404, 404)
    assert meeting.listed()[0]["feedbacks"][-1]["email"] == "gwen@example.org"


def test_a_link_expires_after_thirty_days(meeting: MeetingScenario, clock: Clock) -> None:
    slot, link = meeting.slot(from_now(days=60)), open_link(meeting)
    clock.advance(days=30)
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)


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


def test_a_draft_has_no_valid_link(scenario: BoardScenario) -> None:
    draft = new_meeting_scenario(scenario, "draft")
    refused = scenario.owner.client.post(f"{draft.path}/guest-link")
    assert refused.failure == (409, "CONFLICT")
    assert refused.details == {"reason": "MEETING_IS_DRAFT"}
    ben = scenario.member("ben")
    assert ben.client.post(f"{draft.path}/guest-link").status == 404
    draft.patch(status="scheduled")
    slot, link = draft.slot(), open_link(draft)
    draft.patch(status="draft")
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)


def test_a_link_to_a_deleted_meeting_or_board_is_a_404(meeting: MeetingScenario) -> None:
    other = new_meeting_scenario(meeting.board)
    slot, link, last = meeting.slot(), open_link(meeting), open_link(other)
    meeting.board.owner.client.delete(meeting.path)
    assert (GUEST.get(link).status, vote(link, slot).status) == (404, 404)
    meeting.board.owner.client.delete(meeting.board.path)
    assert GUEST.get(last).status == 404


def test_a_guest_vote_is_checked_in_the_specified_order(meeting: MeetingScenario) -> None:
    scenario, slot = meeting.board, meeting.slot()
    link = open_link(meeting)
    path = f"{link}/slots/{slot['id']}/vote"
    scenario.set_billing_state("CANCELLED")
    assert GUEST.put("/api/v1/guest/unknown/slots/x/vote", {}).status == 404
    assert GUEST.put(path, {}).failure == (403, "BILLING_RESTRICTED")
    assert GUEST.get(link).status == 200
    scenario.set_billing_state("PAID_ACTIVE")
    meeting.patch(status="completed")
    assert GUEST.call("PUT", path, raw="{}", headers={"content-type": "text/plain"}).status == 415
    assert GUEST.call("PUT", path, raw=" " * (256 * 1024 + 1)).status == 413
    assert GUEST.put(f"{link}/slots/{'0' * 24}/vote", {}).status == 400
    assert vote(link, {"id": "0" * 24}).failure == (404, "RESOURCE_NOT_FOUND")
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}
    assert GUEST.get(link, page=1).failure == (400, "INVALID_QUERY_PARAMETER")


def test_guest_votes_close_with_member_votes_but_the_view_stays(meeting: MeetingScenario, clock: Clock) -> None:
    slot, soon, link = meeting.slot(), meeting.slot(from_now(minutes=5)), open_link(meeting)
    clock.advance(minutes=6)
    assert vote(link, soon).details == {"reason": "SLOT_VOTES_CLOSED"}
    assert meeting.confirm(slot).status == 200
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}
    meeting.finalize()
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}
    assert GUEST.get(link).data["status"] == "finalized"


def test_only_contributors_create_and_delete_links(meeting: MeetingScenario) -> None:
    scenario, path = meeting.board, f"{meeting.path}/guest-link"
    gil = scenario.member("gil", access_type="guest")
    for caller in (gil.client, scenario.token("read_only")):
        assert caller.post(path).failure == (403, "FORBIDDEN")
        assert caller.delete(path).failure == (403, "FORBIDDEN")
    assert scenario.token().post(path).status == 201
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.post(path).failure == (403, "BILLING_RESTRICTED")


def test_guest_views_and_votes_are_audited_without_an_actor(meeting: MeetingScenario) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    GUEST.get(link)
    vote(link, slot)
    for action, kind in (
        ("meetingGuestSlotsViewed", "guest.slots_viewed"),
        ("meetingGuestVoteCast", "guest.vote_cast"),
    ):
        (entry,) = audit_entries(meeting.board, action)
        assert (entry["actorUser"], entry["createdVia"]) == (None, None)
        assert entry["details"] == {"id": slot["meetingId"], "title": "Spring"}
        (event,) = stored_events(meeting.board, kind)
        assert "gwen" not in event.to_json()


def test_guests_share_the_rate_limit_of_their_ip_address(meeting: MeetingScenario) -> None:
    link = open_link(meeting)
    first, second = (int(GUEST.get(link).headers["RateLimit-Remaining"]) for _ in range(2))
    assert second == first - 1
    assert GUEST.get(link).headers["RateLimit-Limit"] == "150"
