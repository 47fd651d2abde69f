"""Reads calendars with recurring-ical-events, and writes the starts of each event's occurrences until an instant.

Runs in the environment of requirements-calendars.lock. Standard input is a JSON array of calendars, standard output an
array of the starts by event id, in seconds since 1970.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import icalendar
import recurring_ical_events  # type: ignore[import-not-found]

_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


def _starts(text: str, last: datetime) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for event in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(_FIRST, last):
        found.setdefault(str(event["uid"]), []).append(event["dtstart"].dt.timestamp())
    return found


def main() -> None:
    """Writes the starts in each of the calendars."""
    last = datetime.fromtimestamp(int(sys.argv[1]), UTC)
    json.dump([_starts(text, last) for text in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
