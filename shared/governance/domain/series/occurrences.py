"""The occurrences of series: what the rules of a series give, and what was moved, cancelled or opened (ADR series)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, islice
from zoneinfo import ZoneInfo

from governance.agenda_limits import SERIES_LAST_YEAR, SERIES_YEARS
from governance.domain.series import rule as rules
from governance.instants import Instant, shift, to_datetime
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.rule import parse
from governance.models.series.series import Change, Occurrence, OpenedOccurrence, StoredSeries

LAST_DAY = date(SERIES_LAST_YEAR, 12, 31)
"""The last day on which a series has occurrences."""


@dataclass(frozen=True)
class Slot:
    """An occurrence as a rule gives it: its key, and its instant in the zone of the rule."""

    key: str
    zone: str

    @property
    def wall(self) -> datetime:
        """The wall clock that the key names."""
        return datetime.fromisoformat(self.key)

    @property
    def original(self) -> Instant:
        """When it starts, unless it is moved."""
        return rules.instant_of(self.wall, ZoneInfo(self.zone))


def day_of(text: str) -> date:
    """Returns the day of a date or of a wall clock."""
    return date.fromisoformat(text[:10])


def today_of(series: StoredSeries, now: Instant) -> date:
    """Returns the day that it is in the zone of a series."""
    return to_datetime(now).astimezone(ZoneInfo(series.timezone)).date()


@dataclass(frozen=True)
class Schedule:
    """A rule that a series has or had, and the days on which it holds, both included."""

    rule: str
    start: str
    timezone: str
    since: str
    until: date

    def slots(self, first: date, last: date) -> Iterator[Slot]:
        """Yields the occurrences on these days, both included, in order, moved or not."""
        bounds = max(first, day_of(self.since)), min(last, self.until)
        for day in rules.days(parse(self.rule), day_of(self.start), *bounds):
            yield Slot(f"{day}{self.start[10:]}", self.timezone)

    def slot(self, key: str) -> Slot | None:
        """Returns the occurrence with a key; None if there is none."""
        wall = rules.wall_clock(key)
        if wall is None:
            return None
        return next((found for found in self.slots(wall.date(), wall.date()) if found.key == key), None)


def schedules(series: StoredSeries) -> list[Schedule]:
    """Returns the schedules of a series whose days are not over, the present one last."""
    present = Schedule(series.rule, series.start, series.timezone, series.since, min(last_day(series), LAST_DAY))
    return [*(Schedule(**(vars(each) | {"until": day_of(each.until)})) for each in series.earlier), present]


def last_day(series: StoredSeries) -> date:
    """Returns the last day on which the present rule has an occurrence; the last one that there is if it goes on."""
    if series.ends_on is not None:
        return day_of(series.ends_on)
    if series.count is None:
        return date.max
    remaining = series.count - series.counted
    if remaining <= 0:
        return date.min
    counted = islice(rules.days(parse(series.rule), day_of(series.start), day_of(series.since)), remaining)
    return max(counted, default=date.min)


def slots(series: StoredSeries, first: date, last: date) -> Iterator[Slot]:
    """Yields the occurrences that the rules of a series give on these days, both included, in order, moved or not."""
    return chain.from_iterable(each.slots(first, last) for each in schedules(series))


def slot(series: StoredSeries, key: str) -> Slot | None:
    """Returns the occurrence with a key; None if the series has none."""
    return next((found for each in schedules(series) if (found := each.slot(key)) is not None), None)


def starts_at(series: StoredSeries, found: Slot) -> Instant:
    """Returns when an occurrence starts: where it was moved to, or where the rule has it."""
    change = series.changes.get(found.key)
    return (change.start_time if change else None) or found.original


def is_planned(series: StoredSeries, found: Slot, now: Instant) -> bool:
    """Returns whether an occurrence is to come, and neither cancelled nor opened."""
    change = series.changes.get(found.key)
    return (change is None or change.status == "moved") and starts_at(series, found) > now


def horizon(series: StoredSeries, today: date) -> date:
    """Returns the last day on which occurrences are looked for."""
    return date(min(SERIES_LAST_YEAR, max(today, day_of(series.start)).year + SERIES_YEARS), 12, 31)


def _ahead(series: StoredSeries, now: Instant) -> Iterator[Slot]:
    """Yields what the rules give from yesterday on: it is today somewhere, and a start may be read hours later."""
    today = today_of(series, now)
    return slots(series, max(today - timedelta(days=2), date.min), horizon(series, today))


def _moved(series: StoredSeries) -> list[Slot]:
    moved = (slot(series, key) for key, change in series.changes.items() if change.status == "moved")
    return [found for found in moved if found is not None]


def planned(series: StoredSeries, now: Instant, number: int) -> list[Slot]:
    """Returns the next occurrences that are planned, by start."""
    in_place = (found for found in _ahead(series, now) if found.key not in series.changes)
    nearest = [*islice((found for found in in_place if is_planned(series, found, now)), number)]
    moved = [found for found in _moved(series) if is_planned(series, found, now)]
    return sorted([*nearest, *moved], key=lambda found: (starts_at(series, found), found.key))[:number]


def next_opening(series: StoredSeries, now: Instant) -> tuple[Slot, Instant] | None:
    """Returns the occurrence that the clock opens next, and when; None if there is none."""
    skipped = set(series.skipped)
    in_place = (found for found in _ahead(series, now) if found.key not in series.changes.keys() | skipped)
    nearest = [*islice((found for found in in_place if is_planned(series, found, now)), 1)]
    moved = [found for found in _moved(series) if found.key not in skipped and is_planned(series, found, now)]
    first = min([*nearest, *moved], key=lambda found: (starts_at(series, found), found.key), default=None)
    return None if first is None else (first, shift(starts_at(series, first), days=-series.opens_days_before))


def occurrence(series: StoredSeries, found: Slot) -> Occurrence:
    """Returns an occurrence that is not opened, as readers of its series see it."""
    change = series.changes.get(found.key)
    return Occurrence(
        series_id=series.id,
        key=found.key,
        start_time=starts_at(series, found),
        status="cancelled" if change and change.status == "cancelled" else "planned",
        moved_from=found.original if change and change.status == "moved" else None,
    )


def opened_occurrence(series_id: str, opened: OpenedOccurrence, meeting: StoredMeeting | None) -> Occurrence:
    """Returns an occurrence that was opened: its meeting has its time; without a meeting it is cancelled."""
    start = (meeting.start_time if meeting else None) or opened.start_time
    return Occurrence(
        series_id=series_id,
        key=opened.key,
        start_time=start,
        status="opened" if meeting else "cancelled",
        meeting_id=meeting.id if meeting else None,
        moved_from=opened.original if start != opened.original else None,
    )


def opened_again(series: StoredSeries, key: str, change: Change) -> OpenedOccurrence:
    """Returns what is kept of an occurrence that was opened, from its change."""
    original = (slot(series, key) or Slot(key, series.timezone)).original
    start = change.start_time or original
    return OpenedOccurrence(key=key, meeting_id=change.meeting_id or "", original=original, start_time=start)


def in_days(series: StoredSeries, now: Instant, first: date, end: date) -> list[Occurrence]:
    """Returns the occurrences to come that start on these days of the series' zone, without those that were opened."""
    margin = timedelta(days=2)
    near = slots(series, first - margin if first - date.min > margin else first, end)
    by_key = {found.key: found for found in (*near, *_moved(series))}
    shown = [
        occurrence(series, found)
        for key, found in by_key.items()
        if (change := series.changes.get(key)) is None or change.status != "opened"
    ]
    return [each for each in shown if each.start_time > now and is_within(series, each, first, end)]


def is_within(series: StoredSeries, shown: Occurrence, first: date, end: date) -> bool:
    """Returns whether an occurrence starts on these days of the series' zone; the end is not included."""
    return first <= to_datetime(shown.start_time).astimezone(ZoneInfo(series.timezone)).date() < end
