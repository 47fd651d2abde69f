"""Reads who is invited to a meeting: a user or a person without an account, with what decides about their invitation.

Invitations of both are claimed and mailed alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from governance.deliveries.meetings.personal_links import link_writes
from governance.domain.meetings import rsvp as rsvp_rules
from governance.domain.meetings.people import is_invited
from governance.domain.notifications.addressee import Addressee, of_person, of_user
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, StoredBoard
from governance.models.calendars.calendar import InvitationMessage
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus, StoredRsvp, StoredUnregisteredRsvp
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.store.calendars import calendars
from governance.store.meetings import people, rsvps, slots
from governance.store.members import unregistered_users
from governance.store.schema.entities import (
    BOARD,
    CALENDAR_SETTINGS,
    MEETING,
    MEETING_PEOPLE,
    MEMBER,
    RSVP,
    UNREGISTERED_RSVP,
    UNREGISTERED_USER,
    USER,
)
from governance.store.schema.keys import Item
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.members.mailed_people import is_shadowed

_KINDS_OF_USER = (BOARD, MEETING, MEMBER, USER, CALENDAR_SETTINGS, RSVP)
_KINDS_OF_PERSON = (BOARD, MEETING, UNREGISTERED_USER, UNREGISTERED_RSVP, MEETING_PEOPLE)


@dataclass(frozen=True)
class Invitee:
    """Somebody who gets invitations, and their answer to the meeting; `meeting` is None once it was deleted.

    `board` is None for a user who has lost it, and for a person who is no longer invited to the meeting. The `writes`
    belong to every invitation of theirs.
    """

    addressee: Addressee
    board: StoredBoard | None
    meeting: StoredMeeting | None
    answer: RsvpStatus
    writes: Sequence[Write] = ()

    @property
    def reason(self) -> str | None:
        """Why the meeting was cancelled, for those who still see it."""
        return self.meeting.cancellation.reason if self.board and self.meeting and self.meeting.cancellation else None


def read_invitee(invited: InvitationMessage, now: Instant) -> Invitee | None:
    """Returns who is invited; None for somebody who gets no invitations, or none of an example board."""
    ids = invited.model_dump(include={"board_id", "meeting_id", "user_id", "unregistered_user_id"}, exclude_none=True)
    kinds = _KINDS_OF_USER if invited.user_id else _KINDS_OF_PERSON
    keys = [kind.key_for(**ids) for kind in kinds]
    board, meeting, *rows = map(read(keys).get, keys)
    shown = StoredBoard.model_validate(board) if board else None
    if shown is not None and shown.is_example:
        return None
    current = StoredMeeting.model_validate(meeting) if meeting else None
    return _user(shown, current, *rows) if invited.user_id else _person(now, shown, current, *rows)


def _user(
    board: StoredBoard | None,
    meeting: StoredMeeting | None,
    member: Item | None,
    user: Item | None,
    wanted: Item | None,
    rsvp: Item | None,
) -> Invitee | None:
    if user is None or user["status"] != "active" or not calendars.settings_of(wanted).invitations:
        return None
    answer: RsvpStatus = "noAnswer"
    if meeting is not None and member is not None:
        given = StoredRsvp.model_validate(rsvp) if rsvp else None
        votes = slots.votes_on_booked(meeting)
        answer = rsvp_rules.status_of(meeting, Membership.model_validate(member), given, votes)
    return Invitee(of_user(StoredUser.model_validate(user)), board if member else None, meeting, answer)


def _person(
    now: Instant,
    board: StoredBoard | None,
    meeting: StoredMeeting | None,
    person_item: Item | None,
    rsvp: Item | None,
    chosen: Item | None,
) -> Invitee | None:
    """Returns a person without an account; from their first invitation on, their answer to the meeting is stored."""
    person = StoredUnregisteredUser.model_validate(person_item) if person_item else None
    addressee = of_person(person) if person else None
    if board is None or person is None or addressee is None or is_shadowed(addressee):
        return None
    answer = StoredUnregisteredRsvp.model_validate(rsvp) if rsvp else None
    writes: list[Write] = [unregistered_users.check_as_read(person)]
    if not is_invited(people.from_item(chosen), person.id):
        return Invitee(addressee, None, meeting, "noAnswer", writes)
    if meeting is not None:
        writes += link_writes(person, meeting.id, now)
        writes += [] if answer else [rsvps.put(None, rsvp_rules.invited(person, meeting.id, now))]
    return Invitee(addressee, board, meeting, answer.status if answer else "noAnswer", writes)
