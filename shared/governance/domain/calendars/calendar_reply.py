"""The rules of replies from calendars, which know times in whole seconds only, and an end of every event."""

from __future__ import annotations

from governance.domain.calendars.calendar import default_end
from governance.domain.notifications.wording import time_range_in_words
from governance.instants import Instant
from governance.local_times import in_zone
from governance.models.meetings.meeting import StoredMeeting
from governance.texts import Language, text


def whole_seconds(instant: Instant) -> Instant:
    """Returns the instant in whole seconds, as calendars know it."""
    return Instant(f"{instant[:19]}.000Z")


def moved_times(meeting: StoredMeeting, start: Instant, end: Instant) -> tuple[Instant, Instant | None]:
    """Returns the new times of a meeting that a calendar moves.

    A time that is the same in whole seconds stays as it is. So does an open end, if the end is the one that calendars
    show for it.
    """
    if meeting.start_time is not None and whole_seconds(meeting.start_time) == start:
        start = meeting.start_time
    if meeting.end_time is None:
        return start, None if meeting.start_time is not None and end == whole_seconds(default_end(start)) else end
    return start, meeting.end_time if whole_seconds(meeting.end_time) == end else end


def proposal(meeting: StoredMeeting, start: Instant, end: Instant, note: str | None, language: Language) -> str:
    """Returns the text of a comment that proposes these times, in the meeting's zone or UTC, with a note."""
    zone = meeting.timezone or "UTC"
    first, last = in_zone(start, zone), in_zone(end, zone)
    proposed = text(language, "mail.proposed_time", time=time_range_in_words(first, last, zone, language))
    return f"{proposed}\n\n{note}" if note else proposed
