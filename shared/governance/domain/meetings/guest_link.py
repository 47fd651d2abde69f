"""Guest links: their token, its digest and their validity (ADR guests).

The token is 64 base64url characters: 12 bytes that name the board, 12 that name the meeting, 24 random ones. So it
names every key that a guest's request needs, and only the digest authorizes.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from hmac import compare_digest

from governance.ids import BoardId
from governance.instants import Instant, shift
from governance.limits import GUEST_LINK_DAYS, GUEST_VIEW_HOURS, GUEST_VOTE_HOURS
from governance.models.account.token import StoredToken
from governance.models.boards.board import Membership
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView, StoredVote

_SHAPE = re.compile(r"[A-Za-z0-9_-]{64}", re.ASCII)
_SECRET_BYTES = 24


@dataclass(frozen=True)
class ParsedGuestToken:
    """The meeting that a token claims to open, before the store confirms it."""

    board_id: BoardId
    meeting_id: str


def mint(board_id: BoardId, meeting_id: str) -> str:
    """Returns a new token. Show it once and store only its `digest`."""
    named = bytes.fromhex(board_id) + bytes.fromhex(meeting_id)
    return base64.urlsafe_b64encode(named + secrets.token_bytes(_SECRET_BYTES)).decode()


def parse(token: str) -> ParsedGuestToken | None:
    """Returns the board and meeting that a token names; None for text that is not a token."""
    if not _SHAPE.fullmatch(token):
        return None
    raw = base64.urlsafe_b64decode(token)
    return ParsedGuestToken(BoardId(raw[:12].hex()), raw[12:24].hex())


def digest(token: str) -> str:
    """Returns the SHA-256 of the token, the only form that is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens_meeting(token: str, link: StoredGuestLink | None, meeting: StoredMeeting | None, now: Instant) -> bool:
    """Returns whether a token opens a meeting.

    It does if it is the token of the meeting's current link, which has not expired, and the meeting is not a draft.
    """
    if link is None or meeting is None or meeting.status == "draft":
        return False
    return compare_digest(link.digest, digest(token)) and now < link.expires_at


def new_link(token: str, made_by: StoredToken | None, membership: Membership | None, now: Instant) -> StoredGuestLink:
    """Returns a new link, which expires no later than the access token that makes it (None: a session does).

    `membership` is that of the user who makes it; a board token has none.
    """
    latest = shift(now, days=GUEST_LINK_DAYS)
    return StoredGuestLink(
        digest=digest(token),
        expires_at=min(latest, made_by.expires_at) if made_by and made_by.expires_at else latest,
        made_by_token=made_by.id if made_by else None,
        made_by_user_id=membership.user_id if membership else None,
        made_by_join_id=membership.join_id if membership else None,
        created_at=now,
    )


def has_lost_maker(link: StoredGuestLink, membership: Membership | None, made_by: StoredToken | None) -> bool:
    """Returns whether a link's maker has left the board, or the access token that made the link is revoked.

    `membership` and `made_by` are as they are now. A token that expires ends its links by their date.
    """
    has_left = link.made_by_join_id is not None and (membership is None or membership.join_id != link.made_by_join_id)
    return has_left or _is_revoked(link, made_by)


def ends_with(join_id: str, link: StoredGuestLink, made_by: StoredToken | None, now: Instant) -> bool:
    """Returns whether a link that opens its meeting until now ends with the membership of this `join_id`."""
    return link.made_by_join_id == join_id and now < link.expires_at and not _is_revoked(link, made_by)


def _is_revoked(link: StoredGuestLink, made_by: StoredToken | None) -> bool:
    return link.made_by_token is not None and (made_by is None or made_by.revoked_at is not None)


def view_window_start(now: Instant) -> Instant:
    """Returns the instant since which no view of a link may have been recorded, if one is to be recorded now."""
    return shift(now, hours=-GUEST_VIEW_HOURS)


def is_view_due(link_digest: str | None, last: StoredGuestView | None, now: Instant) -> bool:
    """Returns whether a view of the link is recorded now: the first one, and one an hour after that.

    Without a digest it is one of several personal links, of whose views one an hour is recorded.
    """
    if last is None or last.viewed_at <= view_window_start(now):
        return True
    return link_digest is not None and last.digest != link_digest


def is_vote_due(earlier: StoredVote | None, now: Instant) -> bool:
    """Returns whether a guest's vote is recorded as an event: their first one on a slot, and a change an hour later.

    `earlier` is the vote that it replaces. Changes in between count, but make no event, so that the holder of a link
    cannot flood a board's audit log and webhooks.
    """
    if earlier is None or earlier.recorded_at is None:
        return True
    return earlier.recorded_at <= shift(now, hours=-GUEST_VOTE_HOURS)
