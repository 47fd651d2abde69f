"""Reads what a calendar program sends back: a reply, a new time or a cancellation (RFC 5546), from hostile text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import icalendar

from governance.instants import Instant, format_instant
from governance.limits import CALENDAR_COMPONENTS, RSVP_COMMENT
from governance.mail.received import MailRefused, Refusal
from governance.models.rsvp import Answer

_NOT_OURS = ("RECURRENCE-ID", "RRULE", "RDATE", "EXDATE")
_ANSWERS: dict[str, Answer] = {"ACCEPTED": "accepted", "TENTATIVE": "tentative", "DECLINED": "declined"}
_HOSTILE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What the library raises on texts that are no calendars, beside its own errors, which are of these."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HIGHEST_SEQUENCE = 2**31 - 1
Method = Literal["REPLY", "REQUEST", "CANCEL"]
_METHODS: tuple[Method, ...] = ("REPLY", "REQUEST", "CANCEL")


@dataclass(frozen=True)
class CalendarMessage:
    """What a calendar says about one meeting: to be judged, with the revision that it knows."""

    method: Method
    meeting_id: str
    sequence: int
    stamped_at: Instant
    component: Any

    def answer(self, email: str) -> tuple[Answer, str | None]:
        """Returns the status and the comment of this attendee. Raises `MailRefused` if there is no answer of theirs."""
        for attendee in _list(self.component.get("ATTENDEE")):
            if str(attendee).lower().removeprefix("mailto:") == email:
                status = _ANSWERS.get(str(getattr(attendee, "params", {}).get("PARTSTAT", "")).upper())
                if status is not None:
                    return status, self._comment()
        raise MailRefused(Refusal.NOT_UNDERSTOOD)

    def _comment(self) -> str | None:
        found = _list(self.component.get("COMMENT"))
        text = _CONTROL.sub(" ", str(found[0])).strip()[:RSVP_COMMENT] if found else ""
        return text or None

    def times(self) -> tuple[Instant, Instant]:
        """Returns start and end of a meeting that is moved. Raises `MailRefused` for a time that is no instant."""
        try:
            start = self.component.decoded("DTSTART")
            end = self.component.decoded("DTEND") if "DTEND" in self.component else start + self._duration()
            first, last = _instant(start), _instant(end)
        except _HOSTILE:
            raise MailRefused(Refusal.BAD_CALENDAR) from None
        if last <= first:
            raise MailRefused(Refusal.BAD_CALENDAR)
        return first, last

    def _duration(self) -> timedelta:
        duration = self.component.decoded("DURATION") if "DURATION" in self.component else timedelta(hours=1)
        if not isinstance(duration, timedelta):
            raise TypeError("DURATION")
        return duration


def read(text: str) -> CalendarMessage:
    """Returns what a calendar says about one meeting. Raises `MailRefused` for any other text."""
    if text.upper().count("BEGIN:") > CALENDAR_COMPONENTS:
        raise MailRefused(Refusal.BAD_CALENDAR)
    try:
        return _read(text)
    except _HOSTILE:
        raise MailRefused(Refusal.BAD_CALENDAR) from None


def _read(text: str) -> CalendarMessage:
    calendar = icalendar.Calendar.from_ical(text)
    (component,) = [each for each in calendar.subcomponents if each.name == "VEVENT"]
    method = str(calendar["METHOD"]).upper()
    if any(name in component for name in _NOT_OURS) or len(_list(component["UID"])) != 1:
        raise ValueError("UID")
    known = [each for each in _METHODS if each == method]
    if not known:
        raise MailRefused(Refusal.NOT_UNDERSTOOD)
    return CalendarMessage(
        method=known[0],
        meeting_id=str(component["UID"]).partition("@")[0],
        sequence=_sequence(component.get("SEQUENCE", 0)),
        stamped_at=_instant(component.decoded("DTSTAMP")),
        component=component,
    )


def _sequence(value: Any) -> int:
    number = int(value)
    if not 0 <= number <= _HIGHEST_SEQUENCE:
        raise ValueError("SEQUENCE")
    return number


def _instant(value: Any) -> Instant:
    """Returns the instant of a date-time with a zone. Raises `ValueError` for a date or a floating time."""
    if not isinstance(value, datetime) or value.utcoffset() is None or value.astimezone(UTC).year < 1970:
        raise ValueError("a time")
    return format_instant(value)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
