"""The rules of the answers to a meeting, of members and of people without an account (ADR people)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from governance.domain.meetings.meeting import check_editable, check_takes_place
from governance.domain.meetings.people import is_invited
from governance.ids import PersonId, UserId
from governance.instants import Instant
from governance.models.boards.board import Membership, RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.rsvp import (
    Rsvp,
    RsvpStatus,
    StoredAnswer,
    StoredRsvp,
    StoredUnregisteredRsvp,
    UnregisteredRsvp,
)
from governance.models.meetings.slot import StoredVote
from governance.models.members.unregistered_user import StoredUnregisteredUser

Answer = TypeVar("Answer", bound=StoredAnswer)


def with_votes(meeting: StoredMeeting, given: Iterable[StoredRsvp], votes: Iterable[StoredVote]) -> list[StoredRsvp]:
    """Returns the answers that count: those given, and `accepted` for each "ok" vote of a member on the booked slot.

    A vote answers only where its member has given no answer, and none was taken back since this slot is booked. It is
    never stored as an answer, so it ends with the booking.
    """
    given = list(given)
    decided = {(rsvp.user_id, rsvp.join_id) for rsvp in given if _decides(rsvp, meeting)}
    by_vote = [
        _by_vote(meeting, vote, vote.user_id, vote.join_id)
        for vote in votes
        if vote.user_id is not None and vote.join_id is not None
        if vote.vote == "ok" and vote.slot_id == meeting.booked_slot_id
    ]
    return [*given, *(rsvp for rsvp in by_vote if (rsvp.user_id, rsvp.join_id) not in decided)]


def _decides(rsvp: StoredRsvp, meeting: StoredMeeting) -> bool:
    return rsvp.status != "noAnswer" or rsvp.booked_slot_id == meeting.booked_slot_id


def _by_vote(meeting: StoredMeeting, vote: StoredVote, user_id: UserId, join_id: str) -> StoredRsvp:
    return StoredRsvp(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        user_id=user_id,
        join_id=join_id,
        status="accepted",
        comment=None,
        updated_at=vote.arrived_at,
        stamped_at=vote.arrived_at,
    )


def status_of(
    meeting: StoredMeeting, member: Membership, stored: StoredRsvp | None, votes: Iterable[StoredVote]
) -> RsvpStatus:
    """Returns the status of a member's answer; that of an earlier membership does not count."""
    (rsvp,) = of_members(meeting.id, [member], with_votes(meeting, [stored] if stored else [], votes))
    return rsvp.status


def answered(
    meeting: StoredMeeting,
    member: Membership,
    old: StoredRsvp | None,
    status: RsvpStatus,
    comment: str | None,
    now: Instant,
) -> StoredRsvp:
    """Returns the member's answer, which replaces the old one. Raises 409 `MEETING_FINALIZED` for a final meeting."""
    blank = StoredRsvp(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        user_id=member.user_id,
        join_id=member.join_id,
        booked_slot_id=meeting.booked_slot_id if status == "noAnswer" else None,
        updated_at=now,
        stamped_at=now,
    )
    return _given(meeting, blank, old, status, comment, now)


def invited(person: StoredUnregisteredUser, meeting_id: str, now: Instant) -> StoredUnregisteredRsvp:
    """Returns the answer of a person without an account who is invited and has given none."""
    return StoredUnregisteredRsvp(
        board_id=person.board_id,
        meeting_id=meeting_id,
        unregistered_user_id=person.id,
        updated_at=now,
        stamped_at=Instant(""),
    )


def answered_by_person(
    meeting: StoredMeeting,
    person: StoredUnregisteredUser,
    old: StoredUnregisteredRsvp | None,
    status: RsvpStatus,
    comment: str | None,
    now: Instant,
) -> StoredUnregisteredRsvp:
    """Returns a person's answer, which replaces the old one. Raises 409 `MEETING_FINALIZED` for a final meeting."""
    return _given(meeting, invited(person, meeting.id, now), old, status, comment, now)


def _given(
    meeting: StoredMeeting, blank: Answer, old: Answer | None, status: RsvpStatus, comment: str | None, now: Instant
) -> Answer:
    check_editable(meeting)
    check_takes_place(meeting)
    given = {"status": status, "comment": comment, "sequence": meeting.sequence, "stamped_at": now}
    return blank.model_copy(update={**given, "version": old.version + 1 if old else 1}).in_place_of(old)


def to_resource(rsvp: StoredRsvp) -> Rsvp:
    """Returns the answer as the members of the board see it."""
    return Rsvp.model_validate(_shown(rsvp))


def _shown(rsvp: StoredAnswer) -> dict[str, object]:
    return {**vars(rsvp), "updated_at": None if rsvp.status == "noAnswer" else rsvp.updated_at}


def of_invited(
    given: Iterable[StoredUnregisteredRsvp], chosen: StoredMeetingPeople | None
) -> dict[PersonId, StoredUnregisteredRsvp]:
    """Returns the answers of people by their ids, and none for people who are neither invited nor have answered."""
    return {
        rsvp.unregistered_user_id: rsvp
        for rsvp in given
        if rsvp.status != "noAnswer" or is_invited(chosen, rsvp.unregistered_user_id)
    }


def of_people(
    people: Iterable[StoredUnregisteredUser], given: Mapping[PersonId, StoredUnregisteredRsvp]
) -> list[UnregisteredRsvp]:
    """Returns the answers of those people who were invited or have answered, in their order."""
    return [UnregisteredRsvp.model_validate(_shown(given[person.id])) for person in people if person.id in given]


def of_members(meeting_id: str, members: Sequence[Membership | RosterEntry], rsvps: Iterable[StoredRsvp]) -> list[Rsvp]:
    """Returns one answer for each member, in the members' order: `noAnswer` for one who has given none."""
    given = {(rsvp.user_id, rsvp.join_id): to_resource(rsvp) for rsvp in rsvps}
    return [given.get((member.user_id, member.join_id)) or _none(meeting_id, member) for member in members]


def _none(meeting_id: str, member: Membership | RosterEntry) -> Rsvp:
    return Rsvp(meeting_id=meeting_id, user_id=member.user_id, status="noAnswer", comment=None, updated_at=None)
