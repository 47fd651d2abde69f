"""Times in calendars equal those of the time zone database, for two readers that share no code."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from governance.calendars.writer import write_feed
from governance.domain.calendars.calendar import CalendarEvent
from governance.domain.calendars.timezones import onsets
from governance.instants import Instant, format_instant, to_datetime
from tests.harness.programs import packages, program

ICAL = Path(__file__).parent / "ical"
pytestmark = pytest.mark.usefixtures("store")
ZONES = (
    "Europe/Paris",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "Europe/Dublin",
    "America/Nuuk",
    "UTC",
)
YEARS = (2026, 2027, 2037, 2038, 2040, 2099, 2500)


def moments(zone: ZoneInfo) -> list[datetime]:
    """Every change of the offset in these years, a bit before and after, and a plain time in each year."""
    instants_of_zone = [datetime(year, month, 15, 9, tzinfo=UTC) for year in YEARS for month in (1, 7)]
    for onset in onsets(zone, YEARS):
        at = onset.local.replace(tzinfo=UTC) - onset.offset_before
        if at.year in YEARS:
            instants_of_zone += [
                at + timedelta(minutes=minutes) for minutes in (-120, -90, -1, 0, 1, 29, 30, 59, 60, 61, 120)
            ]
    return instants_of_zone


def event(number: int, at: datetime, zone: str | None, title: str = "Meeting") -> CalendarEvent:
    return CalendarEvent(
        id=f"{number:024x}",
        start=format_instant(at),
        end=format_instant(at + timedelta(minutes=45)),
        timezone=zone,
        title=title,
        place=title,
        description="Board",
        path="/boards/x",
        status="CONFIRMED",
        sequence=number,
        stamped_at=Instant("2026-01-01T00:00:00.000Z"),
    )


def by_icalendar(text: bytes) -> list[tuple[float, float]]:
    """Start and end of each event, by the zones that the text itself defines."""
    calendar = icalendar.Calendar.from_ical(text)
    zones = {str(zone["tzid"]): Offsets(zone) for zone in calendar.walk("VTIMEZONE")}
    return [(_epoch(shown, "dtstart", zones), _epoch(shown, "dtend", zones)) for shown in calendar.walk("VEVENT")]


class Offsets:
    """The offsets of a VTIMEZONE, read as RFC 5545 says: the last onset at or before a local time counts."""

    def __init__(self, zone: Any) -> None:
        self.onsets = sorted((part["dtstart"].dt, part["tzoffsetto"].td) for part in zone.subcomponents)

    def to_epoch(self, local: datetime) -> float:
        started = [offset for at, offset in self.onsets if at <= local]
        at: float = (local - started[-1]).replace(tzinfo=UTC).timestamp()
        return at


def _epoch(component: Any, name: str, zones: dict[str, Offsets]) -> float:
    time = component[name]
    if "TZID" not in time.params:
        return float(time.dt.timestamp())
    return zones[time.params["TZID"]].to_epoch(time.dt.replace(tzinfo=None))


def by_ical_js(text: bytes) -> list[dict[str, Any]]:
    packages(ICAL)
    done = subprocess.run([program("node"), "read.mjs"], cwd=ICAL, input=text, capture_output=True, check=True)  # noqa: S603
    events: list[dict[str, Any]] = json.loads(done.stdout)
    return events


def events_in(name: str) -> tuple[list[CalendarEvent], list[tuple[float, float]]]:
    """Returns events at the moments of a zone, and the instants of their starts and ends."""
    events = [event(number, at, name) for number, at in enumerate(moments(ZoneInfo(name)))]
    return events, [(to_datetime(made.start).timestamp(), to_datetime(made.end).timestamp()) for made in events]


@pytest.mark.parametrize("name", ZONES)
def test_the_defined_zone_gives_every_time_its_instant(name: str) -> None:
    events, expected = events_in(name)
    assert by_icalendar(write_feed("x", events)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ZONES)
def test_a_reader_of_another_family_understands_the_same(name: str) -> None:
    events, expected = events_in(name)
    assert [(read["start"], read["end"]) for read in by_ical_js(write_feed("x", events))] == expected


@pytest.mark.slow
def test_a_reader_of_another_family_reads_strange_texts_as_one_text() -> None:
    written = [event(number, datetime(2026, 3, 1, 9, tzinfo=UTC), None, text) for number, text in enumerate(TEXTS)]
    read = by_ical_js(write_feed("x", written))
    assert [(shown["summary"], shown["location"]) for shown in read] == [(text, text) for text in TEXTS]


TEXTS = (
    'Lunch; bring, a \\n "pen": now',
    "END:VEVENT\nBEGIN:VALARM\nACTION:DISPLAY",
    "\\" * 40 + ";" * 40 + "," * 40,
    "🗓é" * 60,
    "=HYPERLINK(1)" + " " * 80 + "x",
)
