"""Calendar feeds and settings in their user's partition, and the stamp of the last change on a board's partition.

A stamp is the instant at which it was written, with a random text. It is written after every change that a calendar
shows (ADR 0109). A feed whose boards have the stamps that it was made with need not be made again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from governance.errors import Reason, conflict
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import CALENDAR_FEEDS
from governance.models.calendar import CalendarSettings, StoredFeed
from governance.store.paging import Window, page
from governance.store.schema import (
    CALENDAR_FEED,
    CALENDAR_FEED_COUNT,
    CALENDAR_SETTINGS,
    CALENDAR_STAMP,
    USER,
    Item,
    Key,
    make_item,
    position,
    ranges,
    token_use_key,
)
from governance.store.table import read
from governance.store.writes import ABSENT, EXISTS, Condition, Delete, Put, Update, Write, fail_with

_COUNT, _STAMP = "feeds", "stamp"


def _key(feed: StoredFeed) -> Key:
    return CALENDAR_FEED.key_for(userId=feed.user_id, feedId=feed.id)


def create_feed(feed: StoredFeed) -> list[Write]:
    """Returns the writes of a new feed. They fail with 409 `LIMIT_REACHED` if the user has as many as they may have."""
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": CALENDAR_FEEDS})
    full = fail_with(lambda: conflict(Reason.LIMIT_REACHED))
    return [
        Put(
            make_item(_key(feed), feed.item(), **ranges.CALENDAR_FEEDS.entry(position(feed.created_at, feed.id))),
            ABSENT,
        ),
        Update(_count_key(feed), "ADD #n :one", {"#n": _COUNT}, {":one": 1}, room, full),
    ]


def _count_key(feed: StoredFeed) -> Key:
    return CALENDAR_FEED_COUNT.key_for(userId=feed.user_id)


def delete_feed(feed: StoredFeed) -> list[Write]:
    """Returns the writes that delete a feed with its last use. They fail with `StaleRead` if it is gone."""
    return [
        Delete(_key(feed), EXISTS),
        Update(_count_key(feed), "ADD #n :less", {"#n": _COUNT}, {":less": -1}),
        Delete(token_use_key(feed.id)),
    ]


def set_boards(feed: StoredFeed, board_ids: Iterable[BoardId]) -> Write:
    """Returns the write that notes the boards that a read found. It fails with `StaleRead` if the feed is gone."""
    return Update(_key(feed), "SET #b = :b", {"#b": "boardIds"}, {":b": list(board_ids)}, EXISTS)


def list_feeds(user_id: UserId, window: Window) -> tuple[list[StoredFeed], str | None]:
    """Returns a page of a user's feeds, by creation, and the position of the last (None: no more)."""
    items, last = page(USER.key_for(userId=user_id).pk, [ranges.CALENDAR_FEEDS], window)
    return [StoredFeed.model_validate(item) for item in items], last


def put_settings(user_id: UserId, settings: CalendarSettings) -> Write:
    """Returns the write that replaces a user's calendar settings."""
    return Put(make_item(CALENDAR_SETTINGS.key_for(userId=user_id), {"invitations": settings.invitations}))


def settings_of(item: Item | None) -> CalendarSettings:
    """Returns the settings in an item; the default ones if there is none."""
    return CalendarSettings(invitations=item["invitations"]) if item else CalendarSettings()


def invited(user_ids: Iterable[UserId]) -> list[UserId]:
    """Returns those of the users who want invitations by mail. Settings of the last second may not count yet."""
    keys = {user_id: CALENDAR_SETTINGS.key_for(userId=user_id) for user_id in user_ids}
    items = read(keys.values(), consistent=False)
    return [user_id for user_id, key in keys.items() if settings_of(items.get(key)).invitations]


def renew_stamp(board_id: BoardId, now: Instant) -> Write:
    """Returns the write that gives a board a new stamp, which it never had before."""
    return Put(make_item(CALENDAR_STAMP.key_for(boardId=board_id), {_STAMP: f"{now} {secrets.token_hex(8)}"}))


def stamp_of(item: Item | None) -> str:
    """Returns the stamp in an item; an empty text if there is none."""
    return str(item[_STAMP]) if item else ""
