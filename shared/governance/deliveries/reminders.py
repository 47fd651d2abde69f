"""Finds the users that a reminder still applies to, at delivery (ADR 0130).

A reminder is an event, recorded by a member who sends it or made by the clock. Its recipients are read from the present
state: when it is planned, and again before each notification and each mail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from governance import instants
from governance.deliveries.comment_readers import still_told_of_comment
from governance.domain.meetings import poll as poll_rules
from governance.domain.meetings import reminders as rules
from governance.domain.reports.cycle import is_finished
from governance.ids import UserId
from governance.instants import Instant
from governance.models.event import Event, StoredEvent
from governance.models.meetings.action_item import OPEN
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus
from governance.models.meetings.slot import StoredSlot
from governance.store.boards import boards
from governance.store.meetings import action_items, meetings, rsvps, slots
from governance.store.reports import bets, cycles, dashboards
from governance.usecases.reports.dashboard_owners import owner_now


def still_told(event: StoredEvent, user_ids: Sequence[UserId]) -> Sequence[UserId]:
    """Returns those of these users who are still to be notified of an event.

    For a reminder: users it still applies to. For a comment: users who still see its subject.
    """
    if event.type not in (Event.REMINDER_SENT, Event.COMMENT_CREATED):
        return user_ids
    reached = set(still_reminded(event) if event.type is Event.REMINDER_SENT else still_told_of_comment(event))
    return [user_id for user_id in user_ids if user_id in reached]


def still_reminded(event: StoredEvent) -> list[UserId]:
    """Returns the users that a reminder applies to now; nobody if its subject was moved, closed or deleted."""
    about = event.details["about"]
    if about in _OTHERS:
        return _OTHERS[about](event)
    meeting = meetings.find(event.board_id, event.refs["meetingId"])
    if meeting is None or meeting.status == "draft":
        return []
    return _OF_MEETINGS[about](event, meeting, instants.now())


def _without_vote(event: StoredEvent, meeting: StoredMeeting, now: Instant) -> list[UserId]:
    if not poll_rules.takes_votes(meeting, now):
        return []
    proposed = slots.list_of_meeting(meeting.board_id, meeting.id)
    asked = [slot for slot in proposed.slots if _is_asked(event, slot)]
    return rules.without_vote(boards.roster(meeting.board_id), asked, proposed.votes)


def _is_asked(event: StoredEvent, slot: StoredSlot) -> bool:
    """Returns whether a reminder asks for votes on a slot: a vote request on the new ones only."""
    return str(event.delivery_data.get("since", "")) < slot.created_at <= str(event.delivery_data.get("until", "~"))


def _before_deadline(event: StoredEvent, meeting: StoredMeeting, now: Instant) -> list[UserId]:
    is_same = meeting.poll is not None and meeting.poll.closes_at == event.delivery_data["closesAt"]
    return _without_vote(event, meeting, now) if is_same else []


def _without_answer(_event: StoredEvent, meeting: StoredMeeting, now: Instant) -> list[UserId]:
    return _with_answer(meeting, {"noAnswer"}) if rules.awaits_answers(meeting, now) else []


def _attending(event: StoredEvent, meeting: StoredMeeting, now: Instant) -> list[UserId]:
    is_same = meeting.start_time == event.delivery_data["startTime"] and rules.awaits_answers(meeting, now)
    return _with_answer(meeting, {"accepted", "noAnswer"}) if is_same else []


def _with_answer(meeting: StoredMeeting, wanted: set[RsvpStatus]) -> list[UserId]:
    given = rsvps.list_of_meeting(meeting.board_id, meeting.id)
    votes = slots.votes_on_booked(meeting)
    return rules.with_answer(meeting, boards.roster(meeting.board_id), given, votes, wanted)


def _assignee(event: StoredEvent, meeting: StoredMeeting, _now: Instant) -> list[UserId]:
    item = action_items.find(meeting.board_id, event.refs["actionItemId"])
    if item is None or item.status != OPEN or item.assignee_user_id is None:
        return []
    is_same = item.due is not None and item.due.due_on == event.delivery_data["dueOn"]
    return [item.assignee_user_id] if is_same else []


def _owner_of_bet(event: StoredEvent) -> list[UserId]:
    bet = bets.find(event.board_id, event.refs["betId"])
    if bet is None or bet.status != "open" or bet.owner_user_id is None:
        return []
    return [bet.owner_user_id] if bet.due_on == event.delivery_data["dueOn"] else []


def _owner_of_section(event: StoredEvent) -> list[UserId]:
    cycle = cycles.find(event.board_id, event.refs["cycleId"])
    if cycle is None or cycle.published_at is not None or cycle.due_at != event.delivery_data["dueAt"]:
        return []
    found = dashboards.find(event.board_id, event.refs["reportId"], event.refs["dashboardId"])
    if found is None or is_finished(found):
        return []
    owner = owner_now(event.board_id, found.report_id, found.id)
    return [owner] if owner else []


_OF_MEETINGS: Mapping[str, Callable[[StoredEvent, StoredMeeting, Instant], list[UserId]]] = {
    "votes": _without_vote,
    "new_slots": _without_vote,
    "deadline": _before_deadline,
    "answers": _without_answer,
    "meeting": _attending,
    "due_tomorrow": _assignee,
    "due_yesterday": _assignee,
}
"""Who is to be reminded, by the subject of the reminder."""
_OTHERS: Mapping[str, Callable[[StoredEvent], list[UserId]]] = {
    "section_due": _owner_of_section,
    "section_overdue": _owner_of_section,
    "bet_in_a_week": _owner_of_bet,
    "bet_tomorrow": _owner_of_bet,
}
"""The same for reminders that are not about a meeting."""
