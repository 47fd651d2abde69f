"""The answers to a meeting: one item for each member, and for each person without an account who was invited.

They are under the meeting, so that one query reads those of all members, and one those of all people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

from governance.ids import BoardId, PersonId, UserId
from governance.models.meetings.rsvp import StoredRsvp, StoredUnregisteredRsvp
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import MEETING, RSVP, UNREGISTERED_RSVP, is_answer_of, meetings_partition
from governance.store.schema.keys import PK, SK, Item, Key, Range, SortedList, key_of, make_item
from governance.store.table import iter_range, query, read
from governance.store.writes import ABSENT, EXISTS, Put, Update, Write, equals

_A = TypeVar("_A", StoredRsvp, StoredUnregisteredRsvp)


def _key(rsvp: StoredRsvp | StoredUnregisteredRsvp) -> Key:
    ids = {"boardId": rsvp.board_id, "meetingId": rsvp.meeting_id}
    if isinstance(rsvp, StoredUnregisteredRsvp):
        return UNREGISTERED_RSVP.key_for(**ids, unregisteredUserId=rsvp.unregistered_user_id)
    return RSVP.key_for(**ids, userId=rsvp.user_id)


def put(old: _A | None, new: _A) -> Write:
    """Returns the write of an answer. It fails with `StaleRead` if the earlier one changed since it was read."""
    return Put(make_item(_key(new), new.item()), equals(version=old.version) if old else ABSENT)


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredRsvp]:
    """Returns the members' answers to a meeting, with one query; none if an id is malformed."""
    return _list(StoredRsvp, ranges.rsvps_of_meeting, board_id, meeting_id)


def people_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredUnregisteredRsvp]:
    """Returns the answers of people without an account to a meeting, with one query; none if an id is malformed."""
    return _list(StoredUnregisteredRsvp, ranges.unregistered_rsvps_of_meeting, board_id, meeting_id)


def _list(model: type[_A], listed: Callable[[Key], SortedList], board_id: BoardId, meeting_id: str) -> list[_A]:
    meeting = MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    return [] if meeting is None else decode_all(model, query(listed(meeting).within(meeting.pk)))


def of_user(board_id: BoardId, user_id: UserId, meeting_ids: Iterable[str]) -> list[StoredRsvp]:
    """Returns a user's answers to some meetings of a board, with one batch."""
    keys = [RSVP.key_for(boardId=board_id, meetingId=meeting_id, userId=user_id) for meeting_id in meeting_ids]
    items = read(keys)
    return decode_all(StoredRsvp, [items[key] for key in keys if key in items])


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of all answers to a deleted meeting, read page by page."""
    meeting = MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    both = ranges.rsvps_of_meeting(meeting), ranges.unregistered_rsvps_of_meeting(meeting)
    return chain.from_iterable(iter_range(listed.within(meeting.pk), PK, SK) for listed in both)


def keys_of_person(board_id: BoardId, person_id: PersonId) -> Iterator[Key]:
    """Yields the keys of a person's answers to all meetings, read page by page."""
    for row in iter_range(Range(meetings_partition(board_id)), PK, SK):
        if is_answer_of(key_of(row), person_id):
            yield key_of(row)


def without_comments(board_id: BoardId, person_id: PersonId) -> Iterator[list[Write]]:
    """Yields the writes that take the comments from a person's answers, one transaction for each."""
    for row in iter_range(Range(meetings_partition(board_id)), PK, SK, "comment"):
        if is_answer_of(key_of(row), person_id) and row.get("comment") is not None:
            yield [Update(key_of(row), "REMOVE #c", {"#c": "comment"}, {}, EXISTS)]
