"""The rules of committees (ADR 0051)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from governance.errors import Reason, conflict, invalid_body
from governance.ids import MembershipId
from governance.limits import MEMBER_COMMITTEES, SEATS_PER_CHANGE
from governance.models.board import Membership
from governance.models.committee import StoredCommittee


def check_members(member_ids: Iterable[MembershipId], known: Collection[MembershipId]) -> None:
    """Raises 400 unless each id is the membership id of a current member."""
    faults = {
        f"memberIds.{index}": "must be the membership id of a current member of the board"
        for index, member_id in enumerate(member_ids)
        if member_id not in known
    }
    if faults:
        raise invalid_body(faults)


def check_number_of_changes(changed: Collection[str]) -> None:
    """Raises 400 for more changed seats than one transaction can write together with an audit entry for each."""
    if len(changed) > SEATS_PER_CHANGE:
        raise invalid_body(
            {"memberIds": f"must change at most {SEATS_PER_CHANGE} seats at once; change the others in another request"}
        )


def check_empty(committee: StoredCommittee) -> None:
    """Raises 409 `COMMITTEE_IN_USE` for a committee that has documents: it cannot be deleted."""
    if committee.documents > 0:
        raise conflict(Reason.COMMITTEE_IN_USE)


def changed_seats(
    committee_id: str,
    before: Collection[MembershipId],
    after: Collection[MembershipId],
    members: Mapping[MembershipId, Membership],
) -> list[tuple[Membership, Membership]]:
    """Returns each membership that a change of the committee's members touches, before and after the change.

    `before` and `after` are membership ids. Raises 409 `LIMIT_REACHED` for a member who would be in more than
    `MEMBER_COMMITTEES` committees.
    """
    leaving = [
        (members[member_id], _without(members[member_id], committee_id))
        for member_id in before
        if member_id not in after and member_id in members
    ]
    joining = [
        (members[member_id], _with(members[member_id], committee_id)) for member_id in after if member_id not in before
    ]
    return leaving + joining


def _without(member: Membership, committee_id: str) -> Membership:
    rest = tuple(known for known in member.committee_ids if known != committee_id)
    return member.model_copy(update={"committee_ids": rest, "version": member.version + 1})


def _with(member: Membership, committee_id: str) -> Membership:
    if len(member.committee_ids) >= MEMBER_COMMITTEES:
        raise conflict(Reason.LIMIT_REACHED)
    return member.model_copy(
        update={"committee_ids": (*member.committee_ids, committee_id), "version": member.version + 1}
    )
