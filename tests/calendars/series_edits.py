"""Series with random edits: what they have planned, and the meetings of what was opened."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import rule as rules
from governance.domain.series import series as series_rules
from governance.domain.series.occurrences import Slot
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift, to_datetime
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.rule import parse
from governance.models.series.series import OccurrenceBody, SeriesCreate, SeriesPatch, StoredSeries
from tests.domain.samples import BOARD

NOW = Instant("2098-02-11T10:00:00.000Z")
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "Europe/Dublin",
    "America/Nuuk",
    "Asia/Beirut",
    "Pacific/Apia",
    "UTC",
)
RULES = (
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH",
    "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYDAY=1TU",
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,2WE",
    "FREQ=MONTHLY;BYMONTHDAY=15,-1",
    "FREQ=MONTHLY;BYDAY=SU;BYMONTH=3,10",
    "FREQ=MONTHLY;INTERVAL=3;BYDAY=4SU",
    "FREQ=MONTHLY;INTERVAL=3;BYMONTH=1,4,7;BYMONTHDAY=10",
    "FREQ=MONTHLY;BYMONTH=2,5,11",
    "FREQ=YEARLY;BYMONTHDAY=12,-1",
    "FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=12",
    "FREQ=YEARLY",
    "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
    "FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=28;BYMONTH=2,6",
)
Chance = random.Random


@dataclass(frozen=True)
class Edited:
    """A series after its latest edit, with the meetings of its occurrences by their ids."""

    series: StoredSeries
    now: Instant
    meetings: Mapping[str, StoredMeeting] = field(default_factory=dict)


def after(chance: Chance, zone: str, edits: int) -> Edited:
    """Returns a series after so many random edits."""
    return [*edited(chance, zone, edits)][-1]


def edited(chance: Chance, zone: str, edits: int) -> Iterator[Edited]:
    """Yields a series after each of so many random edits, of which none is refused: time goes on meanwhile."""
    body = SeriesCreate(**{**_schedule(chance, NOW), "timezone": zone})
    made = Edited(series_rules.created(BoardId(BOARD), body, UserId("a" * 24), NOW), NOW)
    while edits:
        made = replace(made, now=shift(made.now, minutes=chance.randrange(60 * 24 * 4)))
        try:
            new = _edited(chance, made)
        except ApiError:
            continue
        if new != made:
            made, edits = new, edits - 1
            yield made


def _schedule(chance: Chance, now: Instant) -> dict[str, Any]:
    rule = chance.choice(RULES)
    begin = to_datetime(now).date() + timedelta(days=chance.randrange(-400, 100))
    candidates = (begin + timedelta(days=days) for days in range(800))
    start = next(day for day in candidates if _may_start(rule, day))
    at = chance.choice(["09:00", "00:00", "02:30", "01:30", "02:15", "23:45", "03:00"])
    return {
        "title": "Board meeting",
        "rule": rule,
        "start": f"{start}T{at}",
        "durationMinutes": chance.choice([5, 60, 90, 1440]),
        **_end(chance, start),
    }


def _end(chance: Chance, start: date) -> dict[str, Any]:
    ends: dict[int, dict[str, Any]] = {
        1: {"count": chance.randint(1, 120)},
        2: {"endsOn": str(start + timedelta(days=chance.randrange(2000)))},
    }
    return ends.get(chance.randrange(4), {})


def _may_start(rule: str, day: date) -> bool:
    try:
        rules.check_start(parse(rule), day)
    except ApiError:
        return False
    return True


def _edited(chance: Chance, made: Edited) -> Edited:
    """Returns the series after one edit, the same if nothing can be edited so. Raises `ApiError` for a refusal."""
    match chance.randrange(10):
        case 0:
            return _patched(made, _schedule(chance, made.now))
        case 1:
            return _patched(made, {"timezone": chance.choice(ZONES)})
        case 2:
            end = _end(chance, occurrence_rules.day_of(made.series.start))
            return _patched(made, end or {"endsOn": None, "count": None})
        case 3:
            return _with_other_meeting(chance, made)
        case _:
            return _with_other_occurrence(chance, made)


def _patched(made: Edited, changes: Mapping[str, Any]) -> Edited:
    return replace(made, series=series_rules.patched(made.series, SeriesPatch.model_validate(changes), made.now))


def _with_other_meeting(chance: Chance, made: Edited) -> Edited:
    """Returns the series with a meeting that is deleted, or that is at another time."""
    if not made.meetings:
        return made
    chosen = chance.choice([*made.meetings.values()])
    others = {id_: meeting for id_, meeting in made.meetings.items() if id_ != chosen.id}
    if chance.randrange(2) or chosen.start_time is None:
        return replace(made, meetings=others)
    start = shift(chosen.start_time, minutes=chance.randrange(-5000, 50000))
    times = {"start_time": start, "end_time": shift(start, minutes=60)}
    return replace(made, meetings={**others, chosen.id: chosen.model_copy(update=times)})


def _with_other_occurrence(chance: Chance, made: Edited) -> Edited:
    """Returns the series with an occurrence to come that is opened, cancelled, moved or put back."""
    series, now = made.series, made.now
    if chance.randrange(4) == 0:
        return _put_back(chance, made)
    to_come = occurrence_rules.planned(series, now, 40)
    if not to_come:
        return made
    found = chance.choice(to_come)
    match chance.randrange(4):
        case 0:
            opened, _, meeting = series_rules.opened(series, found, now)
            return replace(made, series=opened, meetings={**made.meetings, meeting.id: meeting})
        case 1:
            body = OccurrenceBody.model_construct(cancelled=True)
        case _:
            at = _moved(chance, series, found)
            body = OccurrenceBody.model_construct(start_time=at)
            if at <= now:
                return made
    return replace(made, series=series_rules.with_change(series, found, body, now))


def _moved(chance: Chance, series: StoredSeries, found: Slot) -> Instant:
    return shift(occurrence_rules.starts_at(series, found), minutes=chance.randrange(-5000, 50000))


def _put_back(chance: Chance, made: Edited) -> Edited:
    keys = [key for key, change in made.series.changes.items() if change.status != "opened"]
    if not keys:
        return made
    found = series_rules.requested(made.series, chance.choice(keys), made.now)
    return replace(made, series=series_rules.without_change(made.series, found, made.now))
