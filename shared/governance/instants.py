"""Instants: one canonical text for one point in time, `YYYY-MM-DDTHH:MM:SS.mmmZ`, so that text order is time order.

Clients send RFC 3339 date-times with an offset; what is finer than milliseconds is cut off.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import NewType

Instant = NewType("Instant", str)
"""A point in time, in the one text that this module writes."""

_RFC3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", re.ASCII)
_MAX_OFFSET_MINUTES = 18 * 60
_MISSING_OFFSET = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?", re.ASCII)


def parse(text: str) -> Instant:
    """Returns the instant of an RFC 3339 date-time. Raises `ValueError`, with what it must be, for any other text."""
    match = _RFC3339.fullmatch(text)
    if match is None:
        if _MISSING_OFFSET.fullmatch(text):
            raise ValueError("must have an offset such as Z or +02:00")
        raise ValueError("must be an RFC 3339 date-time such as 2027-03-01T09:00:00Z")
    *parts, fraction, offset = match.groups()
    try:
        local = datetime(*map(int, parts), int((fraction or "0").ljust(6, "0")[:6]), tzinfo=_zone(offset))  # type: ignore[arg-type, misc]
        aware = local.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("must be an existing date-time of the years 1970 to 9999") from None
    if aware.year < 1970:
        raise ValueError("must be in the years 1970 to 9999")
    return format_instant(aware)


def _zone(offset: str) -> timezone:
    if offset == "Z":
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    if minutes > 59 or hours * 60 + minutes > _MAX_OFFSET_MINUTES:
        raise ValueError
    return timezone((1 if offset[0] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


def format_instant(aware: datetime) -> Instant:
    """Returns the instant of an aware date-time."""
    return _spell(aware.astimezone(UTC))


def _spell(aware: datetime) -> Instant:
    return Instant(aware.isoformat(timespec="milliseconds")[:23] + "Z")


def to_datetime(instant: Instant) -> datetime:
    """Returns the aware date-time of an instant."""
    return datetime.fromisoformat(instant)


def now() -> Instant:
    """Returns the current instant."""
    return _spell(datetime.now(UTC))


def shift(instant: Instant, *, days: int = 0, hours: int = 0, minutes: int = 0, seconds: int = 0) -> Instant:
    """Returns the instant later by this time (earlier, if negative), at most the end of the year 9999."""
    try:
        return format_instant(
            to_datetime(instant) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        )
    except OverflowError:
        return Instant("9999-12-31T23:59:59.999Z")


def month(text: str) -> str:
    """Returns the month of an instant, or of a text that begins with one: `YYYY-MM`."""
    return text[:7]


def months(first: str, last: str) -> list[str]:
    """Returns the months from that of one instant to that of another, both included; none if the last is earlier."""
    low, high = (int(text[:4]) * 12 + int(text[5:7]) - 1 for text in (first, last))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(low, high + 1)]


def days(first: str, last: str) -> list[str]:
    """Returns the days (`YYYY-MM-DD`) from that of one instant to that of another, both included."""
    low, high = (date.fromisoformat(text[:10]).toordinal() for text in (first, last))
    return [date.fromordinal(number).isoformat() for number in range(low, high + 1)]


def millis(instant: Instant) -> int:
    """Returns the milliseconds since 1970."""
    aware = to_datetime(instant)
    return int(aware.replace(microsecond=0).timestamp()) * 1000 + aware.microsecond // 1000


def epoch(instant: Instant) -> int:
    """Returns the whole seconds since 1970, the unit of the store's expiry attribute."""
    return millis(instant) // 1000


def from_millis(value: int) -> Instant:
    """Returns the instant that is this number of milliseconds after the start of 1970, at most the end of 9999."""
    try:
        return format_instant(datetime.fromtimestamp(value // 1000, UTC) + timedelta(milliseconds=value % 1000))
    except (OverflowError, ValueError, OSError):
        return Instant("9999-12-31T23:59:59.999Z")


def seconds_until(due_at: Instant, now: Instant) -> float:
    """Returns the seconds from one instant to another; negative if that is past."""
    return (millis(due_at) - millis(now)) / 1000
