"""Reads the names that calendar programs give to time zones, and the zones that only a mail defines (ADR calendars).

A name of the time zone database, of Windows or of UTC means that zone, whatever the mail defines under it. Any other
name means what the mail defines, read as programs write it: offsets that change once a year by a rule, or never.
Nothing else of a definition is read, and none is kept.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from icalendar.parser import unescape_backslash
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from governance.models.zones import check_timezone, timezone_names

_PARTS_OF_A_ZONE = 3
_UTC_NAMES = {"utc", "gmt", "z", "etc/utc", "coordinated universal time"}
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)(?:\d\d)?", re.ASCII)
_LOCAL = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)", re.ASCII)
_WEEKDAY = re.compile("([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)")
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_READ = {"DTSTART", "TZOFFSETTO", "RRULE"}
Lines = Mapping[str, str]
"""The properties of a part of a definition, by name; the last one of a name counts."""
Definitions = Mapping[str, Sequence[Lines]]


def named_zone(name: str) -> tzinfo | None:
    """Returns the zone that everybody knows by a name; None for a name that only its sender knows.

    Some programs write a prefix of their own before the name: `tzone://Microsoft/Utc`, `/example.org/Europe/Paris`.
    """
    parts = name.split("/")[-_PARTS_OF_A_ZONE:]
    tails = ["/".join(parts[at:]) for at in range(len(parts))] if "/" in name[:1] or "://" in name else []
    for candidate in (name, *tails):
        key = candidate.strip().casefold()
        if key in _UTC_NAMES:
            return UTC
        iana = timezone_names().get(_windows().get(key, candidate).casefold())
        if iana is not None:
            return ZoneInfo(check_timezone(iana))
    return None


def _windows() -> Mapping[str, str]:
    return {name.casefold(): zone for name, zone in WINDOWS_TO_OLSON.items()}


def definitions(lines: Iterable[str]) -> Definitions:
    """Returns the parts of each time zone that a calendar defines, by its name, whose first definition counts."""
    defined: dict[str, list[dict[str, str]]] = {}
    name, parts = "", list[dict[str, str]]()
    for line in lines:
        head, _, value = line.rpartition(":")
        key = head.partition(";")[0].strip().upper()
        if key == "BEGIN" and value.strip().upper() in {"STANDARD", "DAYLIGHT"}:
            parts.append({})
        elif key == "END" and value.strip().upper() == "VTIMEZONE":
            defined.setdefault(name, parts)
            name, parts = "", []
        elif parts and key in _READ:
            parts[-1][key] = value.strip()
        elif line.upper().startswith("TZID:"):
            name = unescape_backslash(line.partition(":")[2].strip())  # a text, and no parameter of a property
    return defined


@dataclass(frozen=True)
class _Observance:
    """An offset that holds from an onset on, which returns every year where there is a rule."""

    first: datetime
    offset: timedelta
    rule: Mapping[str, str]

    def latest_onset(self, local: datetime) -> datetime | None:
        """Returns the last onset that is not after a local time."""
        if not self.rule:
            return self.first if self.first <= local else None
        onsets = (self._onset(year) for year in (local.year, local.year - 1))
        return next((onset for onset in onsets if self.first <= onset <= local), None)

    def _onset(self, year: int) -> datetime:
        month = int(self.rule.get("BYMONTH", self.first.month))
        return self.first.replace(year=year, month=month, day=_day(self.rule.get("BYDAY"), year, month, self.first.day))


def _day(weekday: str | None, year: int, month: int, default: int) -> int:
    """Returns the day of a month that a rule such as `-1SU` or `2SU` names; 1 to 5 weeks from the start or the end."""
    days = calendar.monthrange(year, month)[1]
    if weekday is None:
        return min(default, days)
    match = _WEEKDAY.fullmatch(weekday)
    if match is None:
        raise ValueError("BYDAY")
    matching = [day for day in range(1, days + 1) if calendar.weekday(year, month, day) == _WEEKDAYS.index(match[2])]
    nth = int(match[1] or "1")
    return matching[nth - 1 if nth > 0 else nth]


def in_utc(local: datetime, observances: Sequence[Lines]) -> datetime:
    """Returns a local time of a zone that a mail defines, in UTC. Raises `ValueError` without a definition."""
    known = [_observance(lines) for lines in observances]
    if not known:
        raise ValueError("TZID")
    onsets = [
        (onset, observance.offset) for observance in known if (onset := observance.latest_onset(local)) is not None
    ]
    offset = max(onsets)[1] if onsets else min(known, key=lambda observance: observance.first).offset
    return (local - offset).replace(tzinfo=UTC)


def _observance(lines: Lines) -> _Observance:
    first, sign_and_offset = _LOCAL.fullmatch(lines["DTSTART"]), _OFFSET.fullmatch(lines["TZOFFSETTO"])
    if first is None or sign_and_offset is None:
        raise ValueError("VTIMEZONE")
    sign, hours, minutes = sign_and_offset.groups()
    offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    rule = dict(part.split("=", 1) for part in lines["RRULE"].upper().split(";") if part) if "RRULE" in lines else {}
    if abs(offset) >= timedelta(days=1) or (rule and rule.get("FREQ") != "YEARLY") or "UNTIL" in rule:
        raise ValueError("VTIMEZONE")
    return _Observance(datetime(*map(int, first.groups())), offset, rule)  # type: ignore[arg-type] # noqa: DTZ001
