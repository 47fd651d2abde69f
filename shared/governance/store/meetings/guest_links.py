"""Guest links: one item for each meeting, so that a new link replaces the earlier one."""

from __future__ import annotations

from governance.instants import Instant
from governance.models.account.token import StoredToken
from governance.models.boards.board import Membership
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView
from governance.store.schema.entities import BOARD_TOKEN, GUEST_LINK, GUEST_VIEW, MEMBER, USER_TOKEN
from governance.store.schema.keys import PK, Key, make_item
from governance.store.table import read
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals


def _key(meeting: StoredMeeting) -> Key:
    return GUEST_LINK.key_for(boardId=meeting.board_id, meetingId=meeting.id)


def put(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns the write that makes this the meeting's link."""
    return Put(make_item(_key(meeting), link.item(), ttl=link.expires_at))


def maker_of(meeting: StoredMeeting, link: StoredGuestLink) -> tuple[Membership | None, StoredToken | None]:
    """Returns the membership of who made a link and the access token by which they did, as they are now."""
    board_id, user_id = meeting.board_id, link.made_by_user_id
    member_key = MEMBER.key_or_none(boardId=board_id, userId=user_id)
    of_user = USER_TOKEN.key_or_none(userId=user_id, tokenId=link.made_by_token)
    token_key = of_user if user_id else BOARD_TOKEN.key_or_none(boardId=board_id, tokenId=link.made_by_token)
    items = read(key for key in (member_key, token_key) if key)
    member, token = (items.get(key) if key else None for key in (member_key, token_key))
    return (
        Membership.model_validate(member) if member else None,
        StoredToken.model_validate(token) if token else None,
    )


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
