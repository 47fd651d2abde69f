"""The rules of polls: until when members and guests vote, who is missing, and when they are reminded (ADR
deliveries)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.meetings.meeting import check_editable, check_takes_place, collects_votes
from governance.errors import Reason, conflict
from governance.ids import UserId
from governance.instants import Instant, from_millis, millis, shift
from governance.limits import POLL_REMINDER_HOURS
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.poll import Poll, PollBody, StoredPoll
from governance.models.meetings.slot import StoredVote
from governance.scopes import Tier


def is_closed(meeting: StoredMeeting, now: Instant) -> bool:
    """Returns whether the deadline of the meeting's votes has come: from that very instant on."""
    return meeting.poll is not None and meeting.poll.closes_at <= now


def takes_votes(meeting: StoredMeeting, now: Instant) -> bool:
    """Returns whether anybody can still vote on the meeting's times."""
    return collects_votes(meeting) and not is_closed(meeting, now)


def with_poll(meeting: StoredMeeting, body: PollBody, now: Instant) -> tuple[StoredMeeting, StoredPoll]:
    """Returns the meeting with this deadline, and its poll.

    Raises 409: `MEETING_FINALIZED` for a finalized meeting, `SLOT_VOTES_CLOSED` for one that is booked, under way or
    over.
    """
    check_editable(meeting)
    check_takes_place(meeting)
    if not collects_votes(meeting):
        raise conflict(Reason.SLOT_VOTES_CLOSED)
    created_at = meeting.poll.created_at if meeting.poll else now
    poll = StoredPoll(closes_at=body.closes_at, remind=body.remind, created_at=created_at, updated_at=now)
    poll = poll.in_place_of(meeting.poll)
    return meeting.model_copy(update={"poll": poll, "version": meeting.version + 1}), poll


def without_poll(meeting: StoredMeeting) -> StoredMeeting:
    """Returns the meeting without a deadline. Raises 409 `MEETING_FINALIZED` for a finalized meeting."""
    check_editable(meeting)
    return meeting.model_copy(update={"poll": None, "version": meeting.version + 1})


def reminder_due(poll: StoredPoll) -> Instant | None:
    """Returns when those who have not voted are reminded: 24 hours before the deadline, or at half time if it is later.

    Half time is between the last change of the poll and its deadline. None if the poll asks for no reminder.
    """
    if not poll.remind:
        return None
    half_time = from_millis((millis(poll.updated_at) + millis(poll.closes_at)) // 2)
    return max(shift(poll.closes_at, hours=-POLL_REMINDER_HOURS), half_time)


def missing(members: Sequence[RosterEntry], votes: Iterable[StoredVote], slot_ids: Iterable[str]) -> list[UserId]:
    """Returns the collaborators and up who have not voted on any of these slots, in order of joining.

    A vote counts only for the membership that it was cast with.
    """
    open_slots = set(slot_ids)
    voted = {(vote.user_id, vote.join_id) for vote in votes if vote.slot_id in open_slots}
    voters = (member for member in members if member.tier >= Tier.COLLABORATOR)
    return [member.user_id for member in voters if (member.user_id, member.join_id) not in voted]


def to_resource(meeting: StoredMeeting, poll: StoredPoll, waiting_for: Iterable[UserId], now: Instant) -> Poll:
    """Returns the poll as the members of the board see it."""
    is_open = takes_votes(meeting, now)
    return Poll(
        meeting_id=meeting.id,
        closes_at=poll.closes_at,
        remind=poll.remind,
        status="open" if is_open else "closed",
        missing=tuple(waiting_for),
        created_at=poll.created_at,
        updated_at=poll.updated_at,
    )
