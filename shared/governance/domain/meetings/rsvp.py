"""The rules of members' answers to a meeting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.meetings.meeting import check_editable
from governance.instants import Instant
from governance.models.boards.board import Membership, RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import Rsvp, RsvpStatus, StoredRsvp


def of_membership(stored: StoredRsvp | None, member: Membership) -> RsvpStatus:
    """Returns the status of a member's answer; that of an earlier membership does not count."""
    return stored.status if stored is not None and stored.join_id == member.join_id else "noAnswer"


def answered(
    meeting: StoredMeeting,
    member: Membership,
    old: StoredRsvp | None,
    status: RsvpStatus,
    comment: str | None,
    now: Instant,
) -> StoredRsvp:
    """Returns the member's answer, which replaces the old one. Raises 409 `MEETING_FINALIZED` for a final meeting."""
    check_editable(meeting)
    new = StoredRsvp(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        user_id=member.user_id,
        join_id=member.join_id,
        status=status,
        comment=comment,
        updated_at=now,
        sequence=meeting.sequence,
        stamped_at=now,
        version=old.version + 1 if old else 1,
    )
    return new.in_place_of(old)


def to_resource(rsvp: StoredRsvp) -> Rsvp:
    """Returns the answer as the members of the board see it."""
    updated_at = None if rsvp.status == "noAnswer" else rsvp.updated_at
    return Rsvp.model_validate({**vars(rsvp), "updated_at": updated_at})


def of_members(meeting_id: str, members: Sequence[Membership | RosterEntry], rsvps: Iterable[StoredRsvp]) -> list[Rsvp]:
    """Returns one answer for each member, in the members' order: `noAnswer` for one who has given none."""
    given = {(rsvp.user_id, rsvp.join_id): to_resource(rsvp) for rsvp in rsvps}
    return [given.get((member.user_id, member.join_id)) or _none(meeting_id, member) for member in members]


def _none(meeting_id: str, member: Membership | RosterEntry) -> Rsvp:
    return Rsvp(meeting_id=meeting_id, user_id=member.user_id, status="noAnswer", comment=None, updated_at=None)
