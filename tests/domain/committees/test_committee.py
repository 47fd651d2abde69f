"""The rules of committees: who may be a member, how many committees one member is in, deletion."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.committees import committee as committee_rules
from governance.ids import MembershipId, UserId
from governance.limits import MEMBER_COMMITTEES
from governance.models.boards.board import Seats
from governance.models.committees.committee import StoredCommittee
from tests.domain.samples import BOARD, NOW, conflict, refusal

ANN, BEN, CLEO = UserId("ann"), UserId("ben"), UserId("cleo")


def seats(version: int = 3, **of: tuple[str, ...]) -> Seats:
    return Seats(committee_ids={UserId(name): committees for name, committees in of.items()}, version=version)


def test_every_member_of_a_committee_is_one_of_the_board() -> None:
    known = [MembershipId("a"), MembershipId("b")]
    committee_rules.check_members(known, known)
    committee_rules.check_members([], known)
    words = "must be the membership id of a current member of the board"
    fields = {"fields": {"memberIds.0": words, "memberIds.2": words}}
    ids = [MembershipId(name) for name in ("x", "a", "y")]
    assert refusal(committee_rules.check_members, ids, known) == (400, "INVALID_REQUEST_BODY", fields)


@pytest.mark.parametrize("documents", [0, 1, 2])
def test_a_committee_with_documents_is_not_deleted(documents: int) -> None:
    made: dict[str, Any] = {"created_at": NOW, "updated_at": NOW}
    committee = StoredCommittee(id="k", board_id=BOARD, name="K", member_ids=(), documents=documents, **made)
    if documents:
        assert refusal(committee_rules.check_empty, committee) == conflict("COMMITTEE_IN_USE")
    else:
        committee_rules.check_empty(committee)


def test_seats_change_for_those_who_leave_and_join_and_nobody_else() -> None:
    old = seats(ann=("k", "l"), ben=("l",), cleo=("k",))
    assert committee_rules.changed_seats(old, "k", [ANN, CLEO], [BEN]) == seats(4, ann=("l",), ben=("l", "k"))


def test_a_member_is_in_fifty_committees_at_most() -> None:
    full = tuple(str(number) for number in range(MEMBER_COMMITTEES))
    joined = committee_rules.changed_seats(seats(ann=full[:-1]), "k", [], [ANN])
    assert len(joined.of(ANN)) == MEMBER_COMMITTEES
    assert refusal(committee_rules.changed_seats, seats(ann=full), "k", [], [ANN]) == conflict("LIMIT_REACHED")
    assert refusal(committee_rules.changed_seats, seats(ann=full), "k", [], [BEN, ANN]) == conflict("LIMIT_REACHED")
    assert committee_rules.changed_seats(seats(ann=full), "0", [ANN], [BEN]).of(BEN) == ("0",)


def test_a_member_who_leaves_the_board_has_no_seat_and_the_row_changes_in_any_case() -> None:
    assert committee_rules.without_member(seats(ann=("k",), ben=("k",)), ANN) == seats(4, ben=("k",))
    assert committee_rules.without_member(seats(ben=("k",)), ANN) == seats(4, ben=("k",))
