"""Who of the people without an account is invited to a meeting: one item under it, from the first choice on."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import StoredMeetingPeople
from governance.store.schema.entities import MEETING_PEOPLE
from governance.store.schema.keys import Item, Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Check, Condition, Put, Write, equals


def _key(board_id: BoardId, meeting_id: str) -> Key:
    return MEETING_PEOPLE.key_for(boardId=board_id, meetingId=meeting_id)


def from_item(item: Item | None) -> StoredMeetingPeople | None:
    """Returns the choice in an item; None without one: all active people are invited."""
    return StoredMeetingPeople.model_validate(item) if item else None


def of_meeting(board_id: BoardId, meeting_id: str) -> StoredMeetingPeople | None:
    """Returns the choice for a meeting; None if nobody has chosen yet."""
    return from_item(read_one(_key(board_id, meeting_id)))


def put(old: StoredMeetingPeople | None, new: StoredMeetingPeople) -> Write:
    """Returns the write of a choice. It fails with `StaleRead` if the earlier one changed since it was read."""
    return Put(make_item(_key(new.board_id, new.meeting_id), new.item()), _as_read(old))


def check_unchanged(meeting: StoredMeeting, chosen: StoredMeetingPeople | None) -> Write:
    """Returns a check that a choice, or that there is none, has not changed since it was read (`StaleRead`)."""
    return Check(_key(meeting.board_id, meeting.id), _as_read(chosen))


def _as_read(chosen: StoredMeetingPeople | None) -> Condition:
    return equals(version=chosen.version) if chosen else ABSENT
