"""Guest links: one item for each meeting, so that a new link replaces the earlier one."""

from __future__ import annotations

from governance.instants import Instant
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView
from governance.store.schema.entities import GUEST_LINK, GUEST_VIEW
from governance.store.schema.keys import PK, Key, make_item
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals


def _key(meeting: StoredMeeting) -> Key:
    return GUEST_LINK.key_for(boardId=meeting.board_id, meetingId=meeting.id)


def put(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns the write that makes this the meeting's link."""
    return Put(make_item(_key(meeting), link.item(), ttl=link.expires_at))


def close(meeting: StoredMeeting, link: StoredGuestLink | None) -> Write:
    """Returns the write that deletes the meeting's link, as it was read (None: there was none).

    It fails with `StaleRead` if the link was closed or replaced meanwhile.
    """
    return Delete(_key(meeting), ABSENT if link is None else equals(digest=link.digest))


def check_open(meeting: StoredMeeting, digest: str) -> Write:
    """Returns a check that the link with this digest is still the meeting's."""
    return Check(_key(meeting), equals(digest=digest))


def record_view(meeting: StoredMeeting, digest: str | None, now: Instant, window_start: Instant) -> Write:
    """Returns the write that notes a recorded view of the meeting, by a link with this digest or by a personal one.

    It fails with `StaleRead` if a view was recorded after `window_start`, by the same link or before a personal one.
    """
    names, values = {"#pk": PK, "#v": "viewedAt"}, {":start": window_start}
    due = Condition("attribute_not_exists(#pk) OR #v <= :start", names, values)
    if digest is not None:
        anew = f"{due.expression} OR #d <> :digest"
        due = Condition(anew, {**names, "#d": "digest"}, {**values, ":digest": digest})
    view = StoredGuestView(digest=digest or "", viewed_at=now)
    return Put(make_item(GUEST_VIEW.key_for(boardId=meeting.board_id, meetingId=meeting.id), view.item()), due)
