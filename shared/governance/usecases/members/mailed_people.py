"""Reads the people without an account who get e-mails: all of a board, and those who are asked about a meeting.

They get the e-mails of meetings that members get: requests for votes, reminders, and their tasks (ADR people).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from governance.domain.meetings import reminders as reminders_rules
from governance.domain.meetings import slot as slot_rules
from governance.domain.meetings.people import is_invited
from governance.ids import BoardId, PersonId
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus
from governance.models.meetings.slot import StoredSlot
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.store.account.users import user_ids_by_email
from governance.store.boards import boards
from governance.store.meetings import guest_votes, people, rsvps
from governance.store.members import unregistered_users

if TYPE_CHECKING:  # no request needs it
    from governance.domain.notifications.addressee import Addressee


def mailed_people(board_id: BoardId) -> list[StoredUnregisteredUser]:
    """Returns the people of a board who get e-mails."""
    return [person for person in unregistered_users.all_of_board(board_id, "active") if person.is_mailed]


def _mailed_about(meeting: StoredMeeting) -> list[StoredUnregisteredUser]:
    """Returns the people who get the e-mails about a meeting: they are invited to it."""
    mailed = mailed_people(meeting.board_id)
    chosen = people.of_meeting(meeting.board_id, meeting.id) if mailed else None
    return [person for person in mailed if is_invited(chosen, person.id)]


def people_without_vote(meeting: StoredMeeting, asked: Sequence[StoredSlot]) -> list[PersonId]:
    """Returns the people who have not voted on any of these slots of a meeting; nobody without slots."""
    mailed = _mailed_about(meeting) if asked else []
    if not mailed:
        return []
    votes = slot_rules.counted(guest_votes.list_of_meeting(meeting.board_id, meeting.id), meeting)
    return reminders_rules.people_without_vote(mailed, asked, votes)


def people_with_answer(meeting: StoredMeeting, wanted: Collection[RsvpStatus]) -> list[PersonId]:
    """Returns the people whose answer to a meeting is one of these."""
    mailed = _mailed_about(meeting)
    given = rsvps.people_of_meeting(meeting.board_id, meeting.id) if mailed else []
    return reminders_rules.people_with_answer(mailed, given, wanted)


def is_shadowed(addressee: Addressee) -> bool:
    """Returns whether a person without an account has the address of a current member, who gets the e-mails then."""
    person = addressee.person
    return person is not None and boards.has_any_member(person.board_id, user_ids_by_email(addressee.email))
