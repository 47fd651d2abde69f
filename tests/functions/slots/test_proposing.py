"""The routes that propose and list slots."""

from __future__ import annotations

import pytest

from governance import instants
from governance.limits import SLOTS_PER_MEETING
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, from_now


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


def test_slots_in_the_gap_and_both_passes_of_a_fold_of_a_time_zone_are_accepted(meeting: MeetingScenario) -> None:
    starts = ("2058-03-31T02:30:00+01:00", "2058-10-27T02:30:00+02:00", "2058-10-27T02:30:00+01:00")
    for start in starts:
        meeting.slot(start)
    shown = [(slot["startTime"], slot["timezone"]) for slot in meeting.listed()]
    assert shown == [(instants.parse(start), "Europe/Paris") for start in starts]


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
