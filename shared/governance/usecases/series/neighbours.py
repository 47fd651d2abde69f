"""The meetings of the occurrences beside one of a series."""

from __future__ import annotations

from collections.abc import Sequence

from governance.models.meetings.meeting import StoredMeeting
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING
from governance.store.series import series as store

_NEAR = 5
"""Occurrences that are looked at on either side: meetings that were deleted or cancelled are passed over."""


def following(meeting: StoredMeeting) -> StoredMeeting | None:
    """Returns the meeting of the next occurrence that is opened and not begun; None if there is none."""
    return not_begun(beside(meeting, before=False))


def not_begun(meetings_: Sequence[StoredMeeting]) -> StoredMeeting | None:
    """Returns the first of these meetings that has not begun."""
    return next((meeting for meeting in meetings_ if meeting.status == "scheduled"), None)


def beside(meeting: StoredMeeting, *, before: bool) -> list[StoredMeeting]:
    """Returns the meetings of the nearest occurrences on one side that were opened and take place, nearest first."""
    if meeting.occurrence is None:
        return []
    ids = meeting.board_id, meeting.occurrence.series_id, meeting.occurrence.key
    opened = store.opened_near(*ids, _NEAR, before=before)
    keys = [MEETING.key_for(boardId=meeting.board_id, meetingId=each.meeting_id) for each in opened]
    by_id = meetings.get_by_keys(keys) if keys else {}
    there = (by_id.get(each.meeting_id) for each in opened)
    return [found for found in there if found and found.cancellation is None]
