"""Instants in the clocks of zones."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from governance.instants import Instant, to_datetime


def in_zone(instant: Instant, zone: str) -> datetime:
    """Returns the date-time of an instant in a zone; in UTC where the zone has it in the year 10000."""
    at = to_datetime(instant)
    try:
        return at.astimezone(ZoneInfo(zone))
    except OverflowError:
        return at
