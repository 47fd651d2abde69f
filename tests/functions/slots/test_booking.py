"""The routes that confirm and delete slots."""

from __future__ import annotations

from governance import instants
from tests.harness.meeting_scenario import MeetingScenario, audit_entries, from_now, stored_events


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
    assert meeting.remove(slot, ben.client).status == 200
    assert meeting.remove(slot).failure == (404, "RESOURCE_NOT_FOUND")
    again = meeting.slot(slot["startTime"])
    assert again["id"] != slot["id"]
    assert [entry["vote"] for entry in again["feedbacks"]] == ["ok", "didNotVote"]
    assert meeting.listed() == [again]
    assert meeting.vote(ben.client, slot).status == 404
    assert meeting.confirm(slot).status == 404
    assert meeting.remove(slot).status == 404


def test_confirming_again_changes_nothing_and_leaves_one_event_and_one_audit_entry(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    first, again = meeting.confirm(slot), meeting.confirm(slot)
    assert (again.status, again.data) == (200, first.data)
    (event,) = stored_events(meeting.board, "meeting.updated")
    assert event.refs["slotId"] == slot["id"]
    (entry,) = audit_entries(meeting.board, "meetingUpdate")
    assert entry["details"] == {"fields": ["startTime", "endTime"]}
    assert entry["actorUser"] == meeting.board.owner.id
