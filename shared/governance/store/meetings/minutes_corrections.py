"""The open corrections of approved minutes: one item under their meeting, until it is approved."""

from __future__ import annotations

from governance.models.meetings.minutes import StoredMinutes
from governance.store.schema.keys import Key, make_item
from governance.store.schema.minutes import MINUTES_CORRECTION
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def _key(correction: StoredMinutes) -> Key:
    return MINUTES_CORRECTION.key_for(boardId=correction.board_id, meetingId=correction.meeting_id)


def put(old: StoredMinutes | None, new: StoredMinutes) -> Write:
    """Returns the write of a correction. It fails with `StaleRead` if the earlier one changed since it was read."""
    return Put(make_item(_key(new), new.in_place_of(old).item()), equals(version=old.version) if old else ABSENT)


def delete(correction: StoredMinutes) -> Write:
    """Returns the write that deletes a correction. It fails with `StaleRead` if it changed since it was read."""
    return Delete(_key(correction), equals(version=correction.version))


def check_unchanged(correction: StoredMinutes) -> Write:
    """Returns a check that a correction is as it was read."""
    return Check(_key(correction), equals(version=correction.version))
