"""The routes of slots: proposing and listing them, votes, bookings and deletions."""

from __future__ import annotations

from typing import Any

import pytest

from governance import instants
from governance.limits import SLOTS_PER_MEETING
from tests.harness.board_scenario import Person
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, from_now, stored_events


def test_a_slot_has_exactly_the_specified_fields_and_its_creators_vote(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    start = from_now(days=1)
    response = meeting.propose(start=start)
    assert response.status == 201
    nobodys = {"comment": None, "email": None, "isGuest": False}
    assert response.data == {
        "object": "proposed_slot",
        "id": response.data["id"],
        "meetingId": meeting.path.rsplit("/", 1)[1],
        "createdByUserId": meeting.board.owner.id,
        "startTime": start,
        "timezone": "Europe/Paris",
        "durationInMinutes": 120,
        "feedbacks": [
            {"userId": meeting.board.owner.id, "vote": "ok", **nobodys},
            {"userId": ben.id, "vote": "didNotVote", **nobodys},
        ],
        "createdAt": response.data["createdAt"],
        "updatedAt": response.data["createdAt"],
    }
    assert meeting.listed() == [response.data]


def test_slots_are_listed_by_start_without_paging(meeting: MeetingScenario) -> None:
    starts = [from_now(days=days) for days in (3, 1, 2)]
    for start in starts:
        meeting.slot(start)
    assert [slot["startTime"] for slot in meeting.listed()] == sorted(starts)
    response = meeting.board.owner.client.get(meeting.slots)
    assert response.json["meta"] == {"nextCursor": None, "hasMore": False}
    assert meeting.board.owner.client.get(meeting.slots, limit=5).fields == {"limit": "is not a known parameter"}


@pytest.mark.parametrize("spelling", ["2059-03-29T15:30:00.000000-18:00", "2059-03-30T09:30:00.0009999Z"])
def test_two_slots_cannot_start_at_the_same_instant(meeting: MeetingScenario, spelling: str) -> None:
    first = meeting.slot("2059-03-30T09:30:00Z")
    response = meeting.propose(start=spelling)
    assert (response.failure, response.details) == ((409, "CONFLICT"), {"slotId": first["id"]})
    assert meeting.listed() == [first]


def test_the_past_begins_at_the_instant_of_the_request_and_is_named_with_every_other_fault(
    meeting: MeetingScenario, clock: Clock
) -> None:
    soon = from_now(days=1)
    assert meeting.propose(start=soon).status == 201
    clock.advance(days=10)
    answer = meeting.propose(start=soon, timezone="Mars", durationInMinutes=1)
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert answer.fields.keys() == {"startTime", "timezone", "durationInMinutes"}


def test_the_latest_possible_slot_ends_within_the_supported_years(meeting: MeetingScenario) -> None:
    slot = meeting.slot("9999-12-31T20:59:59.999Z", durationInMinutes=180)
    assert meeting.confirm(slot).data["endTime"] == "9999-12-31T23:59:59.999Z"


def test_a_board_token_proposes_without_a_creator_or_a_vote(meeting: MeetingScenario) -> None:
    response = meeting.propose(meeting.board.token())
    assert response.status == 201
    assert response.data["createdByUserId"] is None
    assert [entry["vote"] for entry in response.data["feedbacks"]] == ["didNotVote"]


def test_a_meeting_has_at_most_as_many_slots_as_its_limit_says(meeting: MeetingScenario) -> None:
    first, *_ = [meeting.slot(from_now(days=1, minutes=number)) for number in range(SLOTS_PER_MEETING)]
    response = meeting.propose(start=from_now(days=9))
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "LIMIT_REACHED"}
    assert meeting.propose(start=first["startTime"]).details == {"slotId": first["id"]}
    assert meeting.remove(first).status == 200
    assert meeting.propose(start=from_now(days=9)).status == 201
    assert meeting.propose(start=from_now(days=10)).details == {"reason": "LIMIT_REACHED"}


def of(slot: Any, user: Person) -> Any:
    return next(entry for entry in slot["feedbacks"] if entry["userId"] == user.id)


def test_votes_are_listed_in_the_order_of_joining(meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot()
    response = meeting.vote(ben.client, slot, "challenging", comment="If I must")
    assert response.status == 200
    assert [entry["userId"] for entry in response.data["feedbacks"]] == [meeting.board.owner.id, ben.id, cleo.id]
    assert of(response.data, ben) == {
        "userId": ben.id,
        "vote": "challenging",
        "comment": "If I must",
        "email": None,
        "isGuest": False,
    }
    assert of(response.data, cleo)["vote"] == "didNotVote"
    assert meeting.listed() == [response.data]


def test_a_vote_replaces_the_whole_earlier_vote(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    caller = meeting.board.owner
    meeting.vote(caller.client, slot, "cant", comment="No")
    response = meeting.vote(caller.client, slot, "ok")
    assert of(response.data, caller)["vote"] == "ok"
    assert of(response.data, caller)["comment"] is None
    assert of(meeting.vote(caller.client, slot, "ok", comment=None).data, caller)["comment"] is None
    assert len(meeting.listed()[0]["feedbacks"]) == 1


def test_confirming_copies_the_slots_times_and_keeps_the_status(meeting: MeetingScenario) -> None:
    slot = meeting.slot(durationInMinutes=45)
    before = meeting.board.owner.client.get(meeting.path).data
    response = meeting.confirm(slot)
    assert response.status == 200
    booked = {"startTime": slot["startTime"], "endTime": instants.shift(slot["startTime"], minutes=45)}
    assert response.data == {**before, **booked, "updatedAt": response.data["updatedAt"]}
    assert response.data["updatedAt"] > before["updatedAt"]
    assert meeting.board.owner.client.get(meeting.path).data == response.data


def test_confirming_another_slot_replaces_the_booking_which_keeps_its_slot_until_it_is_moved(
    meeting: MeetingScenario,
) -> None:
    slot, other = meeting.slot(), meeting.slot(from_now(days=2))
    meeting.confirm(slot)
    assert meeting.confirm(other).data["startTime"] == other["startTime"]
    assert meeting.remove(slot).status == 200
    refused = meeting.remove(other)
    assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "SLOT_IS_PROMOTED"})
    assert meeting.patch(startTime=None).status == 200
    assert meeting.remove(other).data == {"deleted": True}
    assert meeting.listed() == []


def test_a_deleted_slot_loses_its_votes_and_may_be_proposed_again(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot, "cant")
    assert meeting.remove(slot).status == 200
    assert meeting.remove(slot).failure == (404, "RESOURCE_NOT_FOUND")
    again = meeting.slot(slot["startTime"])
    assert again["id"] != slot["id"]
    assert [entry["vote"] for entry in again["feedbacks"]] == ["ok", "didNotVote"]
    assert meeting.listed() == [again]
    assert meeting.vote(ben.client, slot).status == 404
    assert meeting.confirm(slot).status == 404
    assert meeting.remove(slot).status == 404


def test_a_slot_that_others_have_voted_on_is_not_removed_by_a_member_who_neither_proposed_it_nor_is_a_manager(
    meeting: MeetingScenario,
) -> None:
    ada, ben = meeting.board.member("ada"), meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot)
    assert meeting.remove(slot, ada.client).failure == (403, "FORBIDDEN")
    assert [found["id"] for found in meeting.listed()] == [slot["id"]]
    mine = meeting.propose(ada.client, from_now(days=2)).data
    meeting.vote(ben.client, mine)
    assert meeting.remove(mine, ada.client).status == 200
    assert meeting.remove(slot).status == 200, "the owner manages the board"


def test_a_removed_slot_names_the_members_who_have_voted_on_it(meeting: MeetingScenario) -> None:
    ada, ben = meeting.board.member("ada"), meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ada.client, slot)
    with meanwhile(lambda: meeting.vote(ben.client, slot)):
        assert meeting.remove(slot).status == 200
    (event,) = stored_events(meeting.board, "slot.removed")
    assert len(event.delivery_data["voterIds"]) == 3, "also one who voted at the same moment"
