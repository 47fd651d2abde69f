"""The rules of slots and votes (the API specification, sections 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from governance.domain.access.access import member_tier
from governance.domain.meetings.meeting import accepts_slots, check_editable, check_takes_place, revised
from governance.domain.meetings.poll import takes_votes
from governance.errors import Reason, conflict, forbidden
from governance.ids import PersonId, UserId, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.models.boards.board import Membership, RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import Feedback, ProposedSlot, StoredSlot, StoredVote
from governance.scopes import Tier


def new_id(start_time: Instant) -> str:
    """Returns a new id for a slot. It begins with the start, the only part of it that is in the slot's key."""
    return time_ordered_id(millis(start_time))


def check_proposal(meeting: StoredMeeting) -> None:
    """Raises 409 unless slots may be proposed: on a draft or scheduled meeting, booked or not."""
    check_editable(meeting)
    check_takes_place(meeting)
    if not accepts_slots(meeting):
        raise conflict(Reason.SLOT_VOTES_CLOSED)


def check_vote(meeting: StoredMeeting, slot: StoredSlot, now: Instant) -> None:
    """Raises 409 `SLOT_VOTES_CLOSED` unless the meeting collects votes, its poll is open and the slot has not begun.

    Raises 409 `MEETING_CANCELLED` for a cancelled meeting.
    """
    check_takes_place(meeting)
    if not takes_votes(meeting, now) or slot.start_time < now:
        raise conflict(Reason.SLOT_VOTES_CLOSED)


def votes_of_others(slot: StoredSlot, members: Iterable[RosterEntry], votes: Iterable[StoredVote]) -> list[StoredVote]:
    """Returns the votes on a slot that count, without that of its proposer."""
    current = {(member.user_id, member.join_id) for member in members}
    return [
        vote
        for vote in votes
        if vote.user_id is None or (vote.user_id != slot.created_by_user_id and (vote.user_id, vote.join_id) in current)
    ]


def voters(members: Iterable[RosterEntry], votes: Iterable[StoredVote]) -> tuple[UserId, ...]:
    """Returns the current members who have voted on a slot."""
    current = {(member.user_id, member.join_id) for member in members}
    return tuple(vote.user_id for vote in votes if vote.user_id and (vote.user_id, vote.join_id) in current)


def people_who_voted(votes: Iterable[StoredVote]) -> tuple[PersonId, ...]:
    """Returns the people without an account who have voted on a slot by the links in their e-mails."""
    return tuple(vote.unregistered_user_id for vote in votes if vote.unregistered_user_id)


def check_removal(
    meeting: StoredMeeting, slot: StoredSlot, others: Collection[StoredVote], member: Membership | None
) -> None:
    """Raises 403 for a slot with the votes of others, unless the caller proposed it or is a manager.

    Then raises 409 for a slot of a finalized meeting, and for the slot that the meeting is booked for. A board token
    is a member of None.
    """
    is_proposer = slot.created_by_user_id == (member.user_id if member else None)
    if others and not is_proposer and (member is None or member_tier(member) < Tier.MANAGER):
        raise forbidden("Others have voted on the slot: ask its proposer or a manager of the board to remove it.")
    check_editable(meeting)
    if meeting.booked_slot_id == slot.id:
        raise conflict(Reason.SLOT_IS_PROMOTED)


def booked(meeting: StoredMeeting, slot: StoredSlot, now: Instant) -> StoredMeeting:
    """Returns the meeting moved to the slot's time, in the same status; the same object if it is booked there already.

    Raises 409 `MEETING_FINALIZED`, 409 `MEETING_CANCELLED`, then 409 `SLOT_START_IN_PAST` for a slot that has begun.
    """
    check_editable(meeting)
    check_takes_place(meeting)
    if slot.start_time < now:
        raise conflict(Reason.SLOT_START_IN_PAST)
    if meeting.booked_slot_id == slot.id:
        return meeting
    change: dict[str, Any] = {
        "booked_slot_id": slot.id,
        "start_time": slot.start_time,
        "end_time": shift(slot.start_time, minutes=slot.duration_in_minutes),
        "timezone": slot.timezone,
        "updated_at": now,
        "version": meeting.version + 1,
    }
    return revised(meeting, meeting.model_copy(update=change))


def counted(votes: Iterable[StoredVote], meeting: StoredMeeting) -> list[StoredVote]:
    """Returns the votes without those of guests that were discarded with an earlier guest link."""
    return [vote for vote in votes if not is_discarded(vote, meeting.guest_votes_discarded_at)]


def is_discarded(vote: StoredVote, discarded_at: Instant | None) -> bool:
    """Returns whether a guest's vote arrived no later than the instant at which guests' votes were discarded.

    The votes of people without an account, by the links in their e-mails, are not discarded.
    """
    is_of_guest = vote.user_id is None and not vote.is_personal
    return is_of_guest and discarded_at is not None and vote.arrived_at <= discarded_at


def to_resource(
    slot: StoredSlot, members: Sequence[RosterEntry], votes: Iterable[StoredVote], hidden: Collection[str] = ()
) -> ProposedSlot:
    """Returns the slot as its board sees it, without the addresses that are `hidden` from the caller."""
    feedback = feedbacks(slot, members, votes, hidden)
    return ProposedSlot.model_validate({**slot.model_dump(by_alias=False), "feedbacks": feedback})


def feedbacks(
    slot: StoredSlot, members: Sequence[RosterEntry], votes: Iterable[StoredVote], hidden: Collection[str] = ()
) -> tuple[Feedback, ...]:
    """Returns the feedback of each current member in order of joining, then that of guests in order of arrival.

    A vote counts only for the slot and the membership that it was cast with: the vote of a removed member disappears,
    and a user who rejoins has not voted.
    """
    own = [vote for vote in votes if vote.slot_id == slot.id]
    cast = {(vote.user_id, vote.join_id): vote for vote in own if vote.user_id is not None}
    by_guests = (vote for vote in own if vote.user_id is None)
    guests = sorted(by_guests, key=lambda vote: (vote.arrived_at, vote.email or ""))
    return (
        *(_of_member(member, cast.get((member.user_id, member.join_id))) for member in members),
        *(_of_guest(vote, hidden) for vote in guests),
    )


def _of_guest(vote: StoredVote, hidden: Collection[str]) -> Feedback:
    email = None if vote.email in hidden else vote.email
    return Feedback(user_id=None, vote=vote.vote, comment=vote.comment, email=email, is_guest=True)


def _of_member(member: RosterEntry, vote: StoredVote | None) -> Feedback:
    if vote is None:
        return Feedback(user_id=member.user_id, vote="didNotVote")
    return Feedback(user_id=member.user_id, vote=vote.vote, comment=vote.comment)


def tally(feedback: Iterable[Feedback]) -> dict[str, int]:
    """Returns how many members and guests chose each answer."""
    counts = {"ok": 0, "challenging": 0, "cant": 0}
    for entry in feedback:
        if entry.vote in counts:
            counts[entry.vote] += 1
    return counts
