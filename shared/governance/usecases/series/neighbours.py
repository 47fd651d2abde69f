"""The meetings of the occurrences beside one of a series."""

from __future__ import annotations

from collections.abc import Sequence

from governance.ids import BoardId
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.series import OpenedOccurrence
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING
from governance.store.series import series as store

_NEAR = 5
"""Occurrences that are looked at on either side: meetings that were deleted or cancelled are passed over."""


def following(meeting: StoredMeeting) -> StoredMeeting | None:
    """Returns the meeting of the next occurrence that is opened; None if there is none, or it has begun."""
    found = nearest(meeting, before=False)
    return found if found is not None and found.status == "scheduled" else None


def nearest(meeting: StoredMeeting, *, before: bool) -> StoredMeeting | None:
    """Returns the meeting of the nearest occurrence on one side that takes place."""
    if meeting.occurrence is None:
        return None
    ids = meeting.board_id, meeting.occurrence.series_id, meeting.occurrence.key
    return _first(meeting.board_id, store.opened_near(*ids, _NEAR, before=before))


def _first(board_id: BoardId, opened: Sequence[OpenedOccurrence]) -> StoredMeeting | None:
    keys = [MEETING.key_for(boardId=board_id, meetingId=each.meeting_id) for each in opened]
    by_id = meetings.get_by_keys(keys) if keys else {}
    there = (by_id.get(each.meeting_id) for each in opened)
    return next((meeting for meeting in there if meeting and meeting.cancellation is None), None)
