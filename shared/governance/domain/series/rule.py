"""The days and instants of a series' rule, in the wall clock of its zone (ADR series).

A rule's days are computed period by period (weeks from Monday, months, years), so that the days from any date on cost
the same however long ago the series began.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

from governance.agenda_limits import RULE_LAST_DAY
from governance.errors import invalid_body
from governance.instants import Instant, format_instant
from governance.models.series.rule import Rule


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
