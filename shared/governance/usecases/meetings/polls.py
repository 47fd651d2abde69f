"""Polls of meetings, and reminders that members send (an extension of the API, ADR deliveries)."""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.events.reminders import REMINDER_SENT, ReminderSent
from governance.domain.meetings import poll as poll_rules
from governance.domain.meetings import reminders
from governance.domain.meetings.meeting import check_takes_place
from governance.domain.quota import REMINDERS
from governance.errors import Reason, conflict, not_found
from governance.models.base import Deleted
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.poll import Poll, PollBody, Reminder, ReminderBody, StoredPoll
from governance.models.meetings.rsvp import StoredRsvp
from governance.store import quotas
from governance.store.meetings import meetings
from governance.store.meetings.slots import SlotsAndVotes
from governance.store.schema.entities import MEETING
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, prefetch, roster_of
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.rsvps import rsvps_of
from governance.usecases.meetings.slots import slots_of
from governance.usecases.members.mailed_people import people_with_answer, people_without_vote


def _resource(
    context: Context, meeting: StoredMeeting, poll: StoredPoll, members: list[RosterEntry], proposed: SlotsAndVotes
) -> Poll:
    waiting_for = reminders.without_vote(members, proposed.slots, proposed.votes)
    return poll_rules.to_resource(meeting, poll, waiting_for, context.now)


@loads(MEETING)
@prefetch(roster_of, slots_of)
@finds(visible_meeting)
def get_meeting_poll(
    context: Context, meeting: StoredMeeting, members: list[RosterEntry], proposed: SlotsAndVotes
) -> Poll:
    """Returns the poll of the meeting; raises 404 without one."""
    if meeting.poll is None:
        raise not_found()
    return _resource(context, meeting, meeting.poll, members, proposed)


@loads(MEETING)
@prefetch(roster_of, slots_of)
@finds(visible_meeting)
def put_meeting_poll(
    context: Context, meeting: StoredMeeting, members: list[RosterEntry], proposed: SlotsAndVotes, body: PollBody
) -> Outcome[Poll]:
    """Sets the deadline of the meeting's votes, or moves it: a later deadline reopens a closed vote."""
    new, poll = poll_rules.with_poll(meeting, body, context.now)
    writes = [
        *meetings.replace(meeting, new, context.now),
        *record_meeting_event(context, events.POLL_SET, meeting, events.OfMeeting(meeting_id=meeting.id)),
    ]
    return Outcome(_resource(context, new, poll, members, proposed), writes)


@loads(MEETING)
@finds(visible_meeting)
def delete_meeting_poll(context: Context, meeting: StoredMeeting) -> Outcome[Deleted]:
    """Removes the deadline; raises 404 without one."""
    if meeting.poll is None:
        raise not_found()
    new = poll_rules.without_poll(meeting)
    writes = [
        *meetings.replace(meeting, new, context.now),
        *record_meeting_event(context, events.POLL_DELETED, meeting, events.OfMeeting(meeting_id=meeting.id)),
    ]
    return Outcome(Deleted(), writes)


def _reminder_quotas(info: RequestInfo) -> list[Key]:
    return [quotas.key(REMINDERS, info.params["meetingId"], about) for about in ("votes", "answers")]


@loads(MEETING, _reminder_quotas)
@prefetch(roster_of, slots_of, rsvps_of)
@finds(visible_meeting)
def send_meeting_reminder(
    context: Context,
    meeting: StoredMeeting,
    members: list[RosterEntry],
    proposed: SlotsAndVotes,
    given: list[StoredRsvp],
    body: ReminderBody,
) -> Outcome[Reminder]:
    """Reminds those who have not voted, or not answered; nobody twice in a day, and never the caller.

    Raises 409 `MEETING_IS_DRAFT`, 409 `MEETING_CANCELLED`, 409 `SLOT_VOTES_CLOSED` if nobody can vote any more, and
    429.
    """
    if meeting.status == "draft":
        raise conflict(Reason.MEETING_IS_DRAFT)
    check_takes_place(meeting)
    if body.about == "votes":
        if not poll_rules.takes_votes(meeting, context.now):
            raise conflict(Reason.SLOT_VOTES_CLOSED)
        reached = reminders.without_vote(members, proposed.slots, proposed.votes) if proposed.slots else []
    else:
        waits = reminders.awaits_answers(meeting, context.now)
        reached = reminders.with_answer(meeting, members, given, proposed.votes, {"noAnswer"}) if waits else []
    recipients = [user_id for user_id in reached if user_id != context.user_id]
    reminder = Reminder(meeting_id=meeting.id, about=body.about, recipients=tuple(recipients), created_at=context.now)
    is_due = bool(recipients) or _concerns_people(context, meeting, proposed, body)
    return Outcome(reminder, _reminder_writes(context, meeting, body) if is_due else [])


def _concerns_people(context: Context, meeting: StoredMeeting, proposed: SlotsAndVotes, body: ReminderBody) -> bool:
    """Returns whether a reminder concerns somebody without an account, who is not in `recipients`."""
    if body.about == "votes":
        return bool(people_without_vote(meeting, proposed.slots))
    return reminders.awaits_answers(meeting, context.now) and bool(people_with_answer(meeting, {"noAnswer"}))


def _reminder_writes(context: Context, meeting: StoredMeeting, body: ReminderBody) -> list[Write]:
    usage = quotas.usage_at(REMINDERS, quotas.key(REMINDERS, meeting.id, body.about), context.loaded)
    usage.check(context.now)
    return [
        meetings.check_open_state(meeting),
        usage.claim(context.now).take,
        *record_meeting_event(
            context,
            REMINDER_SENT,
            meeting,
            ReminderSent(about=body.about, meeting_id=meeting.id, title=meeting.title),
        ),
    ]
