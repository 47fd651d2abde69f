"""In which month a meeting is: that of its start in its own zone (ADR planning)."""

from __future__ import annotations

from datetime import datetime

from governance.local_times import in_zone
from governance.models.meetings.meeting import StoredMeeting


def local_start(meeting: StoredMeeting) -> datetime | None:
    """Returns the start of a meeting in its zone, in UTC if it has none; None without a start."""
    if meeting.start_time is None:
        return None
    return in_zone(meeting.start_time, meeting.timezone or "UTC")
