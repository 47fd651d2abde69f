"""The rules of committees (ADR boards)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.ids import MembershipId, UserId
from governance.limits import MEMBER_COMMITTEES
from governance.models.boards.board import Seats
from governance.models.committees.committee import StoredCommittee


def check_members(member_ids: Iterable[MembershipId], known: Collection[MembershipId]) -> None:
    """Raises 400 unless each id is the membership id of a current member."""
    errors = {
        f"memberIds.{index}": "must be the membership id of a current member of the board"
        for index, member_id in enumerate(member_ids)
        if member_id not in known
    }
    if errors:
        raise invalid_body(errors)


def check_seats(committee: StoredCommittee, after: Collection[MembershipId], caller: MembershipId) -> None:
    """Raises 403 for callers who add themselves to a committee with others' documents; another admin may add them.

    Raises 409 `COMMITTEE_IN_USE` if a committee with documents would be left without members.
    """
    if committee.documents == 0:
        return
    if not after:
        raise conflict(Reason.COMMITTEE_IN_USE)
    if caller in after and committee.member_ids and caller not in committee.member_ids:
        raise forbidden("Ask another admin of the board to give you a seat in a committee that has documents.")


def check_empty(committee: StoredCommittee) -> None:
    """Raises 409 `COMMITTEE_IN_USE` for a committee that has documents: it cannot be deleted."""
    if committee.documents > 0:
        raise conflict(Reason.COMMITTEE_IN_USE)


def changed_seats(seats: Seats, committee_id: str, leaving: Collection[UserId], joining: Collection[UserId]) -> Seats:
    """Returns the row after some of its users have left a committee and others have joined it.

    Raises 409 `LIMIT_REACHED` for a user who would be in more than `MEMBER_COMMITTEES` committees.
    """
    if any(len(seats.of(user_id)) >= MEMBER_COMMITTEES for user_id in joining):
        raise conflict(Reason.LIMIT_REACHED)
    changes = {user_id: tuple(known for known in seats.of(user_id) if known != committee_id) for user_id in leaving}
    changes |= {user_id: (*seats.of(user_id), committee_id) for user_id in joining}
    return _with(seats, changes)


def without_member(seats: Seats, user_id: UserId) -> Seats:
    """Returns the row after a member has left the board; it changes also if the member was in no committee.

    A simultaneous change of seats then fails and is decided again.
    """
    return _with(seats, {user_id: ()})


def _with(seats: Seats, changes: dict[UserId, tuple[str, ...]]) -> Seats:
    merged = {**seats.committee_ids, **changes}
    seated = {user_id: committee_ids for user_id, committee_ids in merged.items() if committee_ids}
    return Seats(committee_ids=seated, version=seats.version + 1)
