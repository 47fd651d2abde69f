"""Calendar feeds: the secret in their address, who may read one, and their entity tags (ADR calendars)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from governance.domain import entity_tags
from governance.domain.account import tokens
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.account.user import StoredUser
from governance.models.calendars.calendar import StoredFeed

_PREFIX = "svc_cal_"
_SHAPE = re.compile(r"svc_cal_([0-9A-Za-z]{17})[0-9A-Za-z]{30}([0-9A-Za-z]{6})", re.ASCII)
_SETTLING_SECONDS = 60
"""More than it takes to read a feed and to write a stamp, and more than clocks differ."""
_FORMAT = 1
"""Version of the feed's format. Raise it when the text of unchanged meetings changes."""


def mint(user_id: UserId) -> str:
    """Returns a new secret of a user's feed. Show it once and store only its digest."""
    return tokens.mint_secret(_PREFIX, user_id)


def parse(text: str) -> tuple[UserId, str] | None:
    """Returns the user and the feed that a secret names; None for text that is not a secret of a feed."""
    owner_id = tokens.owner_of(text, _SHAPE)
    return None if owner_id is None else (UserId(owner_id), tokens.token_id(text))


def opens_feed(secret: str, feed: StoredFeed | None, user: StoredUser | None) -> bool:
    """Returns whether a secret opens a feed: it is the feed's, and the account of its user is active."""
    if feed is None or user is None or user.status != "active":
        return False
    return tokens.matches(feed.digest, tokens.digest(secret))


def entity_tag(feed: StoredFeed, stamps: Iterable[tuple[BoardId, str]], now: Instant) -> str:
    """Returns the tag of a feed, which changes with each change on its boards, and every day.

    Meetings and stamps are read in parallel, so a new stamp may be newer than the meetings: a feed with a new stamp
    gets a tag that is never used again. Tags are weak: between a change and its stamp, two versions have the same tag.
    A tag that lasts begins with its day, so that an outdated one is recognized before anything is read.
    """
    known = sorted(stamps)
    is_settled = all(stamp < shift(now, seconds=-_SETTLING_SECONDS) for _, stamp in known)
    day = _day(now) if is_settled else ""
    parts = [str(_FORMAT), feed.id, day or now, *(f"{board}={stamp}" for board, stamp in known)]
    digest = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:32]
    return f'W/"{day}{digest}"'


def _day(now: Instant) -> str:
    return f"{now[:10]}-"


def may_be_current(if_none_match: str, now: Instant) -> bool:
    """Returns whether an `If-None-Match` header may name the tag of a feed: it has one that lasts today, or is `*`."""
    named = entity_tags.parse_tags(if_none_match)
    if named is None or named.tags is None:
        return named is not None
    return any(tag.removeprefix("W/").startswith(f'"{_day(now)}') for tag in named.tags)


def is_current(tag: str, if_none_match: str) -> bool:
    """Returns whether an `If-None-Match` header names the tag; a malformed one names none."""
    named = entity_tags.parse_tags(if_none_match)
    return named is not None and named.match_weakly(tag)
