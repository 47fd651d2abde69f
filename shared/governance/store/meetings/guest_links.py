"""Guest links: one item for each meeting, so that a new link replaces the earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.account.token import StoredToken
from governance.models.boards.board import Membership
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView
from governance.store.schema import ranges
from governance.store.schema.entities import BOARD_TOKEN, GUEST_LINK, GUEST_VIEW, MEMBER, USER_TOKEN
from governance.store.schema.keys import PK, Item, Key, key_of, make_item
from governance.store.table import query, read
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals


def _key(meeting: StoredMeeting) -> Key:
    return GUEST_LINK.key_for(boardId=meeting.board_id, meetingId=meeting.id)


def put(meeting: StoredMeeting, link: StoredGuestLink) -> Write:
    """Returns the write that makes this the meeting's link."""
    maker = link.made_by_user_id
    entries = ranges.guest_links_made_by(maker).entry(meeting.id) if maker else {}
    return Put(make_item(_key(meeting), link.item(), ttl=link.expires_at, **entries))


def made_by(board_id: BoardId, user_id: UserId) -> Iterator[tuple[str, StoredGuestLink, StoredToken | None]]:
    """Yields a user's guest links on a board: the meeting, the link, and the access token by which it was made."""
    rows = query(ranges.guest_links_made_by(user_id).within(GUEST_LINK.pk.format(boardId=board_id)))
    links = [(GUEST_LINK.ids_of(key_of(row))["meetingId"], StoredGuestLink.model_validate(row)) for row in rows]
    tokens = read(key for _, link in links if (key := _token_key(board_id, link)))
    for meeting_id, link in links:
        yield meeting_id, link, _token(tokens, _token_key(board_id, link))


def _token_key(board_id: BoardId, link: StoredGuestLink) -> Key | None:
    of_user = USER_TOKEN.key_or_none(userId=link.made_by_user_id, tokenId=link.made_by_token)
    return of_user if link.made_by_user_id else BOARD_TOKEN.key_or_none(boardId=board_id, tokenId=link.made_by_token)


def _token(items: Mapping[Key, Item], key: Key | None) -> StoredToken | None:
    item = items.get(key) if key else None
    return StoredToken.model_validate(item) if item else None


def maker_of(meeting: StoredMeeting, link: StoredGuestLink) -> tuple[Membership | None, StoredToken | None]:
    """Returns the membership of a link's maker, and the access token that made the link, as they are now."""
    member_key = MEMBER.key_or_none(boardId=meeting.board_id, userId=link.made_by_user_id)
    token_key = _token_key(meeting.board_id, link)
    items = read(key for key in (member_key, token_key) if key)
    member = items.get(member_key) if member_key else None
    return Membership.model_validate(member) if member else None, _token(items, token_key)


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
