"""Reads what a calendar program sends back (RFC 5546): a reply, a proposal, a new time, a cancellation; hostile text.

The library unfolds and splits the lines, and reads the values of the few properties that count. It never sees the rest:
it would keep a sender's definitions of time zones for all later mails, and work through rules that repeat without end.
`zones` reads the time zones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args
from urllib.parse import unquote

from icalendar import vDatetime, vDuration
from icalendar.parser import Contentline, Contentlines, unescape_backslash

from governance.calendars import zones
from governance.instants import Instant, format_instant
from governance.limits import CALENDAR_COMPONENTS, RSVP_COMMENT
from governance.mail.received import MailRefused, Refusal, refused_as
from governance.models.meetings.rsvp import RsvpAnswer

_NOT_OURS = {"RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "EXRULE"}
_SINGLE = {"UID", "DTSTAMP", "SEQUENCE", "DTSTART", "DTEND", "DURATION"}
_TEXTS = {"UID", "COMMENT"}
_READ = _SINGLE | _TEXTS | {"ATTENDEE"}
_PARAMETER = re.compile(r';\s*([A-Za-z-]+)\s*=\s*("[^"]*"|[^;]*)')
_ANSWERS: dict[str, RsvpAnswer] = {"ACCEPTED": "accepted", "TENTATIVE": "tentative", "DECLINED": "declined"}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_NUMBER = re.compile("[0-9]{1,9}")
_STAMP = re.compile("[0-9]{8}(?:T[0-9]{6}Z?)?")
Method = Literal["REPLY", "COUNTER", "REQUEST", "CANCEL"]
"""What a message asks for; a `COUNTER` is a reply that proposes another time."""
_METHODS: dict[str, Method] = {method: method for method in get_args(Method)}


@dataclass(frozen=True)
class _Property:
    """A property of an event: its parameters by name, and its value as it was written."""

    parameters: Mapping[str, str]
    raw: str


_Properties = dict[str, list[_Property]]


@dataclass(frozen=True)
class CalendarMessage:
    """A calendar's message about one meeting, with the revision that the calendar knows. The caller checks it."""

    method: Method
    uid: str
    sequence: int
    stamped_at: Instant
    properties: _Properties
    zones: zones.Definitions

    def answer(self, email: str) -> tuple[RsvpAnswer, str | None]:
        """Returns the status and the comment of the sender, whose address is verified.

        The one attendee of a reply is its sender, under whatever address; of several, theirs is the one with the
        sender's address. A sender who only proposes a time counts as tentative. Raises `MailRefused` without an answer
        of theirs.
        """
        attendees = self.properties.get("ATTENDEE", [])
        unsaid: RsvpAnswer | None = "tentative" if self.method == "COUNTER" else None
        for attendee in attendees:
            if len(attendees) == 1 or email in _addresses(attendee):
                status = _ANSWERS.get(_first(attendee.parameters.get("PARTSTAT", "")).upper(), unsaid)
                if status is not None:
                    return status, self._comment()
        raise MailRefused(Refusal.NOT_UNDERSTOOD)

    def _comment(self) -> str | None:
        comments = self.properties.get("COMMENT")
        text = _CONTROL.sub(" ", _text(comments[0])).strip()[:RSVP_COMMENT] if comments else ""
        return text or None

    def times(self) -> tuple[Instant, Instant]:
        """Returns the start and end that the message names. Raises `MailRefused` for a time that is not an instant."""
        with refused_as(Refusal.BAD_CALENDAR):
            start = _date_time(self.properties["DTSTART"][0], self.zones)
            end = (
                _date_time(self.properties["DTEND"][0], self.zones)
                if "DTEND" in self.properties
                else start + self._duration()
            )
            first, last = _instant(start), _instant(end)
            if last <= first:
                raise ValueError("DTEND")
            return first, last

    def _duration(self) -> timedelta:
        if "DURATION" not in self.properties:
            return timedelta(hours=1)
        return vDuration(self.properties["DURATION"][0].raw).dt


def read(text: str, received_at: Instant) -> CalendarMessage:
    """Returns what a calendar says about one meeting. Raises `MailRefused` for any other text.

    A message that does not say when it was written was written when it was received.
    """
    if text.upper().count("BEGIN:") > CALENDAR_COMPONENTS:
        raise MailRefused(Refusal.BAD_CALENDAR)
    with refused_as(Refusal.BAD_CALENDAR):
        return _read(text, received_at)


def _read(text: str, received_at: Instant) -> CalendarMessage:
    lines = Contentlines.from_ical(text)  # type: ignore[no-untyped-call]
    method, properties = _the_event(lines)
    defined = zones.definitions(lines)
    if not _NOT_OURS.isdisjoint(properties) or any(len(properties.get(name, ())) > 1 for name in _SINGLE):
        raise ValueError("VEVENT")
    if method not in _METHODS:
        raise MailRefused(Refusal.NOT_UNDERSTOOD)
    return CalendarMessage(
        method=_METHODS[method],
        uid=_text(properties["UID"][0]),
        sequence=_sequence(properties["SEQUENCE"][0].raw if "SEQUENCE" in properties else "0"),
        stamped_at=_stamp(properties.get("DTSTAMP", []), defined) or received_at,
        properties=properties,
        zones=defined,
    )


def _the_event(lines: Iterable[Contentline]) -> tuple[str, _Properties]:
    """Returns the one method and the properties of the one event in a text.

    Raises `ValueError` for another number of either, and for components that do not end where they should.
    """
    path: list[str] = []
    methods: list[str] = []
    events: list[_Properties] = []
    for line in lines:
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
            events[-1].setdefault(name, []).append(_property(name, line))
    if path:
        raise ValueError("VCALENDAR")
    (method,), (event,) = methods, events
    return method, event


def _name(line: str) -> str:
    return re.split("[:;]", line, maxsplit=1)[0].strip().upper()


def _property(name: str, line: Contentline) -> _Property:
    """Returns a property of a line. Programs do not quote every colon; only texts have one in their value."""
    if name in _TEXTS:
        return _Property({}, line.raw_parts()[2].strip())
    head, _, raw = line.rpartition(":")
    return _Property({key.upper(): value.strip('" ') for key, value in _PARAMETER.findall(head)}, raw.strip())


def _first(parameter: str) -> str:
    """Returns the value of an attendee's last parameter, without the scheme of the address that follows it."""
    return parameter.partition(":")[0].strip('" ')


def _addresses(attendee: _Property) -> set[str]:
    """Returns the addresses of an attendee, in lower case, as they are written and as they may be meant."""
    written = {text.strip('"<> ').lower() for text in (attendee.raw, _first(attendee.parameters.get("EMAIL", "")))}
    return written | {unquote(text) for text in written}


def _text(property_: _Property) -> str:
    text: str = unescape_backslash(property_.raw)
    return text


def _sequence(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError("SEQUENCE")
    return int(text)


def _stamp(stamps: Sequence[_Property], defined: zones.Definitions) -> Instant | None:
    """Returns the instant at which a message was written; None if it does not say: programs also send local times.

    Raises `ValueError` for a text that is not a time at all.
    """
    if not stamps:
        return None
    if not _STAMP.fullmatch(stamps[0].raw):
        raise ValueError("DTSTAMP")
    try:
        return _instant(_date_time(stamps[0], defined))
    except (ValueError, KeyError):
        return None


def _date_time(property_: _Property, defined: zones.Definitions) -> datetime:
    """Returns a date-time in UTC. Raises `ValueError` or `KeyError` for a date, a floating time or an unknown zone."""
    instant: datetime = vDatetime.from_ical(property_.raw)  # type: ignore[no-untyped-call]
    if instant.tzinfo is not None:
        return instant.astimezone(UTC)
    tzid = property_.parameters["TZID"]
    zone = zones.named_zone(tzid)
    if zone is not None:
        return instant.replace(tzinfo=zone).astimezone(UTC)
    return zones.in_utc(instant, defined.get(tzid, []))


def _instant(instant: datetime) -> Instant:
    """Returns the instant. Raises `ValueError` for one before 1970, which no meeting may have."""
    if instant.year < 1970:
        raise ValueError("a time")
    return format_instant(instant)
