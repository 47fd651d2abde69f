"""Reads what a calendar program sends back: a reply, a new time or a cancellation (RFC 5546), from hostile text.

The library unfolds and splits the lines, and reads the values of the few properties that count. It never sees the rest:
it would keep a sender's definitions of time zones for all later mails, and work through rules that repeat without end.
A time zone is one of the database, named as such or as Windows names it; the definition in the mail is not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from icalendar import vDatetime, vDuration
from icalendar.parser import Contentline, Contentlines, Parameters, unescape_backslash
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from governance.instants import Instant, format_instant
from governance.limits import CALENDAR_COMPONENTS, RSVP_COMMENT
from governance.mail.received import MailRefused, Refusal, refused_as
from governance.models.meetings.rsvp import Answer
from governance.models.zones import check_timezone

_NOT_OURS = {"RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "EXRULE"}
_SINGLE = {"UID", "DTSTAMP", "SEQUENCE", "DTSTART", "DTEND", "DURATION"}
_READ = _SINGLE | {"ATTENDEE", "COMMENT"}
_ANSWERS: dict[str, Answer] = {"ACCEPTED": "accepted", "TENTATIVE": "tentative", "DECLINED": "declined"}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_NUMBER = re.compile("[0-9]{1,9}")
_PARTS_OF_A_ZONE = 3
Method = Literal["REPLY", "REQUEST", "CANCEL"]
_METHODS: dict[str, Method] = {"REPLY": "REPLY", "REQUEST": "REQUEST", "CANCEL": "CANCEL"}


@dataclass(frozen=True)
class _Property:
    """A property of an event: its text as it was written (`raw`) and decoded (`text`)."""

    parameters: Parameters
    raw: str
    text: str


_Properties = dict[str, list[_Property]]


@dataclass(frozen=True)
class CalendarMessage:
    """A calendar's message about one meeting, with the revision that the calendar knows. The caller checks it."""

    method: Method
    uid: str
    sequence: int
    stamped_at: Instant
    properties: _Properties

    def answer(self, email: str) -> tuple[Answer, str | None]:
        """Returns the status and the comment of this attendee. Raises `MailRefused` if there is no answer of theirs."""
        for attendee in self.properties.get("ATTENDEE", ()):
            if attendee.raw.lower().removeprefix("mailto:") == email:
                status = _ANSWERS.get(str(attendee.parameters.get("PARTSTAT", "")).upper())
                if status is not None:
                    return status, self._comment()
        raise MailRefused(Refusal.NOT_UNDERSTOOD)

    def _comment(self) -> str | None:
        found = self.properties.get("COMMENT")
        text = _CONTROL.sub(" ", found[0].text).strip()[:RSVP_COMMENT] if found else ""
        return text or None

    def times(self) -> tuple[Instant, Instant]:
        """Returns start and end of a meeting that is moved. Raises `MailRefused` for a time that is no instant."""
        with refused_as(Refusal.BAD_CALENDAR):
            start = _date_time(self.properties["DTSTART"][0])
            end = _date_time(self.properties["DTEND"][0]) if "DTEND" in self.properties else start + self._duration()
            first, last = _instant(start), _instant(end)
            if last <= first:
                raise ValueError("DTEND")
            return first, last

    def _duration(self) -> timedelta:
        if "DURATION" not in self.properties:
            return timedelta(hours=1)
        return vDuration(self.properties["DURATION"][0].raw).dt


def read(text: str) -> CalendarMessage:
    """Returns what a calendar says about one meeting. Raises `MailRefused` for any other text."""
    if text.upper().count("BEGIN:") > CALENDAR_COMPONENTS:
        raise MailRefused(Refusal.BAD_CALENDAR)
    with refused_as(Refusal.BAD_CALENDAR):
        return _read(text)


def _read(text: str) -> CalendarMessage:
    method, properties = _the_event(text)
    if not _NOT_OURS.isdisjoint(properties) or any(len(properties.get(name, ())) > 1 for name in _SINGLE):
        raise ValueError("VEVENT")
    if method not in _METHODS:
        raise MailRefused(Refusal.NOT_UNDERSTOOD)
    return CalendarMessage(
        method=_METHODS[method],
        uid=properties["UID"][0].text,
        sequence=_sequence(properties["SEQUENCE"][0].raw if "SEQUENCE" in properties else "0"),
        stamped_at=_instant(_date_time(properties["DTSTAMP"][0])),
        properties=properties,
    )


def _the_event(text: str) -> tuple[str, _Properties]:
    """Returns the one method and the properties of the one event in a text.

    Raises `ValueError` for another number of either, and for components that do not end where they should.
    """
    path: list[str] = []
    methods: list[str] = []
    events: list[_Properties] = []
    for line in Contentlines.from_ical(text):  # type: ignore[no-untyped-call]
        name, value = _name(line), line.rpartition(":")[2].strip().upper()
        if name == "BEGIN":
            path.append(value)
            events += [{}] if path == ["VCALENDAR", "VEVENT"] else []
        elif name == "END":
            if path.pop() != value:
                raise ValueError("END")
        elif path == ["VCALENDAR"] and name == "METHOD":
            methods.append(value)
        elif path == ["VCALENDAR", "VEVENT"] and name in _READ | _NOT_OURS:
            events[-1].setdefault(name, []).append(_property(line))
    if path:
        raise ValueError("VCALENDAR")
    (method,), (event,) = methods, events
    return method, event


def _name(line: str) -> str:
    return re.split("[:;]", line, maxsplit=1)[0].strip().upper()


def _property(line: Contentline) -> _Property:
    _, parameters, raw = line.raw_parts()
    return _Property(parameters, raw.strip(), unescape_backslash(raw))


def _sequence(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError("SEQUENCE")
    return int(text)


def _date_time(found: _Property) -> datetime:
    """Returns a date-time in UTC. Raises `ValueError` or `KeyError` for a date, a floating time or an unknown zone."""
    instant: datetime = vDatetime.from_ical(found.raw)  # type: ignore[no-untyped-call]
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=_zone(str(found.parameters["TZID"])))
    return instant.astimezone(UTC)


def _zone(tzid: str) -> ZoneInfo:
    """Returns a zone of the database. Some programs write their own name and a slash before its name."""
    name = WINDOWS_TO_OLSON.get(tzid, tzid)
    parts = name.split("/")[-_PARTS_OF_A_ZONE:]
    tails = ["/".join(parts[at:]) for at in range(len(parts))] if name.startswith("/") else []
    for candidate in (name, *tails):
        try:
            return ZoneInfo(check_timezone(candidate))
        except ValueError:
            continue
    raise ValueError("TZID")


def _instant(instant: datetime) -> Instant:
    """Returns the instant. Raises `ValueError` for one before 1970, which no meeting may have."""
    if instant.year < 1970:
        raise ValueError("a time")
    return format_instant(instant)
