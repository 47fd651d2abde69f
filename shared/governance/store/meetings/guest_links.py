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


def check_open(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns a check that the link is still the meeting's."""
    return Check(_key(meeting), equals(digest=link.digest))


def record_view(meeting: StoredMeeting, link: StoredGuestLink, now: Instant, window_start: Instant) -> list[Write]:
    """Returns the writes that note a recorded view of the meeting by its link.

    They fail with `StaleRead` if the link was closed or replaced, or a view was recorded after `window_start`.
    """
    due = Condition(
        "attribute_not_exists(#pk) OR #d <> :digest OR #v <= :start",
        {"#pk": PK, "#d": "digest", "#v": "viewedAt"},
        {":digest": link.digest, ":start": window_start},
    )
    view = StoredGuestView(digest=link.digest, viewed_at=now)
    key = GUEST_VIEW.key_for(boardId=meeting.board_id, meetingId=meeting.id)
    return [check_open(meeting, link), Put(make_item(key, view.item()), due)]
