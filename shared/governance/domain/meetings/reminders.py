"""Who is still to be reminded: checked when a reminder is requested, and before each member is notified (ADR
deliveries)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from governance.domain.meetings.poll import missing
from governance.domain.meetings.rsvp import of_members, with_votes
from governance.ids import PersonId, UserId
from governance.instants import Instant
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus, StoredRsvp, StoredUnregisteredRsvp
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.models.members.unregistered_user import StoredUnregisteredUser


def awaits_answers(meeting: StoredMeeting, now: Instant) -> bool:
    """Returns whether members can be asked if they attend: a scheduled meeting ahead that takes place."""
    takes_place = meeting.status == "scheduled" and meeting.cancellation is None
    return takes_place and meeting.start_time is not None and meeting.start_time > now


def without_vote(
    members: Sequence[RosterEntry], slots: Iterable[StoredSlot], votes: Iterable[StoredVote]
) -> list[UserId]:
    """Returns the members who have not voted on any of these slots."""
    return missing(members, votes, (slot.id for slot in slots))


def with_answer(
    meeting: StoredMeeting,
    members: Sequence[RosterEntry],
    given: Iterable[StoredRsvp],
    votes: Iterable[StoredVote],
    wanted: set[RsvpStatus],
) -> list[UserId]:
    """Returns the members whose answer to the meeting is one of these, in order of joining."""
    answers = of_members(meeting.id, members, with_votes(meeting, given, votes))
    return [UserId(rsvp.user_id) for rsvp in answers if rsvp.status in wanted]


def people_without_vote(
    people: Iterable[StoredUnregisteredUser], slots: Sequence[StoredSlot], votes: Iterable[StoredVote]
) -> list[PersonId]:
    """Returns the people without an account who have not voted on any of these slots; nobody without slots.

    Their votes are the guests' votes of their addresses, and those that name them.
    """
    asked = {slot.id for slot in slots}
    voted = {name for vote in votes if vote.slot_id in asked for name in (vote.email, vote.unregistered_user_id)}
    return [person.id for person in people if not {person.email, person.id} & voted] if asked else []


def people_with_answer(
    people: Iterable[StoredUnregisteredUser], given: Iterable[StoredUnregisteredRsvp], wanted: Collection[str]
) -> list[PersonId]:
    """Returns the people without an account whose answer to the meeting is one of these."""
    answers = {rsvp.unregistered_user_id: rsvp.status for rsvp in given}
    return [person.id for person in people if answers.get(person.id, "noAnswer") in wanted]
