"""Does what is due: reminds members of deadlines, meetings, tasks and bets, and asks for votes on slots (ADR
deliveries).

A message of the queue names what was due. It becomes an event with a derived id, so that a repeat notifies nobody
twice. If the reminder no longer applies, nothing is sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from governance import instants
from governance.deliveries.notifications.planned import planned
from governance.deliveries.notifications.plans import messages_of, plan_notifications
from governance.domain.events.kind import consequence
from governance.domain.events.reminders import BY_KIND, REMINDER_SENT, ReminderSent
from governance.domain.notifications import due as due_rules
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.domain.quota import REMINDERS
from governance.domain.reports.cycle import is_finished, section_name
from governance.ids import UserId, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import DUE_DAYS, VOTE_REQUEST_MINUTES
from governance.models.history.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.notifications.reminder import DueReminder, ReminderKind
from governance.queue.message import Message
from governance.store import due as rows
from governance.store import quotas
from governance.store.account import users
from governance.store.action_items import action_items
from governance.store.meetings import meetings, slots, vote_requests
from governance.store.paper_requests import paper_requests
from governance.store.reports import bets, cycles
from governance.store.resolutions import resolutions
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.usecases.reports.cycle_sections import report_and_sections
from governance.usecases.reports.dashboard_owners import owners_of


def send_reminder(body: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that notify members of what was due; none if it was due more than a day ago."""
    due, now = DueReminder.model_validate(body), instants.now()
    if due.due_at <= shift(now, days=-DUE_DAYS):
        return []
    if not due.meeting_id:
        return _remind_beside_meetings(due, now)
    meeting = meetings.find(due.board_id, due.meeting_id)
    if meeting is None or meeting.status == "draft":
        return []
    if due.action_item_id:
        return _remind_of_task(due, due.action_item_id, meeting, now)
    if due.kind is ReminderKind.VOTE_REQUEST:
        return _ask_for_votes(due, meeting, now)
    return _remind_of_meeting(due, meeting)


def _remind_beside_meetings(due: DueReminder, now: Instant) -> Iterable[Message]:
    """Reminds of what is found without a meeting: a resolution, a paper, a bet or the sections of a cycle."""
    if due.resolution_id:
        return _remind_of_resolution(due, due.resolution_id)
    if due.paper_request_id:
        return _remind_of_paper(due, due.paper_request_id)
    if due.bet_id:
        return _remind_of_bet(due, due.bet_id, now)
    return _remind_of_sections(due, due.cycle_id) if due.cycle_id else []


def _remind_of_meeting(due: DueReminder, meeting: StoredMeeting) -> Iterable[Message]:
    """Reminds of a meeting, or of the deadline of its votes, unless that was moved."""
    if (due.kind, due.due_at) not in due_rules.meeting_reminders(meeting):
        return []
    is_poll = due.kind is ReminderKind.POLL
    payload = ReminderSent(
        about=BY_KIND[due.kind].about,
        meeting_id=meeting.id,
        title=meeting.title,
        closes_at=meeting.poll.closes_at if meeting.poll and is_poll else None,
        start_time=None if is_poll else meeting.start_time,
    )
    return _once_a_day(due, "votes" if is_poll else "meeting", [*_plan(due, payload)])


def _once_a_day(due: DueReminder, about: str, messages: Sequence[Message]) -> Iterable[Message]:
    """Returns the messages of a reminder; none if the meeting had one of this kind in the day before, sent by anybody.

    A reminder that is repeated, because it was killed, is the same one.
    """
    if not messages:
        return []
    is_first: bool = retry_stale_reads(partial(_claim, due, about))
    return messages if is_first else []


def _claim(due: DueReminder, about: str) -> bool:
    key = quotas.key(REMINDERS, str(due.meeting_id), about)
    usage = quotas.usage_at(REMINDERS, key, read([key]))
    if due.due_at in usage.used.values():
        return True
    if usage.is_exhausted(due.due_at):
        return False
    transact([usage.claim(due.due_at).take])
    return True


def _remind_of_task(due: DueReminder, item_id: str, meeting: StoredMeeting, now: Instant) -> Iterable[Message]:
    """Reminds the assignee of a task at 08:00 of their zone, or of the meeting's zone without an account."""
    item = action_items.find(due.board_id, item_id)
    if item is None or item.due is None:
        return []
    if item.unregistered_assignee:
        at_hour = _at_eight_of(due, meeting.timezone, item.due.due_on, now)
    else:
        at_hour = _at_eight(due, item.assignee_user_id, item.due.due_on, now)
    if at_hour is None:
        return []
    payload = ReminderSent(
        about=BY_KIND[due.kind].about,
        meeting_id=due.meeting_id,
        action_item_id=item.id,
        title=item.title,
        due_on=item.due.due_on,
    )
    return _plan(at_hour, payload)


def _remind_of_bet(due: DueReminder, bet_id: str, now: Instant) -> Iterable[Message]:
    """Reminds the owner of an open bet at 08:00 of their zone."""
    bet = bets.find(due.board_id, bet_id)
    if bet is None or bet.status != "open":
        return []
    at_hour = _at_eight(due, bet.owner_user_id, bet.due_on, now)
    if at_hour is None:
        return []
    payload = ReminderSent(about=BY_KIND[due.kind].about, bet_id=bet.id, title=bet.title, due_on=bet.due_on)
    return _plan(at_hour, payload)


def _remind_of_resolution(due: DueReminder, resolution_id: str) -> Iterable[Message]:
    """Reminds the voters of an open resolution who have not voted."""
    resolution = resolutions.find(due.board_id, resolution_id)
    if resolution is None:
        return []
    return _plan(due, ReminderSent(about=BY_KIND[due.kind].about, resolution_id=resolution.id, title=resolution.title))


def _remind_of_paper(due: DueReminder, request_id: str) -> Iterable[Message]:
    """Reminds who is asked for a paper, unless it was delivered, or is due at another time."""
    request = paper_requests.find(due.board_id, request_id)
    if request is None or (due.kind, due.due_at) not in due_rules.paper_reminders(request):
        return []
    return _plan(due, paper_request_rules.reminder(request, BY_KIND[due.kind].about))


def _remind_of_sections(due: DueReminder, cycle_id: str) -> Iterator[Message]:
    """Reminds the owners of the unfinished sections, with one notification for each section."""
    cycle = cycles.find(due.board_id, cycle_id)
    if cycle is None or (due.kind, due.due_at) not in due_rules.cycle_reminders(cycle):
        return
    report, sections = report_and_sections(cycle.board_id, cycle.report_id)
    unfinished = [section for section in sections if not is_finished(section)]
    owners = owners_of(report, unfinished) if report and unfinished else {}
    for section in unfinished:
        if owner := owners[section.id]:
            payload = ReminderSent(
                about=BY_KIND[due.kind].about,
                cycle_id=cycle.id,
                report_id=section.report_id,
                dashboard_id=section.id,
                title=section_name(section),
                section_name=section_name(section),
                dashboard_type=section.dashboard_type,
                cycle=cycle.name,
                due_at=cycle.due_at,
            )
            event = consequence(_event(due, payload), REMINDER_SENT, payload, section.id)
            yield from messages_of(planned(REMINDER_SENT, event, payload, [owner]))


def _at_eight(due: DueReminder, user_id: UserId | None, due_on: str, now: Instant) -> DueReminder | None:
    """Returns the reminder as it is due at 08:00 of a user's zone; None if it is not due now."""
    user = users.find(user_id) if user_id else None
    return _at_eight_of(due, user.timezone, due_on, now) if user else None


def _at_eight_of(due: DueReminder, timezone: str | None, due_on: str, now: Instant) -> DueReminder | None:
    """Returns the reminder as it is due at 08:00 of a zone, UTC if there is none; None if it is not due now.

    If it is due later, it is stored again for that time: its row was due where the day begins first.
    """
    due_at = due_rules.day_instant(due.kind, due_on, ZoneInfo(timezone or "UTC"))
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
    proposed = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    new = [slot.created_at for slot in proposed if slot.created_at > last.until]
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
    proposed = slots.list_of_meeting(due.board_id, due.meeting_id).slots
    number = sum(request.since < slot.created_at <= request.until for slot in proposed)
    payload = ReminderSent(
        about=BY_KIND[due.kind].about,
        meeting_id=meeting.id,
        title=meeting.title,
        since=request.since,
        until=request.until,
        number=number,
    )
    return _plan(due, payload)


def _plan(due: DueReminder, payload: ReminderSent) -> Iterable[Message]:
    """Returns the messages that notify the users concerned."""
    return plan_notifications(_event(due, payload))


def _event(due: DueReminder, payload: ReminderSent) -> StoredEvent:
    """Returns the event about what was due; its id is derived from the reminder."""
    digest = hashlib.sha256(f"{due.kind}\n{due.subject_id}\n{due.due_at}".encode()).hexdigest()
    parts = payload.parts()
    return StoredEvent(
        id=time_ordered_id(millis(due.due_at), digest[:12]),
        board_id=due.board_id,
        type=REMINDER_SENT.event_type,
        actor_user_id=None,
        created_via=None,
        created_at=due.due_at,
        refs=parts.refs,
        details=parts.details,
        delivery_data=parts.delivery_data,
    )
