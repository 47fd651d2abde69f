"""Members' answers to a meeting: one item for each user under the meeting, so that one query reads all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from governance.ids import BoardId, UserId
from governance.models.meetings.rsvp import StoredRsvp
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import MEETING, RSVP
from governance.store.schema.keys import PK, SK, Item, Key, make_item
from governance.store.table import iter_range, query, read
from governance.store.writes import ABSENT, Put, Write, equals


def _key(rsvp: StoredRsvp) -> Key:
    return RSVP.key_for(boardId=rsvp.board_id, meetingId=rsvp.meeting_id, userId=rsvp.user_id)


def put(old: StoredRsvp | None, new: StoredRsvp) -> Write:
    """Returns the write of an answer. It fails with `StaleRead` if the user's earlier one changed since it was read."""
    return Put(make_item(_key(new), new.item()), equals(version=old.version) if old else ABSENT)


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredRsvp]:
    """Returns the answers to a meeting, with one query; none if an id is malformed."""
    meeting = MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    if meeting is None:
        return []
    return decode_all(StoredRsvp, query(ranges.rsvps_of_meeting(meeting).within(meeting.pk)))


def of_user(board_id: BoardId, user_id: UserId, meeting_ids: Iterable[str]) -> list[StoredRsvp]:
    """Returns a user's answers to some meetings of a board, with one batch."""
    keys = [RSVP.key_for(boardId=board_id, meetingId=meeting_id, userId=user_id) for meeting_id in meeting_ids]
    items = read(keys)
    return decode_all(StoredRsvp, [items[key] for key in keys if key in items])


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of the answers to a deleted meeting, read page by page."""
    meeting = MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    return iter_range(ranges.rsvps_of_meeting(meeting).within(meeting.pk), PK, SK)
