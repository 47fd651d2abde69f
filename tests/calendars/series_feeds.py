"""Series with random edits, and what two foreign readers expand from their feeds."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
from dateutil.rrule import rrulestr  # type: ignore[import-untyped]

from governance.calendars.writer import write_feed
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import rule as rules
from governance.domain.series import series as series_rules
from governance.domain.series.in_calendars import series_events
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, format_instant, shift, to_datetime
from governance.models.series.rule import parse
from governance.models.series.series import OccurrenceBody, SeriesCreate, SeriesPatch, StoredSeries
from tests.calendars.test_times import ICAL, Offsets
from tests.domain.samples import BOARD, board
from tests.harness.programs import packages, program

NOW = Instant("2098-02-11T10:00:00.000Z")
YEARS = 10
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


def made(chance: Chance, zone: str, edits: int) -> tuple[StoredSeries, Instant]:
    """Returns a series after so many random edits, and the instant of the last: time goes on meanwhile."""
    now = NOW
    series = series_rules.created(BoardId(BOARD), SeriesCreate(**_schedule(chance, zone, now)), UserId("a" * 24), now)
    for _ in range(edits):
        now = shift(now, minutes=chance.randrange(60 * 24 * 4))
        try:
            series = _edited(chance, series, now)
        except ApiError:
            continue
    return series, now


def _schedule(chance: Chance, zone: str, now: Instant) -> dict[str, Any]:
    rule = chance.choice(RULES)
    begin = to_datetime(now).date() + timedelta(days=chance.randrange(-400, 100))
    candidates = (begin + timedelta(days=days) for days in range(800))
    start = next(day for day in candidates if _may_start(rule, day))
    at = chance.choice(["09:00", "00:00", "02:30", "01:30", "02:15", "23:45", "03:00"])
    ends: dict[int, dict[str, Any]] = {
        1: {"count": chance.randint(1, 120)},
        2: {"endsOn": str(start + timedelta(days=chance.randrange(2000)))},
    }
    return {
        "title": "Board meeting",
        "rule": rule,
        "start": f"{start}T{at}",
        "timezone": zone,
        "durationMinutes": chance.choice([5, 60, 90, 1440]),
        **ends.get(chance.randrange(4), {}),
    }


def _may_start(rule: str, day: date) -> bool:
    try:
        rules.check_start(parse(rule), day)
    except ApiError:
        return False
    return True


def _edited(chance: Chance, series: StoredSeries, now: Instant) -> StoredSeries:
    to_come = occurrence_rules.planned(series, now, 40)
    found = chance.choice(to_come) if to_come else None
    match chance.randrange(8):
        case 0:
            return series_rules.patched(series, SeriesPatch(**_schedule(chance, series.timezone, now)), now)
        case 1 if found:
            return series_rules.opened(series, found, now)[0]
        case 2 | 3 if found:
            return series_rules.with_change(series, found, OccurrenceBody.model_construct(cancelled=True), now)
        case 4 | 5 if found:
            at = shift(occurrence_rules.starts_at(series, found), minutes=chance.randrange(-5000, 50000))
            body = OccurrenceBody.model_construct(start_time=at)
            return series_rules.with_change(series, found, body, now) if at > now else series
        case 6 if found:
            return series_rules.without_change(series, found, now)
        case _:
            return series


def horizon(series: StoredSeries, now: Instant) -> Instant:
    """Until when starts are compared: for ten years, or until a local time that readers take otherwise after five."""
    sure, known = (_later(now, years) for years in (5, YEARS))
    zone = ZoneInfo(series.timezone)
    ambiguous = (
        found.original
        for found in occurrence_rules.planned(series, now, 10_000)
        if found.original > sure and rules.is_ambiguous(found.wall, zone)
    )
    return min(shift(next(ambiguous, known), days=-1), known)


def _later(now: Instant, years: int) -> Instant:
    at = to_datetime(now)
    return format_instant(at.replace(year=at.year + years))


def expected(series: StoredSeries, now: Instant) -> list[float]:
    """Returns the starts of what is planned, as far as they are compared."""
    end = horizon(series, now)
    starts = (occurrence_rules.starts_at(series, found) for found in occurrence_rules.planned(series, now, 10_000))
    return sorted(to_datetime(at).timestamp() for at in starts if at < end)


def read(series: StoredSeries, now: Instant, found: Mapping[str, list[float]]) -> list[float]:
    """Returns the starts that a reader found of a series, as far as they are compared."""
    end = to_datetime(horizon(series, now)).timestamp()
    own = (starts for id_, starts in found.items() if id_.partition("-")[0] == series.id)
    return sorted(start for starts in own for start in starts if start < end)


def feed(*series: tuple[StoredSeries, Instant]) -> bytes:
    return write_feed("Feed", [event for each, now in series for event in series_events(each, board(), (), now)])


def by_dateutil(text: bytes, last: datetime) -> dict[str, list[float]]:
    """The starts by event id, expanded by python-dateutil in the zones that the text itself defines."""
    calendar = icalendar.Calendar.from_ical(text)
    zones = {str(zone["tzid"]): Offsets(zone) for zone in calendar.walk("VTIMEZONE")}
    events = calendar.walk("VEVENT")
    starts: dict[str, list[float]] = {}
    for event in events:
        replaced = {
            _wall(each["recurrence-id"]) for each in events if each["uid"] == event["uid"] and "recurrence-id" in each
        }
        starts.setdefault(str(event["uid"]).partition("@")[0], []).extend(_starts(event, zones, replaced, last))
    return {name: sorted(found) for name, found in starts.items()}


def _wall(time: Any) -> datetime:
    wall: datetime = time.dt.replace(tzinfo=None)
    return wall


def _starts(event: Any, zones: dict[str, Offsets], replaced: set[datetime], last: datetime) -> Iterator[float]:
    start = event["dtstart"]
    if "rrule" not in event:
        yield zones[start.params["TZID"]].to_epoch(_wall(start)) if "TZID" in start.params else start.dt.timestamp()
        return
    exdates = event.get("exdate")
    excluded = {each.dt.replace(tzinfo=None) for each in (exdates.dts if exdates else ())} | replaced
    zone = zones[start.params["TZID"]] if "TZID" in start.params else None
    rule = event["rrule"].copy()
    until = rule.pop("UNTIL", [datetime.max.replace(tzinfo=UTC)])[0].timestamp()
    for wall in rrulestr(rule.to_ical().decode(), dtstart=_wall(start)):
        at = zone.to_epoch(wall) if zone else wall.replace(tzinfo=UTC).timestamp()
        if wall > last or at > until:
            return
        if wall not in excluded:
            yield at


def by_ical_js(text: bytes, last: datetime) -> dict[str, list[float]]:
    """The starts by event id, expanded by ical.js."""
    packages(ICAL)
    end = str(int(last.replace(tzinfo=UTC).timestamp()))
    done = subprocess.run([program("node"), "expand.mjs", end], cwd=ICAL, input=text, capture_output=True, check=True)  # noqa: S603
    found: dict[str, list[float]] = json.loads(done.stdout)
    return {name.partition("@")[0]: sorted(starts) for name, starts in found.items()}
