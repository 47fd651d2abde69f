"""Reads the content of a calendar feed (an extension of the API, ADR calendars).

The secret names the user and the feed, which one batch reads. Then everything about the boards of the feed is read in
parallel. If the request has today's tag, only the boards' stamps are read: if they match the tag, the client's copy is
current.

A feed shows the newest events of all boards together. With many boards, a few rows of each are read first. More are
read only from boards whose next rows could be among the newest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain

from governance.agenda_limits import SERIES_PER_BOARD
from governance.domain.access.visibility import document_visibilities
from governance.domain.calendars import calendar_feed as calendar_feed_rules
from governance.domain.calendars.calendar import CalendarEvent, OpenSlot, board_events, first_instant, newest, today
from governance.domain.series.in_calendars import series_events
from governance.errors import ApiError, not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import FEED_EVENTS
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.calendars.calendar import StoredFeed
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.series import StoredSeries
from governance.store.boards import board_lists
from governance.store.calendars import calendars
from governance.store.committees.seats import seats_in
from governance.store.decoding import decode_or_none
from governance.store.dynamodb import run_async
from governance.store.meetings import meetings, slots
from governance.store.paging import Window
from governance.store.schema.entities import BOARD, CALENDAR_FEED, CALENDAR_STAMP, MEMBER, USER, seats_key
from governance.store.series import series
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from governance.usecases.account.tokens import record_use_of

_USE_RECORD_SECONDS = 3600
_DEFAULT_NAME = "Board meetings"
_LEAST_ROWS = 25
"""Rows that are read from each list of a board at least."""


@dataclass(frozen=True)
class FeedContent:
    """The content of a feed; `events` is None if the client's copy is current."""

    tag: str
    name: str
    events: list[CalendarEvent] | None


@dataclass(frozen=True)
class _Content:
    """The reads of one board's calendar, which run in parallel: the latest `rows` of each list."""

    rows: int
    meetings: list[Future[list[StoredMeeting]]]
    slots: Future[list[OpenSlot]]

    def may_miss(self, earliest: Instant) -> bool:
        """Returns whether a list may have more rows than were read, with a start at `earliest` or later."""
        starts = [[meeting.start_time or "" for meeting in future.result()] for future in self.meetings]
        starts.append([slot.start_time for slot in self.slots.result()])
        return self.rows < FEED_EVENTS and any(len(read) == self.rows and read[-1] >= earliest for read in starts)


@dataclass(frozen=True)
class _VisibleBoard:
    """A board that a user is a member of, with its stamp, and the user's committees."""

    board: StoredBoard
    stamp: str
    committee_ids: tuple[str, ...]


VisibleBoards = dict[BoardId, _VisibleBoard]


def read_feed(secret: str, if_none_match: str, now: Instant) -> FeedContent:
    """Returns the content of a feed. Raises 404 for a secret that opens none."""
    feed, noted = _feed(secret)
    record_use_of(feed.id, now, _USE_RECORD_SECONDS)
    own = run_async(partial(board_lists.board_ids_of, feed.user_id)) if feed.board_id is None else None
    is_known = calendar_feed_rules.may_be_current(if_none_match, now)
    started = {} if is_known else _start_all(noted, feed.user_id, now)
    visible = _visible_boards(noted, feed.user_id)
    board_ids = own.result() if own else noted
    visible |= _visible_boards(set(board_ids) - set(noted), feed.user_id)
    _note_boards(feed, noted, board_ids)
    tag = calendar_feed_rules.entity_tag(feed, ((board_id, seen.stamp) for board_id, seen in visible.items()), now)
    name = feed.name or _name_of(feed, visible)
    if is_known and calendar_feed_rules.is_current(tag, if_none_match):
        return FeedContent(tag, name, None)
    started |= _start_all(visible.keys() - started.keys(), feed.user_id, now)
    recurring = {board_id: run_async(partial(_series_of, seen)) for board_id, seen in visible.items()}
    return FeedContent(tag, name, _newest_events(visible, started, recurring, feed.user_id, now))


def _feed(secret: str) -> tuple[StoredFeed, list[BoardId]]:
    """Returns the feed that a secret opens, and the boards that it showed last. Raises 404 for any other secret."""
    named = calendar_feed_rules.parse(secret)
    if named is None:
        raise not_found()
    user_id, feed_id = named
    user_key, feed_key = USER.key_for(userId=user_id), CALENDAR_FEED.key_for(userId=user_id, feedId=feed_id)
    boards_key = calendars.boards_key(feed_id)
    items = read([user_key, feed_key, boards_key])
    user = StoredUser.model_validate(items[user_key]) if user_key in items else None
    feed = StoredFeed.model_validate(items[feed_key]) if feed_key in items else None
    if feed is None or not calendar_feed_rules.opens_feed(secret, feed, user):
        raise not_found()
    return feed, [feed.board_id] if feed.board_id else calendars.boards_of(items.get(boards_key))


def _visible_boards(board_ids: Iterable[BoardId], user_id: UserId) -> VisibleBoards:
    """Reads boards with their stamps and committees in one batch; returns those that have the user as a member."""
    wanted = [{"boardId": board_id, "userId": user_id} for board_id in board_ids]
    kinds = (BOARD, MEMBER, CALENDAR_STAMP)
    seats = {board_id: seats_key(board_id, user_id) for board_id in board_ids}
    items = read([*(kind.key_for(**values) for values in wanted for kind in kinds), *seats.values()])
    visible: VisibleBoards = {}
    for values in wanted:
        stored, member, stamp = (items.get(kind.key_for(**values)) for kind in kinds)
        if member is not None and (board := decode_or_none(StoredBoard, stored)) is not None:
            own = seats_in(items.get(seats[board.id])).of(user_id)
            visible[board.id] = _VisibleBoard(board, calendars.stamp_of(stamp), own)
    return visible


def _note_boards(feed: StoredFeed, noted: list[BoardId], board_ids: list[BoardId]) -> None:
    """Stores the boards of a feed of all boards if they changed, in parallel; the next read repeats a failed write."""
    if feed.board_id is None and set(board_ids) != set(noted):
        run_async(partial(_try_to_note, feed, board_ids))


def _try_to_note(feed: StoredFeed, board_ids: list[BoardId]) -> None:
    with suppress(StaleRead, ApiError):
        transact([calendars.set_boards(feed, board_ids)])


def _name_of(feed: StoredFeed, visible: VisibleBoards) -> str:
    board = visible.get(feed.board_id) if feed.board_id else None
    return board.board.name if board else _DEFAULT_NAME


def _start_all(board_ids: Collection[BoardId], user_id: UserId, now: Instant) -> dict[BoardId, _Content]:
    """Starts to read each board's share of twice as many rows as the feed has events."""
    rows = min(FEED_EVENTS, max(_LEAST_ROWS, 2 * FEED_EVENTS // max(1, len(board_ids))))
    return {board_id: _start(board_id, user_id, now, rows) for board_id in board_ids}


def _start(board_id: BoardId, user_id: UserId, now: Instant, rows: int) -> _Content:
    reads = [run_async(call) for call in meetings.calendar_reads(board_id, user_id, first_instant(now), rows)]
    return _Content(rows, reads, run_async(partial(slots.list_open, board_id, today(now), rows)))


def _series_of(seen: _VisibleBoard) -> list[StoredSeries]:
    """Returns the series of a board that a user sees: a board has few."""
    window = Window(SERIES_PER_BOARD, descending=True)
    return series.list_visible(seen.board.id, document_visibilities(seen.committee_ids), window)[0]


def _newest_events(
    visible: VisibleBoards,
    started: dict[BoardId, _Content],
    recurring: Mapping[BoardId, Future[list[StoredSeries]]],
    user_id: UserId,
    now: Instant,
) -> list[CalendarEvent]:
    """Returns the newest events of the boards; reads more of a board whose further rows could be among them."""
    events_by_board: dict[BoardId, list[CalendarEvent]] = {}
    unread: Iterable[BoardId] = visible
    while True:
        for board_id in unread:
            known = recurring[board_id].result()
            events_by_board[board_id] = list(_events(visible[board_id].board, started[board_id], known, user_id, now))
        shown = newest(chain.from_iterable(events_by_board.values()))
        earliest = shown[0].start if len(shown) == FEED_EVENTS else first_instant(now)
        unread = [board_id for board_id in visible if started[board_id].may_miss(earliest)]
        if not unread:
            return shown
        started |= {
            board_id: _start(board_id, user_id, now, min(FEED_EVENTS, 2 * started[board_id].rows))
            for board_id in unread
        }


def _events(
    board: StoredBoard, content: _Content, known: Iterable[StoredSeries], user_id: UserId, now: Instant
) -> Iterator[CalendarEvent]:
    seen = {meeting.id: meeting for future in content.meetings for meeting in future.result()}
    proposed = content.slots.result()
    yield from board_events(board, {**seen, **_older(board.id, seen, proposed, user_id)}, proposed, now)
    opened = {(meeting.occurrence.series_id, meeting.occurrence.key) for meeting in seen.values() if meeting.occurrence}
    for each in known:  # what was opened since it was read is not shown twice
        yield from series_events(each, board, {key for series_id, key in opened if series_id == each.id}, now)


def _older(
    board_id: BoardId, seen: Mapping[str, StoredMeeting], proposed: list[OpenSlot], user_id: UserId
) -> dict[str, StoredMeeting]:
    """Returns the visible meetings that have open slots but are not in the lists, because they started long ago."""
    missing = {slot.meeting_id for slot in proposed} - seen.keys()
    return meetings.visible_by_ids(board_id, missing, user_id)
