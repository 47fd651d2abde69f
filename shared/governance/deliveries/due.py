"""Does what is due: reminds members of deadlines, meetings, tasks and bets, and asks for votes on slots (ADR 0130).

A message of the queue names what was due. It becomes an event with a derived id, so that a repeat notifies nobody
twice. If the reminder no longer applies, nothing is sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from governance import instants
from governance.deliveries.planning import messages_to, plan_notifications
from governance.delivery_queue import Message
from governance.domain.meetings import due as rules
from governance.domain.notifications.notifications import announced_section
from governance.domain.reports.cycle import is_finished
from governance.ids import UserId, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import DUE_DAYS, VOTE_REQUEST_MINUTES
from governance.models.event import Event, StoredEvent
from governance.models.meetings.due import DueReminder, ReminderKind
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.reports.cycle import StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.store import due as rows
from governance.store.account import users
from governance.store.meetings import action_items, meetings, slots, vote_requests
from governance.store.reports import bets, cycles
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.usecases.reports.cycle_sections import report_and_sections
from governance.usecases.reports.dashboard_owners import owners_of


def send_reminder(body: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that notify members of what was due; none if it was due more than a day ago."""
    due, now = DueReminder.model_validate(body), instants.now()
    if due.due_at <= shift(now, days=-DUE_DAYS):
        return []
    if due.kind in _OF_MEETINGS:
        meeting = meetings.find(due.board_id, due.meeting_id)
        hidden = meeting is None or meeting.status == "draft"
        return [] if meeting is None or hidden else _OF_MEETINGS[due.kind](due, meeting, now)
    return _OTHERS[due.kind](due, now)


def _remind_of_poll(due: DueReminder, meeting: StoredMeeting, _now: Instant) -> Iterable[Message]:
    if meeting.poll is None or rules.poll_reminder(meeting) != due.due_at:
        return []
    return _announced(due, meeting.title, "deadline", {"closesAt": meeting.poll.closes_at})


def _remind_of_meeting(due: DueReminder, meeting: StoredMeeting, _now: Instant) -> Iterable[Message]:
    if rules.meeting_reminder(meeting) != due.due_at:
        return []
    return _announced(due, meeting.title, "meeting", {"startTime": meeting.start_time})


def _remind_of_task(due: DueReminder, meeting: StoredMeeting, now: Instant) -> Iterable[Message]:
    """Reminds the assignee of a task at 08:00 of their zone."""
    item = action_items.find(due.board_id, due.action_item_id or "")
    if item is None or item.due is None:
        return []
    at_hour = _at_eight(due, item.assignee_user_id, item.due.due_on, now)
    if at_hour is None:
        return []
    about = "due_tomorrow" if due.kind is ReminderKind.TASK_BEFORE else "due_yesterday"
    return _announced(at_hour, meeting.title, about, {"dueOn": item.due.due_on, "title": item.title})


def _remind_of_bet(due: DueReminder, now: Instant) -> Iterable[Message]:
    """Reminds the owner of an open bet at 08:00 of their zone."""
    bet = bets.find(due.board_id, due.bet_id or "")
    if bet is None or bet.status != "open":
        return []
    at_hour = _at_eight(due, bet.owner_user_id, bet.due_on, now)
    about = "bet_in_a_week" if due.kind is ReminderKind.BET_WEEK else "bet_tomorrow"
    return [] if at_hour is None else _announced(at_hour, bet.title, about, {"dueOn": bet.due_on})


def _remind_of_sections(due: DueReminder, _now: Instant) -> Iterable[Message]:
    """Reminds the owners of the unfinished sections, with one notification for each section."""
    cycle = cycles.find(due.board_id, due.cycle_id or "")
    if cycle is None or (due.kind, due.due_at) not in rules.cycle_reminders(cycle):
        return []
    about = "section_overdue" if due.kind is ReminderKind.SECTIONS_OVERDUE else "section_due"
    report, sections = report_and_sections(cycle.board_id, cycle.report_id)
    unfinished = [section for section in sections if not is_finished(section)]
    owners = owners_of(report, unfinished) if report and unfinished else {}
    return [
        message
        for section in unfinished
        if (owner := owners[section.id])
        for message in messages_to([owner], _section_event(due, cycle, section, about))
    ]


def _section_event(due: DueReminder, cycle: StoredCycle, section: StoredDashboard, about: str) -> StoredEvent:
    event = _event(due, cycle.name, about, {"dueAt": cycle.due_at})
    return announced_section(event, section)


def _at_eight(due: DueReminder, user_id: UserId | None, due_on: str, now: Instant) -> DueReminder | None:
    """Returns the reminder as it is due at 08:00 of a user's zone; None if it is not due now.

    If it is due later, it is stored again for that time: its row was due where the day begins first.
    """
    user = users.find(user_id) if user_id else None
    due_at = rules.day_instant(due.kind, due_on, ZoneInfo(user.timezone or "UTC")) if user else None
    if due_at is None:
        return None
    at_hour = due.model_copy(update={"due_at": due_at})
    if due_at > now:
        transact([rows.put_reminder(at_hour)])
        return None
    return at_hour


def _ask_for_votes(due: DueReminder, meeting: StoredMeeting, now: Instant) -> Iterable[Message]:
    """Requests votes on the slots that are new since the last request; postponed if that was minutes ago."""
    return retry_stale_reads(partial(_request_votes, due, meeting, now))


def _request_votes(due: DueReminder, meeting: StoredMeeting, now: Instant) -> Iterable[Message]:
    last = vote_requests.last(due.meeting_id)
    if last.due_at == due.due_at:  # a repeat, maybe of one that was killed before its messages were sent
        return _asked(due, meeting, last)
    found = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    new = [slot.created_at for slot in found if slot.created_at > last.until]
    if not new:
        return []
    next_at = shift(last.sent_at, minutes=VOTE_REQUEST_MINUTES) if last.version else now
    if next_at > now:
        transact([rows.put_reminder(due.model_copy(update={"due_at": next_at}))])
        return []
    request = StoredVoteRequest(
        due_at=due.due_at, sent_at=now, since=last.until, until=max(new), version=last.version + 1
    )
    transact([vote_requests.put(due.meeting_id, last, request)])
    return _asked(due, meeting, request)


def _asked(due: DueReminder, meeting: StoredMeeting, request: StoredVoteRequest) -> Iterable[Message]:
    found = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    number = sum(request.since < slot.created_at <= request.until for slot in found)
    times = "1 new time" if number == 1 else f"{number} new times"  # the release before reads it (ADR 0150)
    about = {"since": request.since, "until": request.until, "number": number, "times": times}
    return _announced(due, meeting.title, "new_slots", about)


def _announced(due: DueReminder, title: str, about: str, data: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that notify the users concerned."""
    return plan_notifications(_event(due, title, about, data))


def _event(due: DueReminder, title: str, about: str, data: Mapping[str, Any]) -> StoredEvent:
    """Returns the event about what was due; its id is derived from the reminder."""
    digest = hashlib.sha256(f"{due.kind}\n{due.subject_id}\n{due.due_at}".encode()).hexdigest()
    return StoredEvent(
        id=time_ordered_id(millis(due.due_at), digest[:12]),
        board_id=due.board_id,
        type=Event.REMINDER_SENT,
        actor_user_id=None,
        created_via=None,
        created_at=due.due_at,
        refs=due.refs,
        details={"about": about},
        delivery_data={"title": title, **data},
    )


_OF_MEETINGS: Mapping[ReminderKind, Callable[[DueReminder, StoredMeeting, Instant], Iterable[Message]]] = {
    ReminderKind.POLL: _remind_of_poll,
    ReminderKind.MEETING: _remind_of_meeting,
    ReminderKind.VOTE_REQUEST: _ask_for_votes,
    ReminderKind.TASK_BEFORE: _remind_of_task,
    ReminderKind.TASK_AFTER: _remind_of_task,
}
_OTHERS: Mapping[ReminderKind, Callable[[DueReminder, Instant], Iterable[Message]]] = {
    ReminderKind.SECTIONS: _remind_of_sections,
    ReminderKind.SECTIONS_OVERDUE: _remind_of_sections,
    ReminderKind.BET_WEEK: _remind_of_bet,
    ReminderKind.BET_DAY: _remind_of_bet,
}
