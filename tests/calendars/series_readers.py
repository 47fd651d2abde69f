"""What three foreign readers expand from calendars until an instant: the starts of occurrences, by event id."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import icalendar
from dateutil.rrule import rrulestr  # type: ignore[import-untyped]

from tests.calendars.test_times import ICAL, Offsets
from tests.harness.programs import ROOT, packages, program

Starts = Mapping[str, list[float]]
_RECURRING = Path(__file__).parent / "recurring"
_PYTHON = ROOT / ".venv-calendars/bin/python"


def by_ical_js(texts: Sequence[bytes], last: datetime) -> list[Starts]:
    """Returns what ical.js expands."""
    packages(ICAL)
    return _expanded([program("node"), "expand.mjs"], ICAL, texts, last)


def by_recurring_ical_events(texts: Sequence[bytes], last: datetime) -> list[Starts]:
    """Returns what recurring-ical-events expands, in the zones of the time zone database."""
    return _expanded([program(str(_PYTHON)), "expand.py"], _RECURRING, texts, last)


def _expanded(command: list[str], folder: Path, texts: Sequence[bytes], last: datetime) -> list[Starts]:
    """Returns what a program expands: one process for all texts, since its start takes longer than most of them."""
    sent = json.dumps([text.decode() for text in texts])
    end = str(int(last.replace(tzinfo=UTC).timestamp()))
    done = subprocess.run([*command, end], cwd=folder, input=sent, capture_output=True, check=True, text=True)  # noqa: S603
    found: list[Starts] = json.loads(done.stdout)
    return found


def by_dateutil(text: bytes, last: datetime) -> Starts:
    """Returns what python-dateutil expands in the zones that the text itself defines."""
    calendar = icalendar.Calendar.from_ical(text)
    zones = {str(zone["tzid"]): Offsets(zone) for zone in calendar.walk("VTIMEZONE")}
    events = calendar.walk("VEVENT")
    starts: dict[str, list[float]] = {}
    for event in events:
        replaced = {
            _wall(each["recurrence-id"]) for each in events if each["uid"] == event["uid"] and "recurrence-id" in each
        }
        starts.setdefault(str(event["uid"]), []).extend(_starts(event, zones, replaced, last))
    return starts


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
