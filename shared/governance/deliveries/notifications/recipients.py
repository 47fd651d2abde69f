"""Looks up the recipients of a notification in the store: members, and people without an account (ADR deliveries).

Those that a reminder, a task or a comment concerns are read when it is planned, and again before each is notified and
mailed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from governance import instants
from governance.deliveries.notifications.emails import AskedVote
from governance.deliveries.notifications.planned import Planned
from governance.domain.action_items.action_item import assigned_person
from governance.domain.comments import comment as comment_rules
from governance.domain.events.action_items import OfActionItem
from governance.domain.events.comments import Commented
from governance.domain.events.documents import OfDocument
from governance.domain.events.invites import Invited
from governance.domain.events.kind import Lookup
from governance.domain.events.paper_requests import OfPaperRequest, PaperRequestDecided
from governance.domain.events.reminders import ReminderSent
from governance.domain.events.reports import OfDashboard
from governance.domain.events.resolutions import OfResolution, SeatChanged
from governance.domain.meetings import poll as poll_rules
from governance.domain.meetings import reminders as reminders_rules
from governance.domain.notifications.notifications import recipients, without_actor
from governance.domain.reports.cycle import is_finished
from governance.ids import BoardId, UserId, user_id_of
from governance.models.action_items.action_item import OPEN, StoredActionItem
from governance.models.boards.board import RosterEntry
from governance.models.comments.comment import StoredComment
from governance.models.history.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus
from governance.models.meetings.slot import StoredSlot
from governance.models.notifications.recipients import NOBODY, Addressees
from governance.models.paper_requests.paper_request import MISSING, StoredPaperRequest
from governance.store.account import users
from governance.store.action_items import action_items
from governance.store.boards import boards
from governance.store.comments import comments
from governance.store.committees import committees
from governance.store.documents import documents
from governance.store.meetings import meetings, rsvps, slots
from governance.store.paper_requests import paper_requests
from governance.store.reports import bets, cycles, dashboards
from governance.store.resolutions import resolutions
from governance.store.table import read_one
from governance.usecases.comments.comment_subjects import subjects_named
from governance.usecases.comments.commenting import readers_among
from governance.usecases.members.mailed_people import people_with_answer, people_without_vote
from governance.usecases.reports.dashboard_owners import owner_now
from governance.usecases.resolutions.reading import State, state_of

ReadRoster = Callable[[BoardId], list[RosterEntry]]


def recipients_of(plan: Planned[Any], read_roster: ReadRoster) -> Addressees:
    """Returns the recipients; their access is checked when they are notified.

    The whole roster is read only for an audience that names a tier.
    """
    audience, event = plan.notification.audience, plan.event
    if plan.user_ids is not None:
        return Addressees(without_actor(plan.user_ids, event.actor_user_id))
    if audience.lookup is not None:
        found = _LOOKUPS[audience.lookup](event, plan.payload)
        return replace(found, user_ids=without_actor(found.user_ids, event.actor_user_id))
    if audience.tier is not None:
        members = read_roster(event.board_id)
    else:
        named = audience.named(plan.payload) if audience.named and not audience.has_outsiders else ()
        members = boards.roster_of(event.board_id, [user_id for user_id in named if user_id])
    return recipients(audience, plan.payload, event.actor_user_id, members)


def task_now(plan: Planned[Any]) -> StoredActionItem | None:
    """Returns the action item that was assigned, as it is now; None if it was deleted, and for other events."""
    if not isinstance(plan.payload, OfActionItem):
        return None
    return action_items.find(plan.event.board_id, plan.payload.action_item_id)


def vote_now(plan: Planned[Any]) -> AskedVote | None:
    """Returns what voters are asked to vote on; None for other events, and for one that does not exist any more."""
    if isinstance(plan.payload, ReminderSent) and plan.notification.audience.lookup is Lookup.WITHOUT_VOTE:
        return _times_now(plan.event, plan.payload)
    if plan.notification.type not in ("resolution_opened", "resolution_reminder"):
        return None
    state = _resolution_of(plan.event, plan.payload)
    return AskedVote(state.resolution.closes_at, state.content.text) if state else None


def _times_now(event: StoredEvent, reminder: ReminderSent) -> AskedVote | None:
    """Returns the times that a reminder asks to vote on and that are still ahead, the earliest first."""
    meeting = _meeting_of(event, reminder)
    if meeting is None:
        return None
    proposed, now = slots.list_of_meeting(meeting.board_id, meeting.id).slots, instants.now()
    ahead = [slot for slot in _asked(proposed, reminder) if slot.start_time > now]
    times = sorted((slot.start_time, slot.timezone) for slot in ahead)
    return AskedVote(meeting.poll.closes_at if meeting.poll else None, times=times)


def _asked(proposed: Iterable[StoredSlot], reminder: ReminderSent) -> list[StoredSlot]:
    return [slot for slot in proposed if reminder.since < slot.created_at <= reminder.until]


def still_concerned(
    plan: Planned[Any], task: StoredActionItem | None, meeting: StoredMeeting | None, to: Addressees
) -> Addressees:
    """Returns those of these recipients that a notification concerns when it is shown or mailed.

    That of an assigned task is for its assignee of now, if it is in progress and its meeting is not a draft. Those of a
    reminder or a comment are looked up again; other events concern all of them.
    """
    lookup = plan.notification.audience.lookup
    if plan.notification.type == "task_assignment":
        return to.among(_assignee(task if meeting is not None and meeting.status != "draft" else None))
    if lookup is None or not lookup.is_repeated:
        return to
    return to.among(_LOOKUPS[lookup](plan.event, plan.payload))


def _invitees(_event: StoredEvent, invited: Invited) -> Addressees:
    return Addressees(users.user_ids_by_email(invited.invitee_email))


def _dashboard_owner(event: StoredEvent, about: OfDashboard) -> Addressees:
    return _only(owner_now(event.board_id, about.report_id, about.dashboard_id))


def _only(user_id: UserId | None) -> Addressees:
    return Addressees([user_id]) if user_id else NOBODY


def _comment_readers(event: StoredEvent, commented: Commented) -> Addressees:
    """Returns who is notified of a new comment; nobody if the comment or its subject was deleted."""
    (subject,) = subjects_named(event.board_id, [event.refs])
    key = comments.key(subject, commented.comment_id) if subject else None
    item = read_one(key) if key else None
    if subject is None or item is None:
        return NOBODY
    owner = subject.creator_id
    if subject.report_id is not None:
        owner = owner_now(subject.board_id, subject.report_id, subject.id)
    comment = StoredComment.model_validate(item)
    concerned = comment_rules.users_to_notify(comment, commented.replied_to_user_id, owner)
    readers = readers_among(subject, concerned)
    return Addressees([user_id for user_id in concerned if user_id in readers])


def _meeting_of(event: StoredEvent, reminder: ReminderSent) -> StoredMeeting | None:
    """Returns the meeting that a reminder is about; None for a draft and for one that was deleted."""
    meeting = meetings.find(event.board_id, reminder.meeting_id) if reminder.meeting_id else None
    return None if meeting is None or meeting.status == "draft" else meeting


def _without_vote(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    """Returns who has not voted on the slots that are asked for; nobody once the deadline was moved."""
    meeting = _meeting_of(event, reminder)
    if meeting is None or not poll_rules.takes_votes(meeting, instants.now()):
        return NOBODY
    closes_at = meeting.poll.closes_at if meeting.poll else None
    if reminder.closes_at not in (None, closes_at):
        return NOBODY
    proposed = slots.list_of_meeting(meeting.board_id, meeting.id)
    asked = _asked(proposed.slots, reminder)
    people = people_without_vote(meeting, asked)
    if reminder.person_ids is not None:
        return Addressees(person_ids=[person_id for person_id in people if person_id in reminder.person_ids])
    members = reminders_rules.without_vote(boards.roster(meeting.board_id), asked, proposed.votes)
    return Addressees(members, people)


def _without_answer(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    return _with_answer(_meeting_of(event, reminder), {"noAnswer"})


def _attending(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    meeting = _meeting_of(event, reminder)
    is_same = meeting is not None and meeting.start_time == reminder.start_time
    return _with_answer(meeting, {"accepted", "noAnswer"}) if is_same else NOBODY


def _with_answer(meeting: StoredMeeting | None, wanted: set[RsvpStatus]) -> Addressees:
    if meeting is None or not reminders_rules.awaits_answers(meeting, instants.now()):
        return NOBODY
    given = rsvps.list_of_meeting(meeting.board_id, meeting.id)
    votes = slots.votes_on_booked(meeting)
    members = reminders_rules.with_answer(meeting, boards.roster(meeting.board_id), given, votes, wanted)
    return Addressees(members, people_with_answer(meeting, wanted))


def _task_assignee(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    item_id = reminder.action_item_id if _meeting_of(event, reminder) else None
    item = action_items.find(event.board_id, item_id) if item_id else None
    is_same = item is not None and item.due is not None and item.due.due_on == reminder.due_on
    return _assignee(item) if is_same else NOBODY


def _assignee(item: StoredActionItem | None) -> Addressees:
    """Returns the assignee of an open action item, who may have no account."""
    if item is None or item.status != OPEN:
        return NOBODY
    person_id = assigned_person(item)
    return Addressees(person_ids=[person_id]) if person_id else _only(item.assignee_user_id)


def _bet_owner(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    bet = bets.find(event.board_id, reminder.bet_id) if reminder.bet_id else None
    if bet is None or bet.status != "open" or bet.due_on != reminder.due_on:
        return NOBODY
    return _only(bet.owner_user_id)


def _section_owner(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    cycle = cycles.find(event.board_id, reminder.cycle_id) if reminder.cycle_id else None
    if cycle is None or cycle.published_at is not None or cycle.due_at != reminder.due_at:
        return NOBODY
    section = dashboards.find(event.board_id, reminder.report_id or "", reminder.dashboard_id or "")
    if section is None or is_finished(section):
        return NOBODY
    return _only(owner_now(event.board_id, section.report_id, section.id))


def _resolution_of(event: StoredEvent, about: OfResolution | ReminderSent) -> State | None:
    """Returns the resolution that an event is about, as it is now; None for a draft and for one that does not exist."""
    resolution = resolutions.find(event.board_id, about.resolution_id or "")
    if resolution is None or resolution.status == "draft":
        return None
    return state_of(resolution, resolutions.read_body(resolution.board_id, resolution.id), instants.now())


def _resolution_voters(event: StoredEvent, about: OfResolution) -> Addressees:
    """Returns the voters of an open resolution who are not recused."""
    state = _resolution_of(event, about)
    if state is None or state.resolution.status != "open":
        return NOBODY
    return Addressees([user_id for user_id, voter in state.voters.items() if voter.recused is None])


def _without_ballot(event: StoredEvent, reminder: ReminderSent) -> Addressees:
    state = _resolution_of(event, reminder)
    if state is None or state.resolution.status != "open":
        return NOBODY
    voters = state.voters.items()
    return Addressees([user_id for user_id, voter in voters if voter.recused is None and voter.ballot is None])


def _resolution_seat(event: StoredEvent, changed: SeatChanged) -> Addressees:
    """Returns the voter that a changed proxy or recusal is about; nobody if they are not a voter any more."""
    state = _resolution_of(event, changed)
    user_id = changed.told_user_id
    return _only(user_id if state is not None and user_id in state.voters else None)


def _resolution_readers(event: StoredEvent, about: OfResolution) -> Addressees:
    resolution = resolutions.find(event.board_id, about.resolution_id)
    return _members_of(event.board_id, resolution.committee_id) if resolution else NOBODY


def _pack_readers(event: StoredEvent, about: OfDocument) -> Addressees:
    """Returns who sees the document of a pack now; nobody once it was deleted or went in camera."""
    document = documents.get_by_ids(event.board_id, [about.document_id]).get(about.document_id)
    is_seen = document is not None and document.audience is None
    return _members_of(event.board_id, document.committee_id) if document and is_seen else NOBODY


def _paper_asked(event: StoredEvent, about: OfPaperRequest | ReminderSent) -> Addressees:
    """Returns who is asked for a paper; nobody once it was delivered or is due at another time.

    A reminder is no news for a meeting that does not take place.
    """
    request = paper_requests.find(event.board_id, about.paper_request_id or "")
    if request is None or request.status not in MISSING or about.due_at not in (None, request.due_at):
        return NOBODY
    meeting = meetings.find(event.board_id, request.meeting_id)
    is_asked = meeting is not None and meeting.status != "draft" and meeting.cancellation is None
    return _asked_for(request) if is_asked else NOBODY


def _asked_for(request: StoredPaperRequest) -> Addressees:
    person_id = request.asked.unregistered_user_id
    return Addressees(person_ids=[person_id]) if person_id else _only(request.asked.user_id)


def _paper_deliverers(event: StoredEvent, about: PaperRequestDecided) -> Addressees:
    """Returns who delivered a paper and who asked for it; nobody once another paper was delivered."""
    request = paper_requests.find(event.board_id, about.paper_request_id)
    if request is None or request.status != about.decision:
        return NOBODY
    asked = _asked_for(request)
    return replace(asked, user_ids=[*asked.user_ids, request.created_by_user_id])


def _members_of(board_id: BoardId, committee_id: str | None) -> Addressees:
    """Returns the members of a committee; without one, of the board."""
    if committee_id is None:
        return Addressees([entry.user_id for entry in boards.roster(board_id)])
    committee = committees.get_many(board_id, [committee_id])
    return Addressees(
        [user_id_of(board_id, member_id) for stored_committee in committee for member_id in stored_committee.member_ids]
    )


_LOOKUPS: Mapping[Lookup, Callable[[StoredEvent, Any], Addressees]] = {
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
    Lookup.RESOLUTION_SEAT: _resolution_seat,
    Lookup.PACK_READERS: _pack_readers,
    Lookup.PAPER_ASKED: _paper_asked,
    Lookup.PAPER_DELIVERERS: _paper_deliverers,
}
