"""Does what is due: reminds members of deadlines, meetings and tasks, and asks them for votes on new slots (ADR 0130).

A message of the queue names what was due. What it leads to is an event with an id that follows from it, so that a
repeat tells nobody twice; nothing where what was due is no longer so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from governance.deliveries.planning import plan_notifications
from governance.delivery_queue import Message
from governance.domain import due as rules
from governance.ids import time_ordered_id
from governance.instants import Instant, millis, now, shift
from governance.limits import DUE_DAYS, VOTE_REQUEST_MINUTES
from governance.models.due import DueReminder, ReminderKind
from governance.models.event import Event, StoredEvent
from governance.models.meeting import StoredMeeting
from governance.models.vote_request import StoredVoteRequest
from governance.store import action_items, meetings, slots, users, vote_requests
from governance.store import due as rows
from governance.store.table import transact
from governance.store.writes import retry_stale_reads


def send_reminder(body: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that tell the members of what was due; none for what was due more than a day ago."""
    due, at = DueReminder.model_validate(body), now()
    if due.due_at <= shift(at, days=-DUE_DAYS):
        return []
    meeting = meetings.find(due.board_id, due.meeting_id)
    if meeting is None or meeting.status == "draft":
        return []
    return _REMINDERS[due.kind](due, meeting, at)


def _remind_of_poll(due: DueReminder, meeting: StoredMeeting, _at: Instant) -> Iterable[Message]:
    if meeting.poll is None or rules.poll_reminder(meeting) != due.due_at:
        return []
    return _announced(due, meeting, "deadline", {"closesAt": meeting.poll.closes_at})


def _remind_of_meeting(due: DueReminder, meeting: StoredMeeting, _at: Instant) -> Iterable[Message]:
    if rules.meeting_reminder(meeting) != due.due_at:
        return []
    return _announced(due, meeting, "meeting", {"startTime": meeting.start_time})


def _remind_of_task(due: DueReminder, meeting: StoredMeeting, at: Instant) -> Iterable[Message]:
    """Reminds the assignee at 08:00 of their zone: now, or later, for the row was due where the day begins first."""
    item = action_items.find(due.board_id, due.action_item_id or "")
    assignee = users.find(item.assignee_user_id) if item and item.assignee_user_id else None
    if item is None or item.due is None or assignee is None:
        return []
    due_at = rules.task_instant(due.kind, item.due.due_on, ZoneInfo(assignee.timezone or "UTC"))
    if due_at > at:
        transact([rows.put_reminder(due.model_copy(update={"due_at": due_at}))])
        return []
    about = "due_tomorrow" if due.kind is ReminderKind.TASK_BEFORE else "due_yesterday"
    subject = due.model_copy(update={"due_at": due_at})
    return _announced(subject, meeting, about, {"dueOn": item.due.due_on, "title": item.title})


def _ask_for_votes(due: DueReminder, meeting: StoredMeeting, at: Instant) -> Iterable[Message]:
    """Asks for votes on the slots that are new since the last request; later, if that was minutes ago."""
    return retry_stale_reads(partial(_request_votes, due, meeting, at))


def _request_votes(due: DueReminder, meeting: StoredMeeting, at: Instant) -> Iterable[Message]:
    last = vote_requests.last(due.meeting_id)
    if last.due_at == due.due_at:  # a repeat, maybe of one that was killed before its messages were sent
        return _asked(due, meeting, last)
    found = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    new = [slot.created_at for slot in found if slot.created_at > last.until]
    if not new:
        return []
    next_at = shift(last.sent_at, minutes=VOTE_REQUEST_MINUTES) if last.version else at
    if next_at > at:
        transact([rows.put_reminder(due.model_copy(update={"due_at": next_at}))])
        return []
    request = StoredVoteRequest(
        due_at=due.due_at, sent_at=at, since=last.until, until=max(new), version=last.version + 1
    )
    transact([vote_requests.put(due.meeting_id, last, request)])
    return _asked(due, meeting, request)


def _asked(due: DueReminder, meeting: StoredMeeting, request: StoredVoteRequest) -> Iterable[Message]:
    found = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    number = sum(request.since < slot.created_at <= request.until for slot in found)
    times = "1 new time" if number == 1 else f"{number} new times"  # the release before reads it (ADR 0150)
    about = {"since": request.since, "until": request.until, "number": number, "times": times}
    return _announced(due, meeting, "new_slots", about)


def _announced(due: DueReminder, meeting: StoredMeeting, about: str, data: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that tell the members; the id of the event follows from what was due."""
    digest = hashlib.sha256(f"{due.kind}\n{due.subject_id}\n{due.due_at}".encode()).hexdigest()
    item = {} if due.action_item_id is None else {"actionItemId": due.action_item_id}
    event = StoredEvent(
        id=time_ordered_id(millis(due.due_at), digest[:12]),
        board_id=due.board_id,
        type=Event.REMINDER_SENT,
        actor_user_id=None,
        created_via=None,
        created_at=due.due_at,
        refs={"meetingId": meeting.id, **item},
        details={"about": about},
        delivery_data={"title": meeting.title, **data},
    )
    return plan_notifications(event)


_REMINDERS: Mapping[ReminderKind, Callable[[DueReminder, StoredMeeting, Instant], Iterable[Message]]] = {
    ReminderKind.POLL: _remind_of_poll,
    ReminderKind.MEETING: _remind_of_meeting,
    ReminderKind.VOTE_REQUEST: _ask_for_votes,
    ReminderKind.TASK_BEFORE: _remind_of_task,
    ReminderKind.TASK_AFTER: _remind_of_task,
}
