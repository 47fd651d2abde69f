"""Looks up the recipients of a notification in the store (ADR deliveries).

The users that a reminder or a comment concerns are read when it is planned, and again before each is notified and
mailed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from governance import instants
from governance.deliveries.consequences import Planned
from governance.deliveries.notification_emails import ResolutionVote
from governance.domain import comment as comment_rules
from governance.domain.events.comments import Commented
from governance.domain.events.kind import Lookup
from governance.domain.events.members import Invited
from governance.domain.events.reminders import ReminderSent
from governance.domain.meetings import poll as poll_rules
from governance.domain.meetings import reminders as rules
from governance.domain.notifications.notifications import recipients, without_actor
from governance.domain.reports.cycle import is_finished
from governance.ids import BoardId, UserId, membership_id
from governance.models.boards.board import RosterEntry
from governance.models.comment import StoredComment
from governance.models.event import StoredEvent
from governance.models.meetings.action_item import OPEN, StoredActionItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus
from governance.store import comments
from governance.store.account import users
from governance.store.boards import boards, committees
from governance.store.meetings import action_items, meetings, rsvps, slots
from governance.store.reports import bets, cycles, dashboards
from governance.store.resolutions import resolutions
from governance.store.table import read_one
from governance.usecases.comments.comment_subjects import subjects_named
from governance.usecases.comments.commenting import readers_among
from governance.usecases.reports.dashboard_owners import owner_now
from governance.usecases.resolutions.reading import State, state_of

ReadRoster = Callable[[BoardId], list[RosterEntry]]


def recipients_of(plan: Planned, read_roster: ReadRoster) -> list[UserId]:
    """Returns the ids of the users to notify; their access is checked when they are notified.

    The whole roster is read only for an audience that names a tier.
    """
    audience, event = plan.notification.audience, plan.event
    if plan.user_ids is not None:
        return without_actor(plan.user_ids, event.actor_user_id)
    if audience.lookup is not None:
        return without_actor(_LOOKUPS[audience.lookup](event, plan.payload), event.actor_user_id)
    if audience.tier is not None:
        members = read_roster(event.board_id)
    else:
        named = audience.named(plan.payload) if audience.named and not audience.has_outsiders else ()
        members = boards.roster_of(event.board_id, [user_id for user_id in named if user_id])
    return recipients(audience, plan.payload, event.actor_user_id, members)


def still_concerned(plan: Planned, user_ids: Sequence[UserId]) -> Sequence[UserId]:
    """Returns those of these users that a reminder or a comment concerns now; all of them for other events."""
    lookup = plan.notification.audience.lookup
    if lookup is None or not lookup.is_repeated:
        return user_ids
    concerned = set(_LOOKUPS[lookup](plan.event, plan.payload))
    return [user_id for user_id in user_ids if user_id in concerned]


def task_now(plan: Planned) -> StoredActionItem | None:
    """Returns the action item that was assigned, as it is now; None if it was deleted, and for other events."""
    if plan.notification.type != "task_assignment":
        return None
    return action_items.find(plan.event.board_id, plan.event.refs["actionItemId"])


def vote_now(plan: Planned) -> ResolutionVote | None:
    """Returns what voters are asked to vote on; None for other events, and for one that does not exist any more."""
    if plan.notification.type not in ("resolution_opened", "resolution_reminder"):
        return None
    state = _resolution_of(plan.event)
    return ResolutionVote(state.content.text, state.resolution.closes_at) if state else None


def still_mailed(
    plan: Planned, task: StoredActionItem | None, meeting: StoredMeeting | None, user_ids: Sequence[UserId]
) -> Sequence[UserId]:
    """Returns those of these users that an e-mail concerns when it is sent.

    That of an assigned task goes to its assignee of now, if it is in progress and its meeting is no draft.
    """
    if plan.notification.type != "task_assignment":
        return still_concerned(plan, user_ids)
    if task is None or task.status != OPEN or meeting is None or meeting.status == "draft":
        return []
    return [user_id for user_id in user_ids if user_id == task.assignee_user_id]


def _invitees(_event: StoredEvent, invited: Invited) -> list[UserId]:
    return users.user_ids_by_email(invited.invitee_email)


def _dashboard_owner(event: StoredEvent, _payload: object) -> list[UserId]:
    owner = owner_now(event.board_id, event.refs["reportId"], event.refs["dashboardId"])
    return [owner] if owner else []


def _comment_readers(event: StoredEvent, commented: Commented) -> list[UserId]:
    """Returns the users to notify of a new comment; nobody if the comment or its subject was deleted."""
    (subject,) = subjects_named(event.board_id, [event.refs])
    key = comments.key(subject, commented.comment_id) if subject else None
    item = read_one(key) if key else None
    if subject is None or item is None:
        return []
    owner = subject.creator_id
    if subject.report_id is not None:
        owner = owner_now(subject.board_id, subject.report_id, subject.id)
    comment = StoredComment.model_validate(item)
    concerned = comment_rules.users_to_notify(comment, commented.replied_to_user_id, owner)
    readers = readers_among(subject, concerned)
    return [user_id for user_id in concerned if user_id in readers]


def _meeting_of(event: StoredEvent) -> StoredMeeting | None:
    """Returns the meeting that a reminder is about; None for a draft and for one that was deleted."""
    meeting = meetings.find(event.board_id, event.refs["meetingId"])
    return None if meeting is None or meeting.status == "draft" else meeting


def _without_vote(event: StoredEvent, reminder: ReminderSent) -> list[UserId]:
    """Returns who has not voted on the slots that are asked for; nobody once the deadline was moved."""
    meeting = _meeting_of(event)
    if meeting is None or not poll_rules.takes_votes(meeting, instants.now()):
        return []
    closes_at = meeting.poll.closes_at if meeting.poll else None
    if reminder.closes_at not in (None, closes_at):
        return []
    proposed = slots.list_of_meeting(meeting.board_id, meeting.id)
    asked = [slot for slot in proposed.slots if reminder.since < slot.created_at <= reminder.until]
    return rules.without_vote(boards.roster(meeting.board_id), asked, proposed.votes)


def _without_answer(event: StoredEvent, _reminder: ReminderSent) -> list[UserId]:
    return _with_answer(_meeting_of(event), {"noAnswer"})


def _attending(event: StoredEvent, reminder: ReminderSent) -> list[UserId]:
    meeting = _meeting_of(event)
    is_same = meeting is not None and meeting.start_time == reminder.start_time
    return _with_answer(meeting, {"accepted", "noAnswer"}) if is_same else []


def _with_answer(meeting: StoredMeeting | None, wanted: set[RsvpStatus]) -> list[UserId]:
    if meeting is None or not rules.awaits_answers(meeting, instants.now()):
        return []
    given = rsvps.list_of_meeting(meeting.board_id, meeting.id)
    votes = slots.votes_on_booked(meeting)
    return rules.with_answer(meeting, boards.roster(meeting.board_id), given, votes, wanted)


def _task_assignee(event: StoredEvent, reminder: ReminderSent) -> list[UserId]:
    item = action_items.find(event.board_id, event.refs["actionItemId"]) if _meeting_of(event) else None
    if item is None or item.status != OPEN or item.assignee_user_id is None:
        return []
    is_same = item.due is not None and item.due.due_on == reminder.due_on
    return [item.assignee_user_id] if is_same else []


def _bet_owner(event: StoredEvent, reminder: ReminderSent) -> list[UserId]:
    bet = bets.find(event.board_id, event.refs["betId"])
    if bet is None or bet.status != "open" or bet.owner_user_id is None:
        return []
    return [bet.owner_user_id] if bet.due_on == reminder.due_on else []


def _section_owner(event: StoredEvent, reminder: ReminderSent) -> list[UserId]:
    cycle = cycles.find(event.board_id, event.refs["cycleId"])
    if cycle is None or cycle.published_at is not None or cycle.due_at != reminder.due_at:
        return []
    section = dashboards.find(event.board_id, event.refs["reportId"], event.refs["dashboardId"])
    if section is None or is_finished(section):
        return []
    owner = owner_now(event.board_id, section.report_id, section.id)
    return [owner] if owner else []


def _resolution_of(event: StoredEvent) -> State | None:
    """Returns the resolution that an event is about, as it is now; None for a draft and for one that does not exist."""
    resolution = resolutions.find(event.board_id, event.refs["resolutionId"])
    if resolution is None or resolution.status == "draft":
        return None
    return state_of(resolution, resolutions.read_body(resolution.board_id, resolution.id), instants.now())


def _resolution_voters(event: StoredEvent, _payload: object) -> list[UserId]:
    """Returns the voters of an open resolution who are not recused."""
    state = _resolution_of(event)
    if state is None or state.resolution.status != "open":
        return []
    return [user_id for user_id, voter in state.voters.items() if voter.recused is None]


def _without_ballot(event: StoredEvent, _reminder: ReminderSent) -> list[UserId]:
    state = _resolution_of(event)
    if state is None or state.resolution.status != "open":
        return []
    return [user_id for user_id, voter in state.voters.items() if voter.recused is None and voter.ballot is None]


def _resolution_readers(event: StoredEvent, _payload: object) -> list[UserId]:
    resolution = resolutions.find(event.board_id, event.refs["resolutionId"])
    if resolution is None:
        return []
    if resolution.committee_id is None:
        return [entry.user_id for entry in boards.roster(event.board_id)]
    committee = committees.get_many(event.board_id, [resolution.committee_id])
    return [
        membership_id(event.board_id, member_id)
        for stored_committee in committee
        for member_id in stored_committee.member_ids
    ]


_LOOKUPS: Mapping[Lookup, Callable[[StoredEvent, Any], list[UserId]]] = {
    Lookup.INVITEES: _invitees,
    Lookup.DASHBOARD_OWNER: _dashboard_owner,
    Lookup.COMMENT_READERS: _comment_readers,
    Lookup.WITHOUT_VOTE: _without_vote,
    Lookup.WITHOUT_ANSWER: _without_answer,
    Lookup.ATTENDING: _attending,
    Lookup.TASK_ASSIGNEE: _task_assignee,
    Lookup.SECTION_OWNER: _section_owner,
    Lookup.BET_OWNER: _bet_owner,
    Lookup.RESOLUTION_VOTERS: _resolution_voters,
    Lookup.WITHOUT_BALLOT: _without_ballot,
    Lookup.RESOLUTION_READERS: _resolution_readers,
}
