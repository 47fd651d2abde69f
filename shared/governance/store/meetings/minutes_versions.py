"""Versions of minutes: an item each, and one for their way to approval, all under their meeting."""

from __future__ import annotations

from governance.agenda_limits import AGENDA_ITEMS
from governance.ids import BoardId
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredMinutesVersion
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import UNDER_MEETING
from governance.store.schema.keys import Key, make_item
from governance.store.schema.minutes import MINUTES_APPROVAL, minutes_version_key
from governance.store.table import read_one
from governance.store.writes import ABSENT, Check, Put, Write, equals


def _approval_key(board_id: BoardId, meeting_id: str) -> Key:
    return MINUTES_APPROVAL.key_for(boardId=board_id, meetingId=meeting_id)


def create(version: StoredMinutesVersion) -> Write:
    """Returns the write of a version, which never changes. It fails with `StaleRead` if there is one of its number."""
    key = minutes_version_key(version.board_id, version.meeting_id, version.number)
    return Put(make_item(key, version.item()), ABSENT)


def put_approval(old: StoredMinutesApproval | None, new: StoredMinutesApproval) -> Put:
    """Returns the write of an approval. It fails with `StaleRead` if the earlier one changed since it was read."""
    condition = equals(version=old.version) if old else ABSENT
    listed = ranges.UNAPPROVED_MINUTES.entry(new.meeting_id) if new.status == "circulated" else {}
    return Put(make_item(_approval_key(new.board_id, new.meeting_id), new.item(), **listed), condition)


def list_unapproved(board_id: BoardId) -> list[StoredMinutesApproval]:
    """Returns the approvals of circulated minutes that are not approved: as many as an agenda takes."""
    items, _ = page(f"BOARD#{board_id}", [ranges.UNAPPROVED_MINUTES], Window(AGENDA_ITEMS, descending=False))
    return decode_all(StoredMinutesApproval, items)


def check_never_circulated(board_id: BoardId, meeting_id: str) -> Write:
    """Returns a check that the minutes of a meeting were not circulated since that was read."""
    return Check(_approval_key(board_id, meeting_id), ABSENT)


def check_approval_unchanged(board_id: BoardId, meeting_id: str, approval: StoredMinutesApproval | None) -> Write:
    """Returns a check that an approval is as it was read, None for one that was not there.

    Who decides by it about another row needs this: a batch may read that row after a change, and this one before it.
    """
    return Check(_approval_key(board_id, meeting_id), equals(version=approval.version) if approval else ABSENT)


def renew_approval(approval: StoredMinutesApproval) -> Write:
    """Returns the write after which an approval that was read before fails, as after any other change of the row.

    It fails with `StaleRead` if the approval changed since it was read.
    """
    return put_approval(approval, approval.model_copy(update={"version": approval.version + 1}))


def newest_version(approval: StoredMinutesApproval) -> StoredMinutesVersion:
    """Returns the version of minutes that was circulated last."""
    key = minutes_version_key(approval.board_id, approval.meeting_id, approval.number)
    return StoredMinutesVersion.model_validate(read_one(key))


def list_of_meeting(
    board_id: BoardId, meeting_id: str, window: Window
) -> tuple[list[StoredMinutesVersion], str | None]:
    """Returns a page of the versions of a meeting's minutes, and the position of the last (None: no more)."""
    meeting = UNDER_MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    items, last = page(meeting.pk, [ranges.minutes_versions_of_meeting(meeting)], window)
    return decode_all(StoredMinutesVersion, items), last
