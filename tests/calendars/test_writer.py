"""What a calendar's text may contain, how large it may be, and the zones that it defines."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest

from governance.calendars import writer
from governance.domain.calendars.calendar import CalendarEvent
from governance.http.calendars.calendar import _answer
from governance.http.request import Request
from governance.instants import Instant, format_instant
from governance.limits import BOARD_NAME, FEED_EVENTS, LAMBDA_ANSWER_BYTES, MEETING_LOCATION, MEETING_TITLE, MEETING_URL
from governance.usecases.calendars.calendar_content import FeedContent
from tests.calendars.test_times import TEXTS, by_icalendar, event

pytestmark = pytest.mark.usefixtures("store")
PARIS = "Europe/Paris"
SUMMER = datetime(2026, 7, 1, 9, tzinfo=UTC)
PLAIN = Request("GET", "/calendar/x.ics", {}, "", "", {})


def components(text: bytes, kind: str) -> list[Any]:
    """Returns the parsed components of a kind."""
    return icalendar.Calendar.from_ical(text).walk(kind)


def lasting(start: datetime, end: datetime, **members: Any) -> CalendarEvent:
    return replace(event(0, start, PARIS), end=format_instant(end), **members)


@pytest.mark.parametrize("character", ["🗓", "\\", '"'])
def test_a_full_feed_of_the_longest_texts_is_one_answer_of_lambda(character: str) -> None:
    """A client that takes no gzip gets the text as it is, which travels as a JSON string."""
    members: dict[str, Any] = {
        "title": character * MEETING_TITLE,
        "place": character * MEETING_LOCATION,
        "description": character * BOARD_NAME + "\n" + character * MEETING_URL,
    }
    events = [replace(event(number, SUMMER, PARIS), **members) for number in range(FEED_EVENTS)]
    answer = _answer(FeedContent("tag", character, events), PLAIN).event({})
    assert len(json.dumps(answer, ensure_ascii=False).encode()) < LAMBDA_ANSWER_BYTES


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e", "\x00", "\r"])
def test_a_character_that_ends_a_line_for_some_readers_is_a_space(character: str) -> None:
    written = writer.write_feed(f"a{character}b", [event(0, SUMMER, None, f"a{character}b")])
    (shown,) = components(written, "VEVENT")
    assert [str(shown[name]) for name in ("summary", "location")] == ["a b"] * 2
    assert character not in written.decode().replace("\r\n", "")


@pytest.mark.parametrize("text", TEXTS)
def test_a_strange_text_is_one_text_in_short_lines(text: str) -> None:
    written = writer.write_feed(text, [event(0, SUMMER, None, text)])
    assert all(len(line) <= 75 for line in written.split(b"\r\n"))
    assert b"\n" not in written.replace(b"\r\n", b"")
    assert [part.name for part in icalendar.Calendar.from_ical(written).walk()] == ["VCALENDAR", "VEVENT"]
    (shown,) = components(written, "VEVENT")
    assert [str(shown[name]) for name in ("summary", "location")] == [text, text]


def test_the_name_of_a_calendar_is_one_line() -> None:
    written = writer.write_feed("Board\r\nof\nowners\tand\x1bmembers", [])
    assert str(icalendar.Calendar.from_ical(written)["x-wr-calname"]) == "Board of owners and members"


def test_a_name_stays_inside_its_parameter() -> None:
    name = 'Ben "B" Tester;PARTSTAT=ACCEPTED:mailto:x,\r\nEND:VEVENT'
    organizer, attendee = writer.Organizer("m@example.com", name), writer.Attendee("ben@example.com", name, "declined")
    (shown,) = components(writer.write_request(event(0, SUMMER, PARIS), organizer, attendee), "VEVENT")
    for property_name, address in (("organizer", "m@example.com"), ("attendee", "ben@example.com")):
        assert str(shown[property_name]) == f"mailto:{address}"
        assert shown[property_name].params["CN"] == "Ben 'B' Tester;PARTSTAT=ACCEPTED:mailto:x, END:VEVENT"
    assert shown["attendee"].params["PARTSTAT"] == "DECLINED"


def test_a_zone_is_defined_for_the_year_of_the_end_too() -> None:
    long = lasting(datetime(2026, 12, 20, 9, tzinfo=UTC), datetime(2027, 7, 1, 9, tzinfo=UTC))
    ((_, end),) = by_icalendar(writer.write_feed("x", [long]))
    assert end == datetime(2027, 7, 1, 9, tzinfo=UTC).timestamp()


def test_an_event_within_one_second_ends_after_it_starts() -> None:
    short = replace(event(0, SUMMER, PARIS), end=Instant("2026-07-01T09:00:00.900Z"))
    ((start, end),) = by_icalendar(writer.write_feed("x", [short]))
    assert (start, end) == (SUMMER.timestamp(), SUMMER.timestamp() + 1)


def test_an_event_at_the_end_of_time_is_written() -> None:
    last = Instant("9999-12-31T23:59:59.999Z")
    (shown,) = components(writer.write_feed("x", [replace(event(0, SUMMER, PARIS), start=last, end=last)]), "VEVENT")
    assert shown["dtend"].to_ical() == b"99991231T235959Z"


def test_an_onset_is_written_in_the_local_time_before_it_with_the_offsets_on_both_sides() -> None:
    (zone,) = components(writer.write_feed("x", [event(0, SUMMER, PARIS)]), "VTIMEZONE")
    assert str(zone["tzid"]) == PARIS
    written = [(part.name, str(part["tzname"]), part["dtstart"].dt.isoformat()) for part in zone.subcomponents]
    assert written[1:] == [("DAYLIGHT", "CEST", "2026-03-29T02:00:00"), ("STANDARD", "CET", "2026-10-25T03:00:00")]
    offsets = [(part["tzoffsetfrom"].to_ical(), part["tzoffsetto"].to_ical()) for part in zone.subcomponents]
    assert offsets == [("+0100", "+0100"), ("+0100", "+0200"), ("+0200", "+0100")]


MEETING = replace(
    event(3, SUMMER, PARIS, "Spring"), id="ab", place="Room 2", description="Board\ntel:1", path="/boards/x/meetings/ab"
)
EVENT_LINES = [
    "BEGIN:VEVENT",
    "SUMMARY:Spring",
    "DTSTART;TZID=Europe/Paris:20260701T110000",
    "DTEND;TZID=Europe/Paris:20260701T114500",
    "DTSTAMP:20260101T000000Z",
    "UID:ab@governance.example.com",
    "SEQUENCE:3",
    "DESCRIPTION:Board\\ntel:1",
    "LAST-MODIFIED:20260101T000000Z",
    "LOCATION:Room 2",
    "STATUS:CONFIRMED",
    "URL:https://governance.example.com/boards/x/meetings/ab",
    "END:VEVENT",
]


def without_zone(written: bytes) -> list[str]:
    lines = written.decode().replace("\r\n ", "").split("\r\n")[:-1]
    return lines[: lines.index("BEGIN:VTIMEZONE")] + lines[lines.index("END:VTIMEZONE") + 1 :]


def test_a_feed_has_these_properties_and_no_others() -> None:
    assert without_zone(writer.write_feed("Board", [MEETING])) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Board Governance Service//Calendar//EN",
        "X-WR-CALNAME:Board",
        "REFRESH-INTERVAL;VALUE=DURATION:PT5M",
        "X-PUBLISHED-TTL:PT5M",
        *EVENT_LINES,
        "END:VCALENDAR",
    ]


@pytest.mark.parametrize(("write", "method"), [(writer.write_request, "REQUEST"), (writer.write_cancel, "CANCEL")])
@pytest.mark.parametrize(
    ("status", "partstat"),
    [("accepted", "ACCEPTED"), ("tentative", "TENTATIVE"), ("declined", "DECLINED"), ("noAnswer", "NEEDS-ACTION")],
)
def test_an_invitation_has_these_properties_and_no_others(write: Any, method: str, status: Any, partstat: str) -> None:
    organizer, attendee = writer.Organizer("m+t@example.com", "Board"), writer.Attendee("a@example.com", "Ann", status)
    properties = without_zone(write(MEETING, organizer, attendee))
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Board Governance Service//Calendar//EN", f"METHOD:{method}"]
    people = [
        f"ATTENDEE;CN=Ann;PARTSTAT={partstat};ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:a@example.com",
        "ORGANIZER;CN=Board:mailto:m+t@example.com",
    ]
    assert properties[:4] == head
    assert sorted(properties[4:-1]) == sorted([*EVENT_LINES, *people])


def test_a_meeting_without_a_place_has_no_location() -> None:
    (shown,) = components(writer.write_feed("x", [replace(MEETING, place=None)]), "VEVENT")
    assert "location" not in shown


@pytest.mark.parametrize(
    ("start", "minutes", "words"),
    [
        (SUMMER, 90, "Wednesday, 1 July 2026, 11:00 to 12:30 (Europe/Paris)"),
        (datetime(2026, 7, 1, 21, tzinfo=UTC), 59, "Wednesday, 1 July 2026, 23:00 to 23:59 (Europe/Paris)"),
        (
            datetime(2026, 7, 1, 21, tzinfo=UTC),
            60,
            "Wednesday, 1 July 2026, 23:00 to Thursday, 2 July 2026, 00:00 (Europe/Paris)",
        ),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), 15, "Sunday, 25 October 2026, 00:30 to 00:45 (UTC)"),
    ],
)
def test_a_mail_says_the_time_in_words_in_the_zone_of_the_calendar(start: datetime, minutes: int, words: str) -> None:
    assert writer.times_in_words(lasting(start, start + timedelta(minutes=minutes)), None, "en") == words


@pytest.mark.parametrize(
    ("start", "minutes", "is_local"),
    [
        (datetime(2026, 10, 24, 23, 59, tzinfo=UTC), 1, False),
        (datetime(2026, 10, 24, 23, 58, tzinfo=UTC), 1, True),
        (datetime(2026, 10, 25, 1, 59, tzinfo=UTC), 1, False),
        (datetime(2026, 10, 25, 2, 0, tzinfo=UTC), 1, True),
    ],
)
def test_times_in_the_hour_that_a_clock_repeats_are_in_utc(start: datetime, minutes: int, is_local: bool) -> None:
    written = writer.write_feed("x", [lasting(start, start + timedelta(minutes=minutes))])
    (shown,) = components(written, "VEVENT")
    assert (shown["dtstart"].params.get("TZID") == PARIS) == is_local


@pytest.mark.parametrize("zone", [None, "Mars/Base", "../etc/passwd", ""])
def test_an_event_whose_zone_is_not_known_is_in_utc(zone: str | None) -> None:
    (shown,) = components(writer.write_feed("x", [event(0, SUMMER, zone)]), "VEVENT")
    assert shown["dtstart"].to_ical() == b"20260701T090000Z"
    assert "TZID" not in shown["dtstart"].params
