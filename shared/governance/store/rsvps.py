"""Members' answers to a meeting: one item for each user under the meeting, so that one query reads all."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.rsvp import StoredRsvp
from governance.store.schema import MEETING, RSVP, Key, make_item, ranges
from governance.store.table import query
from governance.store.writes import ABSENT, Put, Write, equals


def _key(rsvp: StoredRsvp) -> Key:
    return RSVP.key_for(boardId=rsvp.board_id, meetingId=rsvp.meeting_id, userId=rsvp.user_id)


def put(old: StoredRsvp | None, new: StoredRsvp) -> Write:
    """Returns the write of an answer. It fails with `StaleRead` if the user's earlier one changed since it was read."""
    return Put(make_item(_key(new), new.item()), equals(version=old.version) if old else ABSENT)


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredRsvp]:
    """Returns the answers to a meeting, with one query; none where an id is malformed."""
    meeting = MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    if meeting is None:
        return []
    return [StoredRsvp.model_validate(item) for item in query(ranges.rsvps_of_meeting(meeting).within(meeting.pk))]
