"""The booked time of a meeting, for the calendar of a guest who has the meeting's link."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.calendars.feeds import Reply, fetch
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario

_PLACE = {"location": "Secret room", "virtualMeetingUrl": "https://meet.example.com/secret"}


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    """A meeting that is booked for nine o'clock in Paris."""
    meeting = new_meeting_scenario(scenario)
    assert meeting.confirm(meeting.slot("2099-03-03T08:00:00Z", durationInMinutes=90)).status == 200
    return meeting


def _link(meeting: MeetingScenario) -> str:
    return str(meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["url"])


def _entry(link: str, method: str = "GET") -> Reply:
    return fetch(f"{link}/meeting.ics", method)


def test_a_guest_downloads_the_booked_time(meeting: MeetingScenario) -> None:
    link = _link(meeting)
    reply = _entry(link)
    assert (reply.status, reply.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert reply.headers["content-disposition"] == 'attachment; filename="meeting.ics"'
    ((id_, event),) = reply.events.items()
    paris = ZoneInfo("Europe/Paris")
    assert id_ == meeting.path.rpartition("/")[2]
    assert event["dtstart"].dt == datetime(2099, 3, 3, 9, tzinfo=paris)
    assert event["dtend"].dt == datetime(2099, 3, 3, 10, 30, tzinfo=paris)
    assert (str(event["summary"]), str(event["url"])) == ("Spring", link)


def test_the_entry_says_no_more_than_the_page_of_the_link(meeting: MeetingScenario) -> None:
    assert meeting.patch(**_PLACE).status == 200
    text = _entry(_link(meeting)).text
    assert "ecret" not in text
    assert "mailto" not in text


def test_a_moved_meeting_has_a_newer_entry_and_one_without_a_time_none(meeting: MeetingScenario) -> None:
    link = _link(meeting)
    (first,) = _entry(link).events.values()
    assert meeting.patch(startTime="2099-03-04T08:00:00Z", endTime="2099-03-04T09:00:00Z").status == 200
    (moved,) = _entry(link).events.values()
    assert moved["dtstart"].dt.day == 4
    assert moved["sequence"] > first["sequence"]
    assert meeting.patch(startTime=None, endTime=None).status == 200
    assert _entry(link).status == 404


def test_the_entry_ends_with_the_link(meeting: MeetingScenario) -> None:
    old, owner = _link(meeting), meeting.board.owner.client
    link = _link(meeting)
    assert (_entry(old).status, _entry(link).status) == (404, 200)
    assert owner.delete(f"{meeting.path}/guest-link").status == 200
    answers = [_entry(link), _entry(old), _entry(link[:-1]), _entry("https://governance.example.com/guest/x")]
    assert [answer.status for answer in answers] == [404] * 4
    link = _link(meeting)
    assert owner.delete(meeting.path).status == 200
    assert _entry(link).status == 404


def test_the_entry_is_read_only(meeting: MeetingScenario) -> None:
    link = _link(meeting)
    assert _entry(link, "POST").headers["Allow"] == "GET, HEAD"
    head = _entry(link, "HEAD")
    assert (head.status, head.body) == (200, b"")
