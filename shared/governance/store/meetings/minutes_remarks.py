"""Remarks on circulated minutes: an item each under their meeting, in the order of their ids, which is that of time."""

from __future__ import annotations

from governance.agenda_limits import MINUTES_REMARKS
from governance.ids import BoardId
from governance.models.meetings.minutes_remarks import StoredMinutesRemark
from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.store import counters
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import UNDER_MEETING
from governance.store.schema.keys import Key, make_item
from governance.store.schema.minutes import MINUTES_REMARK, MINUTES_REMARK_COUNT
from governance.store.table import iter_range
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(remark: StoredMinutesRemark) -> Key:
    return MINUTES_REMARK.key_for(boardId=remark.board_id, meetingId=remark.meeting_id, remarkId=remark.id)


def _count_key(remark: StoredMinutesRemark) -> Key:
    return MINUTES_REMARK_COUNT.key_for(boardId=remark.board_id, meetingId=remark.meeting_id)


def create(remark: StoredMinutesRemark) -> list[Write]:
    """Returns the writes of a new remark; they fail with 409 `LIMIT_REACHED` at the limit of a meeting."""
    put = Put(make_item(_key(remark), remark.item()), ABSENT)
    return [put, counters.add(_count_key(remark), MINUTES_REMARKS)]


def replace(old: StoredMinutesRemark, new: StoredMinutesRemark) -> Write:
    """Returns the write that changes a remark. It fails with `StaleRead` if it changed since it was read."""
    return Put(make_item(_key(new), new.item()), equals(version=old.version))


def delete(remark: StoredMinutesRemark) -> list[Write]:
    """Returns the writes that delete a remark. They fail with `StaleRead` if it changed since it was read."""
    return [Delete(_key(remark), equals(version=remark.version)), counters.subtract(_count_key(remark))]


def list_of_meeting(board_id: BoardId, meeting_id: str, window: Window) -> tuple[list[StoredMinutesRemark], str | None]:
    """Returns a page of the remarks on a meeting's minutes, oldest first; and the last's position (None: no more)."""
    meeting = UNDER_MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    items, last = page(meeting.pk, [ranges.minutes_remarks_of_meeting(meeting)], window)
    return decode_all(StoredMinutesRemark, items), last


def has_open(approval: StoredMinutesApproval) -> bool:
    """Returns whether a remark on the newest version of minutes waits for a decision."""
    meeting = UNDER_MEETING.key_for(boardId=approval.board_id, meetingId=approval.meeting_id)
    rows = iter_range(ranges.minutes_remarks_of_meeting(meeting).within(meeting.pk), "number", "disposition")
    return any(row["number"] == approval.number and row["disposition"] is None for row in rows)
