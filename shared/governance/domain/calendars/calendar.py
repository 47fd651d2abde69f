"""The events of a board in calendars: its meetings with a start, and the open slots of meetings without a booking.

The caller passes what a user may see; nothing here hides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from governance.domain.meetings.meeting import collects_votes
from governance.instants import Instant, shift
from governance.limits import FEED_DAYS, FEED_EVENTS
from governance.models.boards.board import StoredBoard
from governance.models.meetings.meeting import StoredMeeting

if TYPE_CHECKING:
    from governance.models.calendars.calendar import EventStatus  # only calendars need it

_HOUR = 60


@dataclass(frozen=True)
class OpenSlot:
    """A proposed time of a meeting, as the index of a board's slots holds it."""

    id: str
    meeting_id: str
    start_time: Instant
    timezone: str
    duration_in_minutes: int
    created_at: Instant


@dataclass(frozen=True)
class Recurrence:
    """How an event recurs from a wall clock on: an RRULE (RFC 5545) without an end, its end, and what it leaves out."""

    rule: str
    start: datetime
    until: Instant | None
    excluded: tuple[datetime, ...]


@dataclass(frozen=True)
class CalendarEvent:
    """One event of a calendar. `sequence` and `stamped_at` order its revisions; a zone of None stands for UTC.

    `replaces` is the wall clock, with its zone, of the occurrence that an event of the same id is instead of.
    """

    id: str
    start: Instant
    end: Instant
    timezone: str | None
    title: str
    place: str | None
    description: str
    path: str
    status: EventStatus
    sequence: int
    stamped_at: Instant
    recurrence: Recurrence | None = None
    replaces: tuple[datetime, str] | None = None


def first_instant(now: Instant) -> Instant:
    """Returns the earliest start of a feed's meetings: a midnight, so that a feed stays the same for a whole day."""
    return shift(today(now), days=-FEED_DAYS)


def today(now: Instant) -> Instant:
    """Returns the midnight in UTC from which on a proposed slot is open."""
    return Instant(f"{now[:10]}T00:00:00.000Z")


def default_end(start: Instant) -> Instant:
    """Returns the end that calendars show of a meeting without one."""
    return shift(start, minutes=_HOUR)


def meeting_event(meeting: StoredMeeting, board: StoredBoard) -> CalendarEvent | None:
    """Returns the event of a meeting; None for a meeting without a start, and for a cancelled one."""
    if meeting.start_time is None or meeting.cancellation is not None:
        return None
    return CalendarEvent(
        id=meeting.id,
        start=meeting.start_time,
        end=meeting.end_time or default_end(meeting.start_time),
        timezone=meeting.timezone,
        status="TENTATIVE" if meeting.status == "draft" else "CONFIRMED",
        sequence=meeting.sequence,
        stamped_at=meeting.updated_at,
        **_about(meeting, board),
    )


def _about(meeting: StoredMeeting, board: StoredBoard) -> dict[str, Any]:
    """Returns the fields of an event that say what it is about."""
    link = meeting.virtual_meeting_url
    return {
        "title": meeting.title,
        "place": meeting.location or link,
        "description": _description(meeting, board),
        "path": f"/boards/{board.id}/meetings/{meeting.id}",
    }


def _description(meeting: StoredMeeting, board: StoredBoard) -> str:
    """Returns the board's name, then the meeting's link if it has one, then its agenda behind an empty line."""
    about = f"{board.name}\n{meeting.virtual_meeting_url}" if meeting.virtual_meeting_url else board.name
    return f"{about}\n\n{meeting.agenda_summary}" if meeting.agenda_summary else about


def _slot_event(slot: OpenSlot, meeting: StoredMeeting, board: StoredBoard) -> CalendarEvent:
    return CalendarEvent(
        id=slot.id,
        start=slot.start_time,
        end=shift(slot.start_time, minutes=slot.duration_in_minutes),
        timezone=slot.timezone,
        status="TENTATIVE",
        sequence=meeting.sequence,
        stamped_at=max(slot.created_at, meeting.updated_at),
        **_about(meeting, board),
    )


def board_events(
    board: StoredBoard, meetings: Mapping[str, StoredMeeting], slots: Iterable[OpenSlot], now: Instant
) -> Iterator[CalendarEvent]:
    """Yields the events of one board, from the meetings that the user sees and the slots of all of its meetings."""
    first = first_instant(now)
    for meeting in meetings.values():
        event = meeting_event(meeting, board)
        if event is not None and event.start >= first:
            yield event
    for slot in slots:
        about = meetings.get(slot.meeting_id)
        if about is not None and collects_votes(about) and slot.start_time >= today(now):
            yield _slot_event(slot, about, board)


def newest(events: Iterable[CalendarEvent]) -> list[CalendarEvent]:
    """Returns the events that a feed has room for, those with the latest starts, in the order of their start."""
    return sorted(events, key=lambda event: (event.start, event.id))[-FEED_EVENTS:]
