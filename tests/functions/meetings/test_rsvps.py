"""The routes of attendance: answer, take back, list."""

from __future__ import annotations

from typing import Any

from governance.models.history.event import Event
from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import MeetingScenario, from_now, stored_events
from tests.harness.stream import event_records, process_records


def answer(meeting: MeetingScenario, user: Person, status: str, **members: Any) -> Any:
    response = user.client.put(f"{meeting.path}/rsvp", {"status": status, **members})
    assert response.status == 200, response.text
    return response.data


def listed(meeting: MeetingScenario, user: Person | None = None) -> list[Any]:
    response = (user or meeting.board.owner).client.get(f"{meeting.path}/rsvps")
    assert response.status == 200, response.text
    assert response.json["meta"] == {"nextCursor": None, "hasMore": False}
    return list(response.data)


def notified(user: Person) -> list[tuple[str, str]]:
    rows = user.client.get("/api/notification/").json
    return [(row["message"], row["meetingLink"]) for row in rows if row["type"] == "meeting_rsvp_changed"]


def test_an_answer_is_listed_in_the_order_of_joining(meeting: MeetingScenario) -> None:
    ben, gwen = meeting.board.member("ben"), meeting.board.member("gwen", access_type="guest")
    given = answer(meeting, gwen, "tentative", comment="By train")
    assert given == {
        "object": "rsvp",
        "meetingId": meeting.path.rpartition("/")[2],
        "userId": gwen.id,
        "status": "tentative",
        "comment": "By train",
        "updatedAt": given["updatedAt"],
    }
    assert [entry["userId"] for entry in listed(meeting)] == [meeting.board.owner.id, ben.id, gwen.id]
    assert listed(meeting)[1] == {**given, "userId": ben.id, "status": "noAnswer", "comment": None, "updatedAt": None}
    assert listed(meeting, gwen)[2] == given


def test_an_answer_can_be_taken_back_and_nothing_can_be_taken_back_twice(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    answer(meeting, ben, "accepted", comment="Yes")
    for _ in range(2):
        response = ben.client.delete(f"{meeting.path}/rsvp")
        assert (response.status, response.data) == (200, {"deleted": True})
    entry = listed(meeting)[1]
    assert (entry["status"], entry["comment"], entry["updatedAt"]) == ("noAnswer", None, None)
    changes = [event.details for event in stored_events(meeting.board, Event.RSVP_CHANGED)]
    assert changes == [{"from": "noAnswer", "to": "accepted"}, {"from": "accepted", "to": "noAnswer"}]


def test_a_booking_answers_for_those_who_voted_ok_until_another_booking_or_none(meeting: MeetingScenario) -> None:
    owner, ben = meeting.board.owner, meeting.board.member("ben")
    first, second = (meeting.slot(start=from_now(days=day)) for day in (1, 2))
    meeting.vote(ben.client, first)
    meeting.vote(owner.client, second, "cant")
    answer(meeting, meeting.board.member("gwen"), "declined")
    statuses = []
    for booked in (first, second, first, None):
        response = meeting.confirm(booked) if booked else meeting.patch(startTime=None, endTime=None)
        assert response.status == 200
        statuses.append([entry["status"] for entry in listed(meeting)])
    by_first, by_none = ["accepted", "accepted", "declined"], ["noAnswer", "noAnswer", "declined"]
    assert statuses == [by_first, by_none, by_first, by_none]


def test_a_new_status_notifies_the_creator_and_the_same_status_nobody(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    for status in ("accepted", "accepted", "declined"):
        answer(meeting, ben, status, comment=status)
    answer(meeting, meeting.board.owner, "accepted")
    assert process_records(event_records(meeting.board.board_id)) == []
    link = meeting.path.removeprefix("/api/v1")
    assert sorted(notified(meeting.board.owner)) == [
        ("Ben Tester accepted the meeting “Spring”.", link),
        ("Ben Tester declined the meeting “Spring”.", link),
    ]
    assert notified(ben) == []
