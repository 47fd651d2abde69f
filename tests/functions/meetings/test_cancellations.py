"""Cancellations: a meeting that does not take place, which keeps everything."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, audit_entries, new_meeting_scenario, stored_events

START = "2098-03-02T09:00:00.000Z"


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    found = new_meeting_scenario(scenario)
    assert found.patch(startTime=START).status == 200
    return found


def cancel(meeting: MeetingScenario, reason: str | None = "No quorum") -> Response:
    return meeting.board.owner.client.put(f"{meeting.path}/cancellation", {"reason": reason})


def reason_of(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


def test_a_cancelled_meeting_keeps_its_status_its_slots_and_its_votes(meeting: MeetingScenario) -> None:
    owner, ada = meeting.board.owner, meeting.board.member("ada")
    slot = meeting.slot()
    before = owner.client.get(meeting.path).data
    cancelled = cancel(meeting)
    assert cancelled.status == 200, cancelled.text
    assert cancelled.data == {
        "object": "cancellation",
        "meetingId": before["id"],
        "reason": "No quorum",
        "cancelledByUserId": owner.id,
        "cancelledAt": cancelled.data["cancelledAt"],
    }
    assert ada.client.get(f"{meeting.path}/cancellation").data == cancelled.data
    after = owner.client.get(meeting.path).data
    assert {**after, "updatedAt": None} == {**before, "updatedAt": None}
    assert [found["id"] for found in meeting.listed()] == [slot["id"]]


def test_nobody_votes_on_answers_or_books_a_cancelled_meeting(meeting: MeetingScenario) -> None:
    ada, slot = meeting.board.member("ada").client, meeting.slot()
    cancel(meeting)
    refused = [
        meeting.vote(ada, slot),
        meeting.confirm(slot),
        meeting.propose(ada),
        ada.put(f"{meeting.path}/rsvp", {"status": "accepted"}),
        meeting.patch(status="in_progress"),
        meeting.patch(startTime="2098-04-01T09:00:00.000Z"),
    ]
    assert [reason_of(each) for each in refused] == [(409, "MEETING_CANCELLED")] * len(refused)


def test_its_creator_and_admins_cancel_a_meeting_and_take_that_back(meeting: MeetingScenario) -> None:
    ada, max_ = meeting.board.member("ada"), meeting.board.member("max", access_type="manager")
    path = f"{meeting.path}/cancellation"
    for other in (ada, max_):
        assert other.client.put(path, {}).failure == (403, "FORBIDDEN")
        assert other.client.delete(path).status == 404
    assert cancel(meeting, None).data["reason"] is None
    assert ada.client.delete(path).failure == (403, "FORBIDDEN")
    assert meeting.board.owner.client.delete(path).data == {"deleted": True}
    assert meeting.board.owner.client.get(path).status == 404
    assert meeting.vote(ada.client, meeting.slot()).status == 200


def test_a_cancellation_is_recorded_and_repeating_it_is_not(meeting: MeetingScenario) -> None:
    assert cancel(meeting).data == cancel(meeting).data
    assert cancel(meeting, "Strike").data["reason"] == "Strike"
    meeting.board.owner.client.delete(f"{meeting.path}/cancellation")
    first, second = stored_events(meeting.board, "meeting.cancelled")
    assert [first.delivery_data["told"], second.delivery_data["told"]] == ["meeting_cancelled", None]
    assert len(stored_events(meeting.board, "meeting.reinstated")) == 1
    entries = audit_entries(meeting.board, "meetingUpdate")
    assert [entry["details"] for entry in entries].count({"fields": ["cancellation"]}) == 3


def test_lists_can_leave_cancelled_meetings_out(meeting: MeetingScenario) -> None:
    client, meetings = meeting.board.owner.client, f"{meeting.board.path}/meetings"
    other = new_meeting_scenario(meeting.board, title="Other")
    assert other.patch(startTime="2098-03-01T09:00:00.000Z").status == 200
    cancel(meeting)
    ids = [path.rpartition("/")[2] for path in (other.path, meeting.path)]
    listed = [
        [found["id"] for found in client.get(meetings, order="asc", **query).data]
        for query in ({}, {"cancelled": "false"}, {"cancelled": "true"}, {"cancelled": "false", "status": "scheduled"})
    ]
    assert listed == [ids, ids[:1], ids[1:], ids[:1]]
    assert client.get(meetings, cancelled="no").fields.keys() == {"cancelled"}
    client.delete(f"{meeting.path}/cancellation")
    assert [found["id"] for found in client.get(meetings, order="asc", cancelled="false").data] == ids


def test_a_guest_link_says_that_the_meeting_is_cancelled(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    token = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    cancelled = cancel(meeting).data
    guest = meeting.board.owner.client
    assert guest.get(f"/api/v1/guest/{token}").data["cancelledAt"] == cancelled["cancelledAt"]
    vote = guest.put(f"/api/v1/guest/{token}/slots/{slot['id']}/vote", {"email": "g@example.org", "vote": "ok"})
    assert reason_of(vote) == (409, "MEETING_CANCELLED")
