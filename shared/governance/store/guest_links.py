"""Guest links: one item for each meeting, so that a new link replaces the earlier one."""

from __future__ import annotations

from governance.instants import Instant
from governance.models.meeting import StoredMeeting
from governance.models.slot import StoredGuestLink
from governance.store.schema import GUEST_LINK, PK, Key, make_item
from governance.store.writes import Check, Condition, Delete, Put, Update, Write, equals


def _key(meeting: StoredMeeting) -> Key:
    return GUEST_LINK.key_for(boardId=meeting.board_id, meetingId=meeting.id)


def put(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns the write that makes this the meeting's link."""
    return Put(make_item(_key(meeting), link.item(), ttl=link.expires_at))


def close(meeting: StoredMeeting) -> Write:
    """Returns the write that deletes the meeting's link."""
    return Delete(_key(meeting))


def check_open(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns a check that the link is still the meeting's."""
    return Check(_key(meeting), equals(digest=link.digest))


def record_view(meeting: StoredMeeting, now: Instant, window_start: Instant) -> Write:
    """Returns the write that notes a recorded view of the meeting's link.

    It fails with `StaleRead` if the link was closed, or a view was recorded after `window_start`. It names no digest:
    the role of the public function may not write that attribute.
    """
    due = Condition(
        "attribute_exists(#pk) AND (attribute_not_exists(#v) OR #v = :none OR #v <= :start)",
        {"#pk": PK},
        {":none": None, ":start": window_start},
    )
    return Update(_key(meeting), "SET #v = :now", {"#v": "viewedAt"}, {":now": now}, due)
