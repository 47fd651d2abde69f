"""What becomes due, and when (ADR 0130)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from governance.domain.poll import reminder_due
from governance.instants import Instant, format_instant, shift
from governance.limits import MEETING_REMINDER_HOURS, TASK_REMINDER_HOUR, VOTE_REQUEST_DELAY_SECONDS
from governance.models.action_item import OPEN, StoredActionItem
from governance.models.due import DueReminder, ReminderKind
from governance.models.meeting import StoredMeeting

_TASK_DAYS = {ReminderKind.TASK_BEFORE: -1, ReminderKind.TASK_AFTER: 1}
"""The days on which an assignee is reminded, counted from the day on which an item is due."""
_EARLIEST_ZONE = ZoneInfo("Etc/GMT-14")
"""The zone in which a day begins first, so that a row is due no later than in the zone of any assignee."""


def poll_reminder(meeting: StoredMeeting) -> Instant | None:
    """Returns when those who have not voted are reminded of the deadline; None if they are not.

    Nobody is reminded of a draft, a booked meeting, or one that is under way or over.
    """
    if meeting.status != "scheduled" or meeting.booked_slot_id is not None or meeting.poll is None:
        return None
    return reminder_due(meeting.poll)


def meeting_reminder(meeting: StoredMeeting) -> Instant | None:
    """Returns when members are reminded of a scheduled meeting: on the day before its start; None without a start."""
    if meeting.status != "scheduled" or meeting.start_time is None:
        return None
    return shift(meeting.start_time, hours=-MEETING_REMINDER_HOURS)


def of_meeting(meeting: StoredMeeting, now: Instant) -> list[DueReminder]:
    """Returns what becomes due of a meeting after this instant.

    A meeting that is booked less than a day ahead is announced by its booking alone.
    """
    found = {ReminderKind.POLL: poll_reminder(meeting), ReminderKind.MEETING: meeting_reminder(meeting)}
    return [_of(meeting, kind, due_at) for kind, due_at in found.items() if due_at is not None and due_at > now]


def vote_request(meeting: StoredMeeting, now: Instant) -> DueReminder:
    """Returns the request for votes on what was just proposed, or became visible."""
    return _of(meeting, ReminderKind.VOTE_REQUEST, shift(now, seconds=VOTE_REQUEST_DELAY_SECONDS))


def _of(meeting: StoredMeeting, kind: ReminderKind, due_at: Instant) -> DueReminder:
    return DueReminder(kind=kind, due_at=due_at, board_id=meeting.board_id, meeting_id=meeting.id)


def of_item(item: StoredActionItem, now: Instant) -> list[DueReminder]:
    """Returns what becomes due of an action item in progress, at the earliest instant at which it is due anywhere.

    Who the assignee is and in which zone is looked at then (`task_reminder`).
    """
    if item.due is None or item.status != OPEN or item.assignee_user_id is None:
        return []
    rows = [
        DueReminder(
            kind=kind,
            due_at=task_instant(kind, item.due.due_on, _EARLIEST_ZONE),
            board_id=item.board_id,
            meeting_id=item.meeting_id,
            action_item_id=item.id,
        )
        for kind in _TASK_DAYS
    ]
    return [row for row in rows if shift(row.due_at, days=1) > now]


def task_instant(kind: ReminderKind, due_on: str, zone: ZoneInfo) -> Instant:
    """Returns when an assignee in a zone is reminded: at 08:00 there, on the day before or after the item is due."""
    day = date.fromisoformat(due_on) + timedelta(days=_TASK_DAYS[kind])
    return format_instant(datetime.combine(day, time(TASK_REMINDER_HOUR), zone))
