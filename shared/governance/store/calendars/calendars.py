"""Calendar feeds and settings in their user's partition, the boards that a feed showed last, and boards' stamps.

A stamp is the instant at which it was written, with a random text. It is written after every change that a calendar
shows (ADR calendars). A feed is current while its boards have the stamps that it was made with.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import CALENDAR_FEEDS
from governance.models.calendars.calendar import StoredCalendarSettings, StoredFeed
from governance.store import counters
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    CALENDAR_FEED,
    CALENDAR_FEED_COUNT,
    CALENDAR_SETTINGS,
    CALENDAR_STAMP,
    FEED_BOARDS,
    USER,
    token_use_key,
)
from governance.store.schema.keys import Item, Key, make_item, position
from governance.store.table import read
from governance.store.writes import ABSENT, EXISTS, Delete, Put, Update, Write

_STAMP, _BOARDS = "stamp", "boardIds"


def _key(feed: StoredFeed) -> Key:
    return CALENDAR_FEED.key_for(userId=feed.user_id, feedId=feed.id)


def create_feed(feed: StoredFeed, board_ids: Iterable[BoardId]) -> list[Write]:
    """Returns the writes of a new feed of a user who is on these boards.

    They fail with 409 `LIMIT_REACHED` at the limit of a user.
    """
    return [
        Put(
            make_item(_key(feed), feed.item(), **ranges.FEEDS_BY_CREATION.entry(position(feed.created_at, feed.id))),
            ABSENT,
        ),
        counters.add(_count_key(feed), CALENDAR_FEEDS),
        Put(make_item(boards_key(feed.id), {_BOARDS: list(board_ids)})),
    ]


def _count_key(feed: StoredFeed) -> Key:
    return CALENDAR_FEED_COUNT.key_for(userId=feed.user_id)


def delete_feed(feed: StoredFeed) -> list[Write]:
    """Returns the writes that delete a feed with its boards and its last use.

    They fail with `StaleRead` if it was deleted.
    """
    return [
        Delete(_key(feed), EXISTS),
        counters.subtract(_count_key(feed)),
        Delete(boards_key(feed.id)),
        Delete(token_use_key(feed.id)),
    ]


def boards_key(feed_id: str) -> Key:
    """Returns the key of the boards that the last read of a feed found: a later read begins with them."""
    return FEED_BOARDS.key_for(feedId=feed_id)


def boards_of(item: Item | None) -> list[BoardId]:
    """Returns the boards in an item; none without one."""
    return item[_BOARDS] if item else []


def set_boards(feed: StoredFeed, board_ids: Iterable[BoardId]) -> Write:
    """Returns the write that notes the boards that a read found. It fails with `StaleRead` if the feed was deleted."""
    return Update(boards_key(feed.id), "SET #b = :b", {"#b": _BOARDS}, {":b": list(board_ids)}, EXISTS)


def list_feeds(user_id: UserId, window: Window) -> tuple[list[StoredFeed], str | None]:
    """Returns a page of a user's feeds, by creation, and the position of the last (None: no more)."""
    items, last = page(USER.key_for(userId=user_id).pk, [ranges.FEEDS_BY_CREATION], window)
    return decode_all(StoredFeed, items), last


def put_settings(user_id: UserId, settings: StoredCalendarSettings) -> Write:
    """Returns the write that replaces a user's calendar settings."""
    return Put(make_item(CALENDAR_SETTINGS.key_for(userId=user_id), settings.item()))


def settings_of(item: Item | None) -> StoredCalendarSettings:
    """Returns the settings in an item; the default ones if there is none."""
    return StoredCalendarSettings.model_validate(item) if item else StoredCalendarSettings()


def invited(user_ids: Iterable[UserId]) -> list[UserId]:
    """Returns the users who want calendar invitations. Settings of the last second may not count yet."""
    keys = {user_id: CALENDAR_SETTINGS.key_for(userId=user_id) for user_id in user_ids}
    items = read(keys.values(), consistent=False)
    return [user_id for user_id, key in keys.items() if settings_of(items.get(key)).invitations]


def renew_stamp(board_id: BoardId, now: Instant) -> Write:
    """Returns the write that gives a board a new stamp, which it never had before."""
    return Put(make_item(stamp_key(board_id), {_STAMP: f"{now} {secrets.token_hex(8)}"}))


def stamp_key(board_id: BoardId) -> Key:
    """Returns the key of a board's stamp."""
    return CALENDAR_STAMP.key_for(boardId=board_id)


def stamp_of(item: Item | None) -> str:
    """Returns the stamp in an item; an empty text if there is none."""
    return str(item[_STAMP]) if item else ""
