"""In which month a meeting is: that of its start in its own zone (ADR planning)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from governance.instants import to_datetime
from governance.models.meetings.meeting import StoredMeeting


def local_start(meeting: StoredMeeting) -> datetime | None:
    """Returns the start of a meeting in its zone, in UTC if it has none; None without a start."""
    if meeting.start_time is None:
        return None
    return to_datetime(meeting.start_time).astimezone(ZoneInfo(meeting.timezone or "UTC"))
