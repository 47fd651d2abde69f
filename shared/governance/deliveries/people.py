"""Looks up the people without an account whom a notification is mailed to (ADR people).

They get the e-mails of meetings that members get: requests for votes, reminders, and their tasks. Like members, they
are read when the notification is planned, and again before each is mailed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from governance import instants
from governance.deliveries.consequences import Planned
from governance.domain.events.kind import Lookup
from governance.domain.events.reminders import ReminderSent
from governance.domain.meetings import poll as poll_rules
from governance.domain.meetings import reminders as rules
from governance.domain.meetings import slot as slot_rules
from governance.domain.meetings.action_item import people_of as assigned_to
from governance.domain.notifications.addressee import Addressee
from governance.ids import BoardId, UserId
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.event import StoredEvent
from governance.models.meetings.action_item import OPEN, StoredActionItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from governance.store.account.users import user_ids_by_email
from governance.store.boards import boards, unregistered_users
from governance.store.meetings import action_items, guest_votes, meetings, slots, unregistered_rsvps

People = Iterable[StoredUnregisteredUser]


def people_of(plan: Planned) -> list[UserId]:
    """Returns the ids of the people without an account to mail; each is checked again when they are mailed."""
    lookup = plan.notification.audience.lookup
    if plan.notification.type == "task_assignment":
        people: People = _assigned(plan.event, plan.payload)
    elif lookup in _LOOKUPS:
        people = _LOOKUPS[lookup](plan.event, plan.payload)
    else:
        return []
    return [UserId(person.id) for person in people if person.is_mailed]


def people_still_concerned(plan: Planned, person_ids: Sequence[UserId]) -> list[UserId]:
    """Returns those of these people whom the notification concerns now."""
    concerned = set(people_of(plan))
    return [person_id for person_id in person_ids if person_id in concerned]


def is_shadowed(addressee: Addressee) -> bool:
    """Returns whether a person without an account has the address of a current member, who gets the e-mails then."""
    person = addressee.person
    return person is not None and boards.has_any_member(person.board_id, user_ids_by_email(addressee.email))


def mailed_people(board_id: BoardId) -> list[StoredUnregisteredUser]:
    """Returns the people of a board to whom e-mails go."""
    return [person for person in unregistered_users.all_of_board(board_id, "active") if person.is_mailed]


def _meeting(event: StoredEvent) -> StoredMeeting | None:
    """Returns the meeting of an event; None for a draft and for one that was deleted."""
    meeting = meetings.find(event.board_id, event.refs["meetingId"])
    return None if meeting is None or meeting.status == "draft" else meeting


def _of_item(event: StoredEvent, item: StoredActionItem | None) -> People:
    if item is None or item.status != OPEN or _meeting(event) is None:
        return []
    return unregistered_users.get_many(event.board_id, assigned_to([item])).values()


def _assigned(event: StoredEvent, assigned: Any) -> People:
    """Returns the person whom a task was assigned to, if it still is."""
    if assigned.assignee_unregistered_user_id is None:
        return []
    item = action_items.find(event.board_id, event.refs["actionItemId"])
    return [person for person in _of_item(event, item) if person.id == assigned.assignee_unregistered_user_id]


def _task_assignee(event: StoredEvent, reminder: ReminderSent) -> People:
    item = action_items.find(event.board_id, event.refs["actionItemId"])
    is_same = item is not None and item.due is not None and item.due.due_on == reminder.due_on
    return _of_item(event, item) if is_same else []


def _without_vote(event: StoredEvent, reminder: ReminderSent) -> People:
    meeting = _meeting(event)
    if meeting is None or not poll_rules.takes_votes(meeting, instants.now()):
        return []
    if reminder.closes_at not in (None, meeting.poll.closes_at if meeting.poll else None):
        return []
    proposed = slots.list_of_meeting(meeting.board_id, meeting.id).slots
    asked = [slot for slot in proposed if reminder.since < slot.created_at <= reminder.until]
    votes = slot_rules.counted(guest_votes.list_of_meeting(meeting.board_id, meeting.id), meeting)
    return rules.people_without_vote(mailed_people(meeting.board_id), asked, votes)


def _without_answer(event: StoredEvent, _reminder: ReminderSent) -> People:
    return _with_answer(_meeting(event), {"noAnswer"})


def _attending(event: StoredEvent, reminder: ReminderSent) -> People:
    meeting = _meeting(event)
    is_same = meeting is not None and meeting.start_time == reminder.start_time
    return _with_answer(meeting, {"accepted", "noAnswer"}) if is_same else []


def _with_answer(meeting: StoredMeeting | None, wanted: set[str]) -> People:
    if meeting is None or not rules.awaits_answers(meeting, instants.now()):
        return []
    given: Iterable[StoredUnregisteredRsvp] = unregistered_rsvps.list_of_meeting(meeting.board_id, meeting.id)
    return rules.people_with_answer(mailed_people(meeting.board_id), given, wanted)


_LOOKUPS: Mapping[Lookup | None, Callable[[StoredEvent, Any], People]] = {
    Lookup.WITHOUT_VOTE: _without_vote,
    Lookup.WITHOUT_ANSWER: _without_answer,
    Lookup.ATTENDING: _attending,
    Lookup.TASK_ASSIGNEE: _task_assignee,
}
"""The notifications that people without an account get, by whom among the members they concern."""
