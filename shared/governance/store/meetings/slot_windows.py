"""The windows in which the slots proposed on a meeting share a notification, in the partition of its vote requests."""

from __future__ import annotations

from governance.instants import Instant, shift
from governance.limits import NOTIFICATION_DAYS
from governance.models.meetings.slot_windows import StoredSlotWindows
from governance.store.schema.entities import SLOT_WINDOWS
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Put, Write, equals


def _key(meeting_id: str) -> Key:
    return SLOT_WINDOWS.key_for(meetingId=meeting_id)


def of_meeting(meeting_id: str) -> StoredSlotWindows:
    """Returns the windows of a meeting; those of version 0 if there are none."""
    item = read_one(_key(meeting_id))
    return StoredSlotWindows.model_validate(item) if item else StoredSlotWindows()


def put(meeting_id: str, old: StoredSlotWindows, new: StoredSlotWindows, now: Instant) -> Write:
    """Returns the write of a meeting's windows. It fails with `StaleRead` if they changed meanwhile."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(_key(meeting_id), new.item(), ttl=shift(now, days=NOTIFICATION_DAYS)), condition)
