"""Answers of people without an account to a meeting: one item for each, from their first invitation on."""

from __future__ import annotations

from collections.abc import Iterator

from governance.ids import BoardId
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import MEETING, UNREGISTERED_RSVP, is_answer_of, meetings_partition
from governance.store.schema.keys import PK, SK, Item, Key, Range, key_of, make_item
from governance.store.table import iter_range, query
from governance.store.writes import ABSENT, EXISTS, Put, Update, Write, equals


def key(board_id: BoardId, meeting_id: str, person_id: str) -> Key:
    """Returns the key of a person's answer to a meeting."""
    return UNREGISTERED_RSVP.key_for(boardId=board_id, meetingId=meeting_id, unregisteredUserId=person_id)


def put(old: StoredUnregisteredRsvp | None, new: StoredUnregisteredRsvp) -> Write:
    """Returns the write of an answer. It fails with `StaleRead` if the earlier one changed since it was read."""
    item = make_item(key(new.board_id, new.meeting_id, new.unregistered_user_id), new.item())
    return Put(item, equals(version=old.version) if old else ABSENT)


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredUnregisteredRsvp]:
    """Returns the answers to a meeting, with one query; none if an id is malformed."""
    meeting = MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    if meeting is None:
        return []
    return decode_all(StoredUnregisteredRsvp, query(ranges.unregistered_rsvps_of_meeting(meeting).within(meeting.pk)))


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of the answers to a deleted meeting, read page by page."""
    meeting = MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    return iter_range(ranges.unregistered_rsvps_of_meeting(meeting).within(meeting.pk), PK, SK)


def keys_of_person(board_id: BoardId, person_id: str) -> Iterator[Key]:
    """Yields the keys of a person's answers to all meetings, read page by page."""
    for row in iter_range(Range(meetings_partition(board_id)), PK, SK):
        if is_answer_of(key_of(row), person_id):
            yield key_of(row)


def without_comments(board_id: BoardId, person_id: str) -> Iterator[list[Write]]:
    """Yields the writes that take the comments from a person's answers, one transaction for each."""
    for row in iter_range(Range(meetings_partition(board_id)), PK, SK, "comment"):
        if is_answer_of(key_of(row), person_id) and row.get("comment") is not None:
            yield [Update(key_of(row), "REMOVE #c", {"#c": "comment"}, {}, EXISTS)]
