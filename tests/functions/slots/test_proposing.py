"""The routes that propose and list slots."""

from __future__ import annotations

from typing import Any

import pytest

from governance import instants
from governance.limits import SLOTS_PER_MEETING
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario

MEMBERS = {
    "object",
    "id",
    "meetingId",
    "createdByUserId",
    "startTime",
    "timezone",
    "durationInMinutes",
    "feedbacks",
    "createdAt",
    "updatedAt",
}


def test_a_slot_has_exactly_the_specified_fields_and_its_creators_vote(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    start = from_now(days=1)
    response = meeting.propose(start=start)
    assert response.status == 201
    assert set(response.data) == MEMBERS
    assert response.data["object"] == "proposed_slot"
    assert response.data["meetingId"] == meeting.path.rsplit("/", 1)[1]
    assert response.data["createdByUserId"] == meeting.board.owner.id
    assert response.data["startTime"] == start
    assert response.data["durationInMinutes"] == 120
    assert response.data["feedbacks"] == [
        {"userId": meeting.board.owner.id, "vote": "ok", "comment": None, "email": None, "isGuest": False},
        {"userId": ben.id, "vote": "didNotVote", "comment": None, "email": None, "isGuest": False},
    ]
    assert meeting.listed() == [response.data]


def test_slots_are_listed_by_start_without_paging(meeting: MeetingScenario) -> None:
    starts = [from_now(days=days) for days in (3, 1, 2)]
    for start in starts:
        meeting.slot(start)
    assert [slot["startTime"] for slot in meeting.listed()] == sorted(starts)
    response = meeting.board.owner.client.get(meeting.slots)
    assert response.json["meta"] == {"nextCursor": None, "hasMore": False}
    assert meeting.board.owner.client.get(meeting.slots, limit=5).fields == {"limit": "is not a known parameter"}


@pytest.mark.parametrize(
    "spelling",
    [
        "2059-03-30T09:30:00Z",
        "2059-03-30T09:30:00.000Z",
        "2059-03-30T09:30:00+00:00",
        "2059-03-30T11:30:00+02:00",
        "2059-03-29T15:30:00.000000-18:00",
        "2059-03-30T09:30:00.0009999Z",
    ],
)
def test_two_slots_cannot_start_at_the_same_instant(meeting: MeetingScenario, spelling: str) -> None:
    first = meeting.slot("2059-03-30T09:30:00Z")
    response = meeting.propose(start=spelling)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"slotId": first["id"]}
    assert len(meeting.listed()) == 1


@pytest.mark.parametrize(
    "start", ["2058-03-31T02:30:00+01:00", "2058-10-27T02:30:00+02:00", "2058-10-27T02:30:00+01:00"]
)
def test_slots_in_the_gap_and_the_fold_of_a_time_zone_are_accepted(meeting: MeetingScenario, start: str) -> None:
    slot = meeting.slot(start)
    assert slot["startTime"] == instants.parse(start)
    assert slot["timezone"] == "Europe/Paris"


def test_the_past_begins_at_the_instant_of_the_request_and_is_named_with_every_other_fault(
    meeting: MeetingScenario, clock: Clock
) -> None:
    soon = from_now(days=1)
    assert meeting.propose(start=soon).status == 201
    clock.advance(days=10)
    answer = meeting.propose(start=soon, timezone="Mars", durationInMinutes=1)
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert answer.fields.keys() == {"startTime", "timezone", "durationInMinutes"}


def test_the_two_passes_of_a_fold_are_two_slots(meeting: MeetingScenario) -> None:
    meeting.slot("2058-10-27T02:30:00+02:00")
    meeting.slot("2058-10-27T02:30:00+01:00")
    assert len(meeting.listed()) == 2


BAD: list[tuple[str, Any]] = [
    ("startTime", None),
    ("startTime", 1),
    ("startTime", True),
    ("startTime", ""),
    ("startTime", "tomorrow"),
    ("startTime", "2059-03-30"),
    ("startTime", "2059-03-30T09:30:00"),
    ("startTime", "2059-03-30T09:30:00z"),
    ("startTime", "2059-03-30 09:30:00Z"),
    ("startTime", "2059-03-30T24:00:00Z"),
    ("startTime", "2059-03-30T09:30:60Z"),
    ("startTime", "2059-02-29T09:30:00Z"),
    ("startTime", "2059-03-30T09:30:00+18:01"),
    ("startTime", "0001-01-01T00:00:00+14:00"),
    ("startTime", "9999-12-31T23:59:59-01:00"),
    ("startTime", "9999-12-31T21:00:00Z"),
    ("startTime", "2001-01-01T00:00:00Z"),
    ("timezone", None),
    ("timezone", ""),
    ("timezone", 1),
    ("timezone", "europe/paris"),
    ("timezone", "CEST"),
    ("timezone", "+02:00"),
    ("timezone", "localtime"),
    ("timezone", "Factory"),
    ("timezone", "posix/UTC"),
    ("timezone", "../../etc/passwd"),
    ("durationInMinutes", 14),
    ("durationInMinutes", 181),
    ("durationInMinutes", 0),
    ("durationInMinutes", -60),
    ("durationInMinutes", 10**30),
    ("durationInMinutes", "60"),
    ("durationInMinutes", 60.5),
    ("durationInMinutes", 60.5),
    ("durationInMinutes", True),
    ("durationInMinutes", None),
    ("durationInMinutes", [60]),
    ("endTime", "2059-03-30T10:30:00Z"),
    ("feedbacks", []),
]


@pytest.mark.parametrize(("member", "value"), BAD)
def test_an_invalid_field_is_named_and_nothing_is_created(meeting: MeetingScenario, member: str, value: Any) -> None:
    response = meeting.propose(**{"start": "2059-03-30T09:30:00Z", member: value})
    assert response.failure == (400, "INVALID_REQUEST_BODY"), response.text
    assert set(response.fields) == {member}
    assert meeting.listed() == []


def test_every_invalid_field_is_named_at_once(meeting: MeetingScenario) -> None:
    body = {"startTime": "2001-01-01T00:00:00Z", "timezone": "Nowhere", "durationInMinutes": 5, "who": 1}
    response = meeting.board.owner.client.post(meeting.slots, body)
    assert set(response.fields) == {"startTime", "timezone", "durationInMinutes", "who"}
    assert meeting.board.owner.client.post(meeting.slots, {}).fields.keys() == {"startTime", "timezone"}


@pytest.mark.parametrize("minutes", [15, 16, 179, 180])
def test_durations_within_the_limits_are_accepted(meeting: MeetingScenario, minutes: int) -> None:
    assert meeting.slot(durationInMinutes=minutes)["durationInMinutes"] == minutes


def test_the_latest_possible_slot_ends_within_the_supported_years(meeting: MeetingScenario) -> None:
    slot = meeting.slot("9999-12-31T20:59:59.999Z", durationInMinutes=180)
    assert meeting.confirm(slot).data["endTime"] == "9999-12-31T23:59:59.999Z"


def test_a_bad_body_is_a_400_before_a_missing_meeting_is_a_404(meeting: MeetingScenario) -> None:
    path = f"{meeting.board.path}/meetings/{'0' * 24}/slots"
    client = meeting.board.owner.client
    assert client.post(path, {"startTime": "2001-01-01T00:00:00Z", "timezone": "UTC"}).status == 400
    assert client.post(path, {"startTime": from_now(days=1), "timezone": "UTC"}).failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("status", ["draft", "scheduled"])
def test_a_draft_or_scheduled_meeting_takes_slots_even_if_booked(scenario: BoardScenario, status: str) -> None:
    meeting = new_meeting_scenario(scenario, status)
    assert meeting.confirm(meeting.slot()).status == 200
    assert meeting.propose(start=from_now(days=2)).status == 201


@pytest.mark.parametrize("status", ["in_progress", "completed"])
def test_a_meeting_in_a_later_status_takes_no_slots(scenario: BoardScenario, status: str) -> None:
    meeting = new_meeting_scenario(scenario, status)
    response = meeting.propose()
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "SLOT_VOTES_CLOSED"}


def test_a_finalized_meeting_names_its_status_as_the_reason(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    meeting.finalize()
    for response in (meeting.propose(start=from_now(days=3)), meeting.remove(slot), meeting.confirm(slot)):
        assert response.failure == (409, "CONFLICT")
        assert response.details == {"reason": "MEETING_FINALIZED"}
    assert meeting.vote(meeting.board.owner.client, slot).details == {"reason": "SLOT_VOTES_CLOSED"}


def test_a_board_token_proposes_without_a_creator_or_a_vote(meeting: MeetingScenario) -> None:
    response = meeting.propose(meeting.board.token())
    assert response.status == 201
    assert response.data["createdByUserId"] is None
    assert [entry["vote"] for entry in response.data["feedbacks"]] == ["didNotVote"]


def test_a_caller_without_the_right_proposes_nothing(meeting: MeetingScenario) -> None:
    scenario = meeting.board
    guest = scenario.member("gil", access_type="guest")
    reader = scenario.personal_token(scenario.owner, "read_only")
    assert meeting.propose(guest.client).failure == (403, "FORBIDDEN")
    assert meeting.listed(guest.client) == []
    assert meeting.propose(scenario.token("read_only")).failure == (403, "FORBIDDEN")
    assert meeting.propose(reader).details == {"requiredScope": "meetings:write"}
    assert meeting.propose(Client()).failure == (401, "UNAUTHENTICATED")
    scenario.set_billing_state("CANCELLED")
    assert meeting.propose().failure == (403, "BILLING_RESTRICTED")
    assert meeting.listed() == []


def test_the_resources_of_a_draft_are_hidden(scenario: BoardScenario) -> None:
    ben = scenario.member("ben", admin_role="admin")
    draft = new_meeting_scenario(scenario, "draft")
    slot = draft.slot()
    for caller in (ben.client, scenario.personal_token(ben), scenario.token()):
        assert caller.get(draft.slots).failure == (404, "RESOURCE_NOT_FOUND")
        assert draft.propose(caller).failure == (404, "RESOURCE_NOT_FOUND")
        assert draft.confirm(slot, caller).failure == (404, "RESOURCE_NOT_FOUND")
        assert draft.remove(slot, caller).failure == (404, "RESOURCE_NOT_FOUND")
    assert draft.vote(ben.client, slot).failure == (404, "RESOURCE_NOT_FOUND")
    assert draft.vote(scenario.token(), slot).failure == (403, "FORBIDDEN")
    assert draft.listed() == [slot]


def test_a_meeting_has_at_most_as_many_slots_as_its_limit_says(meeting: MeetingScenario) -> None:
    first, *_ = [meeting.slot(from_now(days=1, minutes=number)) for number in range(SLOTS_PER_MEETING)]
    response = meeting.propose(start=from_now(days=9))
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "LIMIT_REACHED"}
    assert meeting.propose(start=first["startTime"]).details == {"slotId": first["id"]}
    assert meeting.remove(first).status == 200
    assert meeting.propose(start=from_now(days=9)).status == 201
    assert meeting.propose(start=from_now(days=10)).details == {"reason": "LIMIT_REACHED"}


def test_a_retry_with_the_same_key_creates_one_slot(meeting: MeetingScenario) -> None:
    body = {"startTime": from_now(days=1), "timezone": "UTC"}
    client = meeting.board.owner.client
    first = client.post(meeting.slots, body, idempotency_key="once")
    again = client.post(meeting.slots, body, idempotency_key="once")
    assert (again.status, again.text) == (201, first.text)
    assert again.headers["Idempotent-Replayed"] == "true"
