"""The rules of a time zone for the years that a calendar uses, taken from the time zone database (ADR calendars).

A calendar defines each of its time zones as a list of onsets: from this local time on, this offset holds. Rules that
repeat would be shorter, but no rule says when Ramadan begins in Morocco, and years past 2037 need none of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)
_MARGIN = timedelta(days=2)
"""Longer than any offset, so that a year's onsets include those of its local times."""
LAST_YEAR = 9998


@dataclass(frozen=True)
class Onset:
    """An instant from which on an offset holds. `local` is its local time by the offset before."""

    local: datetime
    offset_before: timedelta
    offset: timedelta
    name: str
    is_daylight: bool


def onsets(zone: ZoneInfo, years: Iterable[int]) -> list[Onset]:
    """Returns the onsets that give every local time of these years its offset, in the order of time."""
    zone_onsets: list[Onset] = []
    for first, last in _runs(years):
        start = datetime(first, 1, 1, tzinfo=UTC) - _MARGIN
        end = datetime(last + 1, 1, 1, tzinfo=UTC) + _MARGIN
        offset = _offset(zone, start)
        zone_onsets.append(_onset(zone, start, offset))
        zone_onsets += _changes(zone, start, end)
    return zone_onsets


def _runs(years: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last year of each run of consecutive years."""
    ordered = sorted(set(years))
    while ordered:
        length = next((at for at, year in enumerate(ordered) if year != ordered[0] + at), len(ordered))
        yield ordered[0], ordered[length - 1]
        ordered = ordered[length:]


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[Onset]:
    """Yields the onsets between two instants; changes that are undone within a day are not found."""
    day, state = start, _state(zone, start)
    while day < end:
        next_day, next_state = day + _DAY, _state(zone, day + _DAY)
        if next_state != state:
            yield _onset(zone, _instant_of_change(zone, day, next_day), state[0])
        day, state = next_day, next_state


def _instant_of_change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """Returns the first second in the state of `after`, between two instants in different states."""
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        if _state(zone, middle) == _state(zone, after):
            after = middle
        else:
            before = middle
    return after


def _onset(zone: ZoneInfo, instant: datetime, offset_before: timedelta) -> Onset:
    local = instant.astimezone(zone)
    return Onset(
        local=(instant + offset_before).replace(tzinfo=None),
        offset_before=offset_before,
        offset=_offset(zone, instant),
        name=local.tzname() or zone.key,
        is_daylight=bool(local.dst()),
    )


def _offset(zone: ZoneInfo, instant: datetime) -> timedelta:
    return instant.astimezone(zone).utcoffset() or timedelta(0)


def _state(zone: ZoneInfo, instant: datetime) -> tuple[timedelta, timedelta | None]:
    local = instant.astimezone(zone)
    return local.utcoffset() or timedelta(0), local.dst()
