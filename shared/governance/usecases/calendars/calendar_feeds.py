"""A user's calendar feeds and calendar settings: create, list, revoke, change (an extension of the API, ADR
calendars)."""

from __future__ import annotations

from governance.domain.account import tokens as token_rules
from governance.domain.calendars import calendar_feed as calendar_feed_rules
from governance.errors import invalid_body
from governance.ids import BoardId, UserId
from governance.models.base import Deleted
from governance.models.calendars.calendar import (
    CalendarFeed,
    CalendarSettings,
    CalendarSettingsBody,
    FeedCreate,
    StoredCalendarSettings,
    StoredFeed,
)
from governance.models.page import OrderedQuery, Page
from governance.settings import settings
from governance.store.account import tokens
from governance.store.boards import board_lists, boards
from governance.store.calendars import calendars
from governance.store.schema.entities import CALENDAR_FEED, CALENDAR_SETTINGS
from governance.store.schema.keys import Key
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch


def _user_id(context: Context) -> UserId:
    return context.principal.named_user_id


def _feeds_page(info: RequestInfo) -> Page[StoredFeed]:
    return Page(*calendars.list_feeds(info.known_user_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_feeds_page)
def list_calendar_feeds(_context: Context, page: Page[StoredFeed], _query: OrderedQuery) -> Page[CalendarFeed]:
    """Returns a page of the caller's feeds, newest first, without their addresses."""
    read = tokens.last_uses([feed.id for feed in page.data])
    return Page([_to_resource(feed, None, read.get(feed.id)) for feed in page.data], page.next_position)


def _to_resource(feed: StoredFeed, url: str | None, last_read_at: str | None = None) -> CalendarFeed:
    return CalendarFeed.model_validate({**vars(feed), "url": url, "last_read_at": last_read_at})


def _boards_of(info: RequestInfo) -> list[BoardId]:
    return board_lists.board_ids_of(info.known_user_id)


@creates(CALENDAR_FEED, "feedId")
@prefetch(_boards_of)
def create_calendar_feed(context: Context, own: list[BoardId], body: FeedCreate) -> Outcome[CalendarFeed]:
    """Creates a feed; its address is in this response and nowhere else."""
    user_id = _user_id(context)
    board_id = None if body.board_id is None else BoardId(body.board_id)
    if board_id is not None and not boards.boards_of(user_id, {board_id} & {*own}):  # a deleted one is on the list yet
        raise invalid_body({"boardId": "must be the id of a board that you are a member of"})
    secret = calendar_feed_rules.mint(user_id)
    feed = StoredFeed(
        id=token_rules.token_id(secret),
        user_id=user_id,
        board_id=board_id,
        name=body.name,
        digest=token_rules.digest(secret),
        created_at=context.now,
    )
    url = f"{settings().root_url}/calendar/{secret}.ics"
    return Outcome(_to_resource(feed, url), calendars.create_feed(feed, own), replay=_to_resource(feed, None))


def _own_feed_key(info: RequestInfo) -> list[Key | None]:
    return [CALENDAR_FEED.key_or_none(**info.params, userId=info.user_id or "")]


def _own_feed(context: Context) -> StoredFeed:
    return context.stored(CALENDAR_FEED, StoredFeed, userId=_user_id(context))


@loads(_own_feed_key)
@finds(_own_feed)
def delete_calendar_feed(_context: Context, feed: StoredFeed) -> Outcome[Deleted]:
    """Revokes a feed: from the next request on, its address leads nowhere."""
    return Outcome(Deleted(), calendars.delete_feed(feed))


def _settings_key(info: RequestInfo) -> list[Key | None]:
    return [CALENDAR_SETTINGS.key_or_none(userId=info.user_id or "")]


@loads(_settings_key)
def get_calendar_settings(context: Context) -> CalendarSettings:
    """Returns the caller's calendar settings."""
    return _shown(calendars.settings_of(context.item(CALENDAR_SETTINGS, userId=_user_id(context))))


def _shown(settings: StoredCalendarSettings) -> CalendarSettings:
    return CalendarSettings.model_validate(vars(settings))


@loads(_settings_key)
def put_calendar_settings(context: Context, body: CalendarSettingsBody) -> Outcome[CalendarSettings]:
    """Changes the caller's calendar settings; a field that the body leaves out stays the same."""
    old = calendars.settings_of(context.item(CALENDAR_SETTINGS, userId=_user_id(context)))
    new = old.model_copy(update=body.changes())
    return Outcome(_shown(new), [calendars.put_settings(_user_id(context), new)])
