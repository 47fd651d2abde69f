"""The rule of a series: a part of RFC 5545's RRULE, expanded in the wall clock of the series' zone (ADR series).

A rule's days are computed period by period (weeks from Monday, months, years), so that the days from any date on cost
the same however long ago the series began.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from governance.errors import invalid_body
from governance.instants import Instant, format_instant
from governance.limits import RULE_INTERVAL, RULE_LAST_DAY

Frequency = Literal["WEEKLY", "MONTHLY", "YEARLY"]
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_INTEGER = re.compile(r"-?[0-9]{1,3}", re.ASCII)
_BYDAY = re.compile(rf"([1-4]|-1)?({'|'.join(_WEEKDAYS)})", re.ASCII)
_PARTS = ("FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH")


@dataclass(frozen=True)
class Rule:
    """A parsed rule. A weekday is a pair: its ordinal in the month or year (None: each), and its number from Monday."""

    frequency: Frequency
    interval: int = 1
    weekdays: tuple[tuple[int | None, int], ...] = ()
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()


def parse(text: str) -> Rule:
    """Returns the rule of a text such as `FREQ=MONTHLY;BYDAY=1TU`. Raises `ValueError`, with what must be otherwise."""
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        if name not in _PARTS or not equals:
            raise ValueError(f"must consist of {', '.join(_PARTS)}, each as NAME=value, separated by semicolons")
        if name in parts:
            raise ValueError(f"must not have {name} twice")
        parts[name] = value
    rule = Rule(
        _frequency(parts.get("FREQ")),
        _numbers(parts, "INTERVAL", range(1, RULE_INTERVAL + 1), most=1)[0] if "INTERVAL" in parts else 1,
        _weekdays(parts["BYDAY"]) if "BYDAY" in parts else (),
        _numbers(parts, "BYMONTHDAY", (*range(1, RULE_LAST_DAY + 1), -1)) if "BYMONTHDAY" in parts else (),
        _numbers(parts, "BYMONTH", range(1, 13)) if "BYMONTH" in parts else (),
    )
    _check_parts(rule)
    return rule


def _frequency(text: str | None) -> Frequency:
    match text:
        case "WEEKLY" | "MONTHLY" | "YEARLY":
            return text
        case _:
            raise ValueError("must have FREQ=WEEKLY, FREQ=MONTHLY or FREQ=YEARLY")


def _numbers(
    parts: dict[str, str], name: str, allowed: range | tuple[int, ...], *, most: int | None = None
) -> tuple[int, ...]:
    texts = parts[name].split(",")
    if not all(_INTEGER.fullmatch(text) and int(text) in allowed for text in texts) or len(texts) > (
        most or len(texts)
    ):
        last = " or -1" if -1 in allowed else ""
        highest = max(allowed)
        raise ValueError(f"must have a {name} from 1 to {highest}{last}")
    return tuple(sorted({int(text) for text in texts}))


def _weekdays(text: str) -> tuple[tuple[int | None, int], ...]:
    matches = [_BYDAY.fullmatch(part) for part in text.split(",")]
    found = {(int(m[1]) if m[1] else None, _WEEKDAYS.index(m[2])) for m in matches if m}
    if None in matches:
        raise ValueError("must have a BYDAY of MO, TU, WE, TH, FR, SA or SU, with no ordinal but 1 to 4 or -1")
    if len({ordinal is None for ordinal, _ in found}) > 1:
        raise ValueError("must give an ordinal to each weekday of BYDAY, or to none")
    return tuple(sorted(found, key=lambda pair: (pair[0] or 0, pair[1])))


def _check_parts(rule: Rule) -> None:
    if rule.frequency != "WEEKLY":
        return
    if rule.month_days:
        raise ValueError("must not have BYMONTHDAY with FREQ=WEEKLY")
    if any(ordinal is not None for ordinal, _ in rule.weekdays):
        raise ValueError("must not have an ordinal in BYDAY with FREQ=WEEKLY")


def check_start(rule: Rule, start: date) -> None:
    """Raises 400 for a start of which the rule would skip months, or that is not one of the rule's days."""
    if rule.frequency == "MONTHLY" and not rule.weekdays and not rule.month_days and start.day > RULE_LAST_DAY:
        raise invalid_body({"rule": f"must have BYDAY or BYMONTHDAY: not every month has a day {start.day}"})
    if start not in _days_of_period(rule, start, 0):
        raise invalid_body({"start": "must be on a day of the rule"})


def days(rule: Rule, start: date, since: date, until: date = date.max) -> Iterator[date]:
    """Yields the rule's days from `start` on, in order, that are from `since` to `until`, both included."""
    first = max(start, since)
    for number in range(max(0, _period_of(rule, start, first)), _period_of(rule, start, until) + 1):
        yield from (day for day in sorted(_days_of_period(rule, start, number)) if first <= day <= until)


def _period_of(rule: Rule, start: date, since: date) -> int:
    """Returns the number of the last period, counted from that of the start, that begins at `since` or earlier."""
    match rule.frequency:
        case "WEEKLY":
            return (_monday(since) - _monday(start)).days // 7 // rule.interval
        case "MONTHLY":
            return ((since.year - start.year) * 12 + since.month - start.month) // rule.interval
        case "YEARLY":
            return (since.year - start.year) // rule.interval


def _monday(day: date) -> date:
    return date.fromordinal(day.toordinal() - day.weekday())


def _days_of_period(rule: Rule, start: date, number: int) -> set[date]:
    """Returns the days of a period of the rule, also those before the start of the rule."""
    match rule.frequency:
        case "WEEKLY":
            return _days_of_week(rule, start, _monday(start).toordinal() + 7 * rule.interval * number)
        case "MONTHLY":
            year, month = divmod(start.year * 12 + start.month - 1 + rule.interval * number, 12)
            return _days_of_month(rule, start, year, month + 1)
        case "YEARLY":
            return _days_of_year(rule, start, start.year + rule.interval * number)


def _days_of_week(rule: Rule, start: date, monday: int) -> set[date]:
    weekdays = [weekday for _, weekday in rule.weekdays] or [start.weekday()]
    found = (monday + weekday for weekday in weekdays)
    within = {date.fromordinal(day) for day in found if day <= date.max.toordinal()}
    return {day for day in within if not rule.months or day.month in rule.months}


def _days_of_month(rule: Rule, start: date, year: int, month: int) -> set[date]:
    if rule.months and month not in rule.months:
        return set()
    length = monthrange(year, month)[1]
    span = [date(year, month, day) for day in range(1, length + 1)]
    if not rule.weekdays and not rule.month_days:
        return {day for day in span if day.day == start.day}
    return _chosen(rule, span)


def _days_of_year(rule: Rule, start: date, year: int) -> set[date]:
    if rule.months or (rule.month_days and not rule.weekdays):
        months = rule.months or range(1, 13)
        return {day for month in months for day in _days_of_month(rule, start, year, month)}
    if rule.weekdays:
        first = date(year, 1, 1).toordinal()
        return _chosen(rule, [date.fromordinal(day) for day in range(first, date(year, 12, 31).toordinal() + 1)])
    return {start.replace(year=year)} if start.day <= monthrange(year, start.month)[1] else set()


def _chosen(rule: Rule, span: list[date]) -> set[date]:
    """Returns the days of a month or year that are among the weekdays, and days of the month, that the rule names."""
    chosen = {day for ordinal, weekday in rule.weekdays for day in _on_weekday(span, ordinal, weekday)}
    return {
        day
        for day in (span if not rule.weekdays else chosen)
        if not rule.month_days or day.day in rule.month_days or (-1 in rule.month_days and _is_last_of_month(day))
    }


def _on_weekday(span: list[date], ordinal: int | None, weekday: int) -> list[date]:
    found = span[(weekday - span[0].weekday()) % 7 :: 7]
    if ordinal is None:
        return found
    return found[-1:] if ordinal == -1 else found[ordinal - 1 : ordinal]


def _is_last_of_month(day: date) -> bool:
    return day.day == monthrange(day.year, day.month)[1]


def instant_of(wall: datetime, zone: ZoneInfo) -> Instant:
    """Returns the instant of a wall clock, which is read as RFC 5545, section 3.3.5 says, and as `fold=0` means.

    One that the zone skips is read by the offset before the gap, one that it repeats is the first.
    """
    return format_instant(wall.replace(tzinfo=zone, fold=0))


def is_ambiguous(wall: datetime, zone: ZoneInfo) -> bool:
    """Returns whether the zone has this wall clock twice or not at all."""
    return wall.replace(tzinfo=zone, fold=0).utcoffset() != wall.replace(tzinfo=zone, fold=1).utcoffset()


def wall_clock(key: str) -> datetime | None:
    """Returns the wall clock of a key, `YYYY-MM-DDTHH:MM`; None if it is none."""
    try:
        wall = datetime.strptime(key, KEY_FORMAT)  # noqa: DTZ007 - a wall clock has no zone
    except ValueError:
        return None
    return wall if wall.strftime(KEY_FORMAT) == key else None


KEY_FORMAT = "%Y-%m-%dT%H:%M"
