"""The planned occurrences of a series in calendars: one recurring event a schedule, and what differs (ADR series).

What was opened is a meeting, which calendars show by itself: its occurrence is excluded here, as a cancelled one is.
A recurring event begins with the first occurrence that is planned, so that no calendar shows one that is past.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from governance.domain.calendars.calendar import CalendarEvent, Recurrence
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import rule as rules
from governance.domain.series.occurrences import Schedule, Slot
from governance.instants import Instant, shift, to_datetime
from governance.models.boards.board import StoredBoard
from governance.models.series.rule import parse
from governance.models.series.series import StoredSeries

_AMBIGUOUS = timedelta(days=5 * 366)
"""How far ahead readers are told the instant of a local time that its zone has twice, or not at all: they differ there.
"""
_MARGIN = timedelta(days=2)
"""It is today somewhere, and a start may be read hours later."""
_YEAR = range(1, 13)
_LAST_MINUTE = time(23, 59)


@dataclass(frozen=True)
class _Planned:
    """The occurrences of one schedule: the first that is planned, those that are excluded, and those that differ."""

    first: Slot
    excluded: tuple[Slot, ...]
    differing: tuple[Slot, ...]


def series_events(
    series: StoredSeries, board: StoredBoard, opened: Collection[str], now: Instant
) -> Iterator[CalendarEvent]:
    """Yields the events of what is planned of a series. `opened` are keys of which the calendar shows a meeting."""
    excluded = {key for key, change in series.changes.items() if change.status != "moved"} | {*opened}
    for schedule in occurrence_rules.schedules(series):
        planned = _planned(series, schedule, excluded, now)
        if planned is not None:
            yield from _events(series, board, schedule, planned)


def _planned(series: StoredSeries, schedule: Schedule, excluded: Collection[str], now: Instant) -> _Planned | None:
    """Returns the occurrences of a schedule that are planned; None if there are none."""

    def is_planned(found: Slot) -> bool:
        return found.key not in excluded and occurrence_rules.is_planned(series, found, now)

    def changed(keys: Iterable[str]) -> Iterator[Slot]:
        return (found for key in keys if (found := schedule.slot(key)) is not None)

    today = to_datetime(now).date()
    ahead = schedule.slots(today - _MARGIN, occurrence_rules.horizon(series, today))
    moved = [found for found in changed(series.changes.keys() - {*excluded}) if is_planned(found)]
    first = min((*moved, *islice(filter(is_planned, ahead), 1)), key=_key, default=None)
    if first is None:
        return None
    begun = schedule.slots(first.wall.date(), today + _MARGIN)
    without = (found for found in (*begun, *changed(excluded)) if found.key > first.key and not is_planned(found))
    near = schedule.slots(first.wall.date(), today + _AMBIGUOUS)
    differing = (found for found in (*moved, *filter(_is_ambiguous, near)) if is_planned(found))
    return _Planned(first, _in_order(without), _in_order(differing))


def _key(found: Slot) -> str:
    return found.key


def _in_order(found: Iterable[Slot]) -> tuple[Slot, ...]:
    return tuple(sorted({*found}, key=_key))


def _is_ambiguous(found: Slot) -> bool:
    return rules.is_ambiguous(found.wall, ZoneInfo(found.zone))


def _events(series: StoredSeries, board: StoredBoard, schedule: Schedule, planned: _Planned) -> Iterator[CalendarEvent]:
    about, zone = _about(series, board, schedule), schedule.timezone
    goes_on = schedule.until == occurrence_rules.LAST_DAY
    recurrence = Recurrence(
        rule=_plain(schedule.rule, planned.first.wall.date()),
        start=planned.first.wall,
        until=None if goes_on else rules.instant_of(datetime.combine(schedule.until, _LAST_MINUTE), ZoneInfo(zone)),
        excluded=tuple(found.wall for found in planned.excluded),
    )
    yield _event(series, planned.first.original, zone, about, recurrence=recurrence)
    for found in planned.differing:
        start = occurrence_rules.starts_at(series, found)
        in_zone = None if _is_ambiguous(found) else zone
        yield _event(series, start, in_zone, about, replaces=(found.wall, zone))


def _plain(text: str, first: date) -> str:
    """Returns a rule with the same days that more readers take as it is meant.

    ical.js takes BYMONTH of a monthly rule for more than it says, and days of a yearly one without BYMONTH for those of
    one month. What it does not read either way is left: BYMONTH with an interval that is no part of a year, -1 beside
    other days of chosen months, weekdays and days of the month together.
    """
    rule = parse(text)
    days = [part for part in text.split(";") if part.startswith(("BYDAY=", "BYMONTHDAY="))]
    if rule.frequency == "YEARLY" and rule.month_days and not rule.months and not rule.weekdays:
        every = "FREQ=MONTHLY" if rule.interval == 1 else f"FREQ=YEARLY;INTERVAL={rule.interval};{_months(_YEAR)}"
        return ";".join([every, *days])
    if rule.frequency == "MONTHLY" and rule.months and len(_YEAR) % rule.interval == 0:
        months = [month for month in rule.months if (month - first.month) % rule.interval == 0]
        return ";".join(["FREQ=YEARLY", _months(months), *days])
    return text


def _months(months: Iterable[int]) -> str:
    return f"BYMONTH={','.join(map(str, months))}"


def _about(series: StoredSeries, board: StoredBoard, schedule: Schedule) -> Mapping[str, Any]:
    is_present = schedule.since == series.since
    return {
        "id": series.id if is_present else f"{series.id}-{schedule.since}",
        "title": series.title,
        "place": series.location,
        "description": board.name,
        "path": f"/boards/{board.id}/year",
        "status": "CONFIRMED",
        "sequence": series.version - 1,
        "stamped_at": series.updated_at,
    }


def _event(
    series: StoredSeries, start: Instant, timezone: str | None, about: Mapping[str, Any], **members: Any
) -> CalendarEvent:
    end = shift(start, minutes=series.duration_minutes)
    return CalendarEvent(start=start, end=end, timezone=timezone, **about, **members)
