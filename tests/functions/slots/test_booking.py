"""The routes that confirm and delete slots."""

from __future__ import annotations

import pytest

from governance import instants
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, audit_entries, from_now, new_meeting_scenario, stored_events


def test_confirming_copies_the_slots_times_and_keeps_the_status(meeting: MeetingScenario) -> None:
    slot = meeting.slot(durationInMinutes=45)
    before = meeting.board.owner.client.get(meeting.path).data
    response = meeting.confirm(slot)
    assert response.status == 200
    booked = {"startTime": slot["startTime"], "endTime": instants.shift(slot["startTime"], minutes=45)}
    assert response.data == {**before, **booked, "updatedAt": response.data["updatedAt"]}
    assert response.data["updatedAt"] > before["updatedAt"]
    assert meeting.board.owner.client.get(meeting.path).data == response.data


def test_confirming_the_booked_slot_again_changes_nothing(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    first = meeting.confirm(slot)
    again = meeting.confirm(slot)
    assert (again.status, again.data) == (200, first.data)


def test_confirming_another_slot_replaces_the_booking(meeting: MeetingScenario) -> None:
    slot, other = meeting.slot(), meeting.slot(from_now(days=2))
    meeting.confirm(slot)
    assert meeting.confirm(other).data["startTime"] == other["startTime"]
    assert meeting.remove(other).details == {"reason": "SLOT_IS_PROMOTED"}
    assert meeting.remove(slot).status == 200


def test_the_booked_slot_cannot_be_deleted_until_the_meeting_is_moved(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    meeting.confirm(slot)
    response = meeting.remove(slot)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "SLOT_IS_PROMOTED"}
    assert meeting.patch(startTime=None).status == 200
    assert meeting.remove(slot).data == {"deleted": True}
    assert meeting.listed() == []


def test_a_deleted_slot_loses_its_votes_and_may_be_proposed_again(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot, "cant")
    assert meeting.remove(slot, ben.client).status == 200
    assert meeting.remove(slot).failure == (404, "RESOURCE_NOT_FOUND")
    again = meeting.slot(slot["startTime"])
    assert again["id"] != slot["id"]
    assert [entry["vote"] for entry in again["feedbacks"]] == ["ok", "didNotVote"]
    assert meeting.listed() == [again]
    assert meeting.vote(ben.client, slot).status == 404
    assert meeting.confirm(slot).status == 404
    assert meeting.remove(slot).status == 404


def test_a_past_slot_cannot_be_confirmed(meeting: MeetingScenario, clock: Clock) -> None:
    slot = meeting.slot(from_now(minutes=5))
    clock.advance(minutes=6)
    response = meeting.confirm(slot)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "SLOT_START_IN_PAST"}
    assert meeting.remove(slot).status == 200


def test_finalized_is_the_first_reason_of_a_conflict(meeting: MeetingScenario, clock: Clock) -> None:
    slot = meeting.slot(from_now(minutes=5))
    meeting.finalize()
    clock.advance(minutes=6)
    assert meeting.confirm(slot).details == {"reason": "MEETING_FINALIZED"}


@pytest.mark.parametrize("status", ["draft", "scheduled", "in_progress", "completed"])
def test_a_meeting_in_any_status_but_finalized_can_be_booked(scenario: BoardScenario, status: str) -> None:
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot()
    meeting.patch(status=status)
    assert meeting.confirm(slot).data["status"] == status


def test_confirming_takes_no_body_and_needs_a_collaborator(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    gil, ben = meeting.board.member("gil", access_type="guest"), meeting.board.member("ben")
    path = f"{meeting.slots}/{slot['id']}/confirm"
    assert ben.client.post(path, {"a": 1}).fields == {"body": "must be empty"}
    assert gil.client.post(path).failure == (403, "FORBIDDEN")
    assert meeting.remove(slot, gil.client).failure == (403, "FORBIDDEN")
    assert meeting.confirm(slot, meeting.board.token()).status == 200
    meeting.board.set_billing_state("PAST_DUE_RESTRICTED")
    assert ben.client.post(path).failure == (403, "BILLING_RESTRICTED")
    assert meeting.remove(slot).failure == (403, "BILLING_RESTRICTED")


def test_the_event_of_a_drafts_slot_is_hidden(scenario: BoardScenario) -> None:
    draft, open_one = new_meeting_scenario(scenario, "draft"), new_meeting_scenario(scenario)
    for meeting in (draft, open_one):
        assert meeting.confirm(meeting.slot()).status == 200
    for kind in ("slot.proposed", "meeting.updated"):
        assert {event.draft_of for event in stored_events(scenario, kind)} == {scenario.owner.id, None}


def test_confirming_writes_one_event_and_one_audit_entry(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    meeting.confirm(slot)
    meeting.confirm(slot)
    (event,) = stored_events(meeting.board, "meeting.updated")
    assert event.refs["slotId"] == slot["id"]
    (entry,) = audit_entries(meeting.board, "meetingUpdate")
    assert entry["details"] == {"fields": ["startTime", "endTime"]}
    assert entry["actorUser"] == meeting.board.owner.id


def test_the_audit_log_names_what_the_booking_changed(meeting: MeetingScenario) -> None:
    first = from_now(days=1)
    second = instants.shift(instants.parse(first), hours=1)
    for slot in (meeting.slot(first, durationInMinutes=120), meeting.slot(second, durationInMinutes=60)):
        assert meeting.confirm(slot).status == 200
    fields = [entry["details"]["fields"] for entry in audit_entries(meeting.board, "meetingUpdate")]
    assert fields == [["startTime", "endTime"], ["startTime"]]
