"""Meetings: one item each; its places in the two indexes are its bucket and its status, in the order of its start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.visibility import MEETINGS, meeting_bucket
from governance.models.base import list_of
from governance.models.meeting import Meeting, StoredMeeting
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import MEETING, Item, Key, make_item
from governance.store.table import read
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def meeting_key(meeting: StoredMeeting) -> Key:
    """Where a meeting lies."""
    return MEETING.at(boardId=meeting.board_id, meetingId=meeting.id)


def _item(meeting: StoredMeeting) -> Item:
    place = f"{meeting.start_time or ''}#{meeting.id}"
    bucket = meeting_bucket(meeting)
    by_status = {"L2": f"{bucket}#{meeting.status}#{place}"} if bucket == MEETINGS else {}
    return make_item(meeting_key(meeting), meeting.item(), L1=f"{bucket}#{place}", **by_status)


def create(meeting: StoredMeeting) -> Write:
    """A new meeting."""
    return Put(_item(meeting), ABSENT)


def replace(old: StoredMeeting, new: StoredMeeting) -> Write:
    """A meeting as it is now, if it is still as it was read."""
    return Put(_item(new), equals(version=old.version))


def check_unchanged(meeting: StoredMeeting) -> Write:
    """The meeting is still as it was read: as visible, as open, as booked."""
    return Check(meeting_key(meeting), equals(version=meeting.version))


def delete(meeting: StoredMeeting) -> Write:
    """Remove a meeting, if it is still as it was read."""
    return Delete(meeting_key(meeting), equals(version=meeting.version))


def list_buckets(board_id: str, buckets: Sequence[str], window: Window) -> tuple[list[Meeting], str | None]:
    """A page of the meetings in these buckets, by start."""
    items, position = page(board_key(board_id).pk, "L1", [f"{bucket}#" for bucket in buckets], window)
    return list_of(Meeting).validate_python(items), position


def list_by_status(board_id: str, status: str, window: Window) -> tuple[list[Meeting], str | None]:
    """A page of the board's meetings of one status other than draft, by start."""
    items, position = page(board_key(board_id).pk, "L2", [f"{MEETINGS}#{status}#"], window)
    return list_of(Meeting).validate_python(items), position


def get_by_keys(keys: Iterable[Key]) -> dict[str, StoredMeeting]:
    """The meetings that exist under these keys, by id: one round trip, whatever their number."""
    return {item["id"]: StoredMeeting.model_validate(item) for item in read(keys).values()}
