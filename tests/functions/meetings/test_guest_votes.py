"""Guests' votes: replaced, recorded once an hour, discarded on request, and limited."""

from __future__ import annotations

from typing import Any

import pytest

from governance.limits import GUEST_VOTES_PER_MEETING, GUEST_VOTES_PER_SLOT
from governance.store.schema.entities import MEETING_GUEST_VOTE_COUNT, SLOT_GUEST_VOTE_COUNT
from tests.functions.meetings.links import GUEST, open_link, vote
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.counts import count, set_count
from tests.harness.meeting_scenario import MeetingScenario, audit_entries, from_now, stored_events
from tests.harness.sdk import dynamodb as client
from tests.harness.stream import deliver


def is_guest_vote(item: dict[str, Any]) -> bool:
    return str(item["PK"]["S"]).startswith("GUESTS#") and "#VOTE#" in item["SK"]["S"]


def discard(meeting: MeetingScenario) -> Response:
    return meeting.board.owner.client.call("DELETE", f"{meeting.path}/guest-link", query="votes=discard")


def test_guests_votes_are_discarded_on_request_and_only_theirs(meeting: MeetingScenario, store: str) -> None:
    slot, other = meeting.slot(), meeting.slot(from_now(days=2))
    link = open_link(meeting)
    for number in range(101):
        assert vote(link, slot, f"g{number}@example.org").status == 200
    vote(link, other)
    before = meeting.listed()[0]["feedbacks"][0]
    assert discard(meeting).data == {"deleted": True}
    assert [entry["feedbacks"] for entry in meeting.listed()] == [[before], [before]]
    again = open_link(meeting)
    assert vote(again, slot, "g7@example.org", "cant").status == 200
    (closed,) = stored_events(meeting.board, "guest_link.closed")
    for _ in range(2):
        deliver(closed)
        assert [entry["email"] for entry in meeting.listed()[0]["feedbacks"]] == [None, "g7@example.org"]
    items = client().scan(TableName=store)["Items"]
    assert [item["email"]["S"] for item in items if is_guest_vote(item)] == ["g7@example.org"]
    guests = [item for item in items if item["PK"]["S"].startswith("GUESTS#")]
    counts = {item["SK"]["S"].rpartition("#")[2]: item["count"]["N"] for item in guests if "count" in item}
    assert counts == {slot["id"]: "1", other["id"]: "0", "COUNT": "1"}
    ben = meeting.board.member("ben")
    assert len(meeting.vote(ben.client, slot).data["feedbacks"]) == 3


@pytest.mark.parametrize("status", ["scheduled", "draft", "completed"])
def test_votes_are_discarded_after_their_link_was_closed(meeting: MeetingScenario, status: str, store: str) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    vote(link, slot)
    assert meeting.board.owner.client.delete(f"{meeting.path}/guest-link").status == 200
    meeting.patch(status=status)
    for _ in range(2):
        assert discard(meeting).data == {"deleted": True}
        assert [entry["isGuest"] for entry in meeting.listed()[0]["feedbacks"]] == [False]
    deliver(*stored_events(meeting.board, "guest_link.closed"))
    assert [item for item in client().scan(TableName=store)["Items"] if is_guest_vote(item)] == []
    assert meeting.board.owner.client.delete(f"{meeting.path}/guest-link").failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("query", ["votes=keep", "votes=", "vote=discard"])
def test_a_bad_wish_for_the_votes_closes_nothing(meeting: MeetingScenario, query: str) -> None:
    link = open_link(meeting)
    path = f"{meeting.path}/guest-link"
    assert meeting.board.owner.client.call("DELETE", path, query=query).failure == (400, "INVALID_QUERY_PARAMETER")
    assert GUEST.get(link).status == 200


def test_a_second_vote_of_an_address_replaces_the_first(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    link = open_link(meeting)
    first = vote(link, slot, " Gwen@Example.org ", "cant", comment="No")
    assert (first.status, first.data) == (
        200,
        {"object": "guest_vote", "slotId": slot["id"], "vote": "cant", "comment": "No"},
    )
    vote(link, slot, "hal@example.org", "ok")
    again = vote(link, slot, "gwen@example.org", "ok")
    assert again.data["comment"] is None
    guests = [entry for entry in meeting.listed()[0]["feedbacks"] if entry["isGuest"]]
    assert guests == [
        {"userId": None, "vote": "ok", "comment": None, "email": email, "isGuest": True}
        for email in ("gwen@example.org", "hal@example.org")
    ]


def test_who_votes_as_a_guest_and_then_as_a_member_has_one_vote(meeting: MeetingScenario) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    vote(link, slot, "ben@example.com", "cant")
    vote(link, slot, "gwen@example.org", "cant")
    ben = meeting.board.member("ben")
    assert [entry["vote"] for entry in meeting.listed()[0]["feedbacks"]] == ["ok", "didNotVote", "cant", "cant"]
    for choice in ("ok", "challenging"):
        voted = meeting.vote(ben.client, slot, choice).data
        assert [(entry["vote"], entry["email"]) for entry in voted["feedbacks"]] == [
            ("ok", None),
            (choice, None),
            ("cant", "gwen@example.org"),
        ]
        assert meeting.listed() == [voted]
    ids = {"boardId": meeting.board.board_id, "meetingId": slot["meetingId"], "slotId": slot["id"]}
    assert [count(kind.key_for(**ids)) for kind in (SLOT_GUEST_VOTE_COUNT, MEETING_GUEST_VOTE_COUNT)] == [1, 1]


def recorded_votes(meeting: MeetingScenario) -> tuple[int, int]:
    entries = audit_entries(meeting.board, "meetingGuestVoteCast")
    return len(entries), len(stored_events(meeting.board, "guest.vote_cast"))


def test_the_same_vote_again_changes_nothing(meeting: MeetingScenario, store: str, clock: Clock) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    first = vote(link, slot, comment="By train")
    table = client().scan(TableName=store)["Items"]
    for hours in range(3):
        clock.advance(hours=hours)
        again = vote(link, slot, " GWEN@example.org", comment="By train")
        assert (again.status, again.data) == (200, first.data)
    rates = [item for item in client().scan(TableName=store)["Items"] if not item["PK"]["S"].startswith("RATE#")]
    assert rates == [item for item in table if not item["PK"]["S"].startswith("RATE#")]
    assert recorded_votes(meeting) == (1, 1)


def test_the_same_vote_again_is_checked_like_any_other(meeting: MeetingScenario, clock: Clock) -> None:
    slot, link = meeting.slot(), open_link(meeting)
    vote(link, slot)
    meeting.board.member("gwen").client.patch("/api/v1/me", {"firstName": "Gwen"})
    vote(link, slot, "gwen@example.com")
    assert set(vote(link, slot, "gwen@example.com").fields) == {"email"}
    clock.advance(days=2)
    assert vote(link, slot).details == {"reason": "SLOT_VOTES_CLOSED"}


@pytest.mark.parametrize(("of_meeting", "limit"), [(False, GUEST_VOTES_PER_SLOT), (True, GUEST_VOTES_PER_MEETING)])
def test_a_slot_and_a_meeting_take_the_votes_of_so_many_guests_who_may_change_them(
    meeting: MeetingScenario, of_meeting: bool, limit: int
) -> None:
    slot, other, link = meeting.slot(), meeting.slot(from_now(days=3)), open_link(meeting)
    assert vote(link, slot, "first@example.org").status == 200
    ids = {"boardId": meeting.board.board_id, "meetingId": slot["meetingId"], "slotId": slot["id"]}
    set_count((MEETING_GUEST_VOTE_COUNT if of_meeting else SLOT_GUEST_VOTE_COUNT).key_for(**ids), limit - 1)
    assert vote(link, slot, "last@example.org").status == 200
    refused = vote(link, other if of_meeting else slot, "late@example.org")
    assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "LIMIT_REACHED"})
    assert vote(link, slot, "first@example.org", "cant").status == 200
    if of_meeting:
        assert meeting.remove(slot).status == 200
        assert vote(link, other, "late@example.org").status == 200
