"""What becomes due, and when (ADR deliveries)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from governance.agenda_limits import PAPER_REMINDER_DAYS
from governance.domain.events.kind import Lookup
from governance.domain.events.reminders import BY_KIND
from governance.domain.meetings.meeting import collects_votes
from governance.domain.meetings.poll import reminder_due
from governance.instants import Instant, format_instant, shift
from governance.limits import MEETING_REMINDER_HOURS, TASK_REMINDER_HOUR, VOTE_REQUEST_DELAY_SECONDS
from governance.models.meetings.meeting import StoredMeeting
from governance.models.notifications.reminder import DueReminder, ReminderKind

if TYPE_CHECKING:
    from governance.models.action_items.action_item import StoredActionItem
    from governance.models.paper_requests.paper_request import StoredPaperRequest
    from governance.models.reports.bet import StoredBet  # no request about meetings needs these
    from governance.models.reports.cycle import StoredCycle

_SPREAD_SECONDS, _SPREAD_DIGITS = 3600, 6
_EARLIEST_ZONE = ZoneInfo("Etc/GMT-14")
"""The zone in which a day begins first, so that a row is due no later than in the zone of any assignee."""


def poll_reminder(meeting: StoredMeeting) -> Instant | None:
    """Returns when those who have not voted are reminded of the deadline; None if they are not.

    Nobody is reminded of a draft, a booked or cancelled meeting, or one that is under way or over.
    """
    if meeting.status != "scheduled" or not collects_votes(meeting) or meeting.poll is None:
        return None
    return reminder_due(meeting.poll)


def meeting_reminder(meeting: StoredMeeting) -> Instant | None:
    """Returns when members are reminded of a scheduled meeting: on the day before its start.

    None without a start, and for a cancelled meeting.
    """
    if meeting.status != "scheduled" or meeting.start_time is None or meeting.cancellation is not None:
        return None
    return shift(meeting.start_time, hours=-MEETING_REMINDER_HOURS)


def meeting_reminders(meeting: StoredMeeting) -> list[tuple[ReminderKind, Instant]]:
    """Returns what a meeting is reminded of, and when."""
    due_by_kind = {ReminderKind.POLL: poll_reminder(meeting), ReminderKind.MEETING: meeting_reminder(meeting)}
    return [(kind, due_at) for kind, due_at in due_by_kind.items() if due_at is not None]


def of_meeting(meeting: StoredMeeting, now: Instant) -> list[DueReminder]:
    """Returns the reminders of a meeting that become due after this instant.

    For a meeting that is booked less than a day ahead, the booking is the only notification.
    """
    return [_of(meeting, kind, due_at) for kind, due_at in meeting_reminders(meeting) if due_at > now]


def vote_request(meeting: StoredMeeting, now: Instant) -> DueReminder:
    """Returns the request for votes on slots that were just proposed or became visible."""
    return _of(meeting, ReminderKind.VOTE_REQUEST, shift(now, seconds=VOTE_REQUEST_DELAY_SECONDS))


def _of(meeting: StoredMeeting, kind: ReminderKind, due_at: Instant) -> DueReminder:
    return DueReminder(kind=kind, due_at=due_at, board_id=meeting.board_id, meeting_id=meeting.id)


def of_item(item: StoredActionItem, now: Instant) -> list[DueReminder]:
    """Returns the reminders of an action item in progress, at the earliest instant at which they are due anywhere.

    The assignee and their time zone are looked up then.
    """
    from governance.models.action_items.action_item import (
        OPEN,  # only action items need it; a start of the meetings gains 9 ms
    )

    if item.due is None or item.status != OPEN or not (item.assignee_user_id or item.unregistered_assignee):
        return []
    named = DueReminder(
        kind=ReminderKind.TASK_BEFORE,
        due_at=now,
        board_id=item.board_id,
        meeting_id=item.meeting_id,
        action_item_id=item.id,
    )
    return _by_day(named, Lookup.TASK_ASSIGNEE, item.due.due_on, now)


def cycle_reminders(cycle: StoredCycle) -> list[tuple[ReminderKind, Instant]]:
    """Returns when the owners of a cycle's sections are reminded: the days before it is due, and when it is.

    Nobody is reminded of a published cycle.
    """
    if cycle.published_at is not None:
        return []
    before = [(ReminderKind.SECTIONS, shift(cycle.due_at, days=-days)) for days in cycle.remind_days_before]
    return [*before, (ReminderKind.SECTIONS_OVERDUE, cycle.due_at)]


def of_cycle(cycle: StoredCycle, now: Instant) -> list[DueReminder]:
    """Returns the reminders of a cycle that become due after this instant."""
    return [
        DueReminder(kind=kind, due_at=due_at, board_id=cycle.board_id, cycle_id=cycle.id)
        for kind, due_at in cycle_reminders(cycle)
        if due_at > now
    ]


def paper_reminders(request: StoredPaperRequest) -> list[tuple[ReminderKind, Instant]]:
    """Returns when who is asked for a paper is reminded: the days before it is due, and when it is.

    Nobody is reminded of a paper that nobody owes.
    """
    from governance.models.paper_requests.paper_request import MISSING  # as `of_item` says

    if request.status not in MISSING:
        return []
    before = [(ReminderKind.PAPER, shift(request.due_at, days=-days)) for days in PAPER_REMINDER_DAYS]
    return [*before, (ReminderKind.PAPER_OVERDUE, request.due_at)]


def of_paper_request(request: StoredPaperRequest, now: Instant) -> list[DueReminder]:
    """Returns the reminders of a paper request that become due after this instant."""
    return [
        DueReminder(kind=kind, due_at=due_at, board_id=request.board_id, paper_request_id=request.id)
        for kind, due_at in paper_reminders(request)
        if due_at > now
    ]


def of_bet(bet: StoredBet, now: Instant) -> list[DueReminder]:
    """Returns the reminders of an open bet with an owner, at the earliest instant at which they are due anywhere."""
    if bet.status != "open" or bet.owner_user_id is None:
        return []
    named = DueReminder(kind=ReminderKind.BET_DAY, due_at=now, board_id=bet.board_id, bet_id=bet.id)
    return _by_day(named, Lookup.BET_OWNER, bet.due_on, now)


def _by_day(named: DueReminder, recipient: Lookup, due_on: str, now: Instant) -> list[DueReminder]:
    """Returns the reminders of this recipient that are still to be sent somewhere.

    Their rows are due within the hour before the earliest instant, at a second of their own: everybody's rows at one
    instant would hold up each other, and all else.
    """
    kinds = (kind for kind, reminder in BY_KIND.items() if reminder.lookup is recipient)
    instants = ((kind, day_instant(kind, due_on, _EARLIEST_ZONE)) for kind in kinds)
    early = int(named.subject_id[-_SPREAD_DIGITS:], 16) % _SPREAD_SECONDS
    return [
        named.model_copy(update={"kind": kind, "due_at": shift(due_at, seconds=-early)})
        for kind, due_at in instants
        if due_at and shift(due_at, days=1) > now
    ]


def day_instant(kind: ReminderKind, due_on: str, zone: ZoneInfo) -> Instant | None:
    """Returns when a user in a zone is reminded of a due day: at 08:00 there, some days before or after it.

    None for a day so early or late that there is no such instant.
    """
    try:
        day = date.fromisoformat(due_on) + timedelta(days=BY_KIND[kind].days or 0)
        return format_instant(datetime.combine(day, time(TASK_REMINDER_HOUR), zone))
    except (OverflowError, ValueError):
        return None
