"""The rules of what calendars answer by mail. They know times in whole seconds, and every event has an end."""

from __future__ import annotations

from governance.domain.calendar import default_end
from governance.instants import Instant
from governance.models.meeting import StoredMeeting


def whole_seconds(instant: Instant) -> Instant:
    """Returns the instant as a calendar can name it."""
    return Instant(f"{instant[:19]}.000Z")


def moved_times(meeting: StoredMeeting, start: Instant, end: Instant) -> tuple[Instant, Instant | None]:
    """Returns the times of a meeting that a calendar moves to these.

    What is the same in whole seconds stays as it is. So does an open end, if the end is where calendars are shown one.
    """
    if meeting.start_time is not None and whole_seconds(meeting.start_time) == start:
        start = meeting.start_time
    if meeting.end_time is None:
        return start, None if meeting.start_time is not None and end == whole_seconds(default_end(start)) else end
    return start, meeting.end_time if whole_seconds(meeting.end_time) == end else end
