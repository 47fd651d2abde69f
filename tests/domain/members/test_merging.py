"""The rules of a merge: how what names a person without an account names a member instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.action_items.unregistered_assignee import assigned_to
from governance.domain.members import merging as merging_rules
from governance.ids import PersonId, UserId, membership_id
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.minutes import StoredAttendance, StoredMinutes
from governance.models.meetings.rsvp import RsvpStatus, StoredUnregisteredRsvp
from governance.models.members.unregistered_user import Moved, StoredMerge
from tests.domain.samples import (
    BOARD,
    NOW,
    THEN,
    action_item,
    agenda,
    changed,
    conflict,
    just_before,
    later,
    membership,
    minutes,
    person,
    refusal,
    rsvp,
    user,
    vote,
)

ANNA, OTHER = PersonId("a" * 24), PersonId("e" * 24)
ANN = UserId("1" * 24)
MEMBER = membership(id=membership_id(BOARD, ANN), user_id=ANN, join_id="j")
DUE = later(NOW, minutes=1)
MERGE = StoredMerge(user_id=ANN, join_id="j", actor_user_id=None, due_at=DUE, status_before="active")


@pytest.mark.parametrize("status", ["active", "archived"])
def test_a_merge_that_begins_says_into_whom_by_whom_and_how_the_person_was_before(status: Any) -> None:
    old = person(status=status, version=3)
    new = merging_rules.begun(old, MEMBER, UserId("m"), DUE, NOW)
    merge = StoredMerge(user_id=ANN, join_id="j", actor_user_id=UserId("m"), due_at=DUE, status_before=status)
    assert changed(old, new) == {
        "status": "merged",
        "merge": merge,
        "merged_into_member_id": MEMBER.id,
        "merged_into_join_id": "j",
        "updated_at": NOW,
        "version": 4,
    }
    assert merging_rules.begun(old, MEMBER, None, DUE, NOW).merge == merge.model_copy(update={"actor_user_id": None})


def test_who_was_merged_or_scrubbed_is_merged_no_more() -> None:
    assert refusal(merging_rules.begun, person(status="merged"), MEMBER, None, DUE, NOW) == conflict("MERGED")
    scrubbed = person(status="archived", scrubbed_at=THEN)
    assert refusal(merging_rules.begun, scrubbed, MEMBER, None, DUE, NOW) == conflict("SCRUBBED")


@pytest.mark.parametrize("status", ["active", "archived"])
def test_a_merge_that_is_taken_back_leaves_the_person_as_they_were(status: str) -> None:
    old = person(status=status)
    begun = merging_rules.begun(old, MEMBER, None, DUE, NOW)
    assert begun.merge is not None
    assert changed(old, merging_rules.taken_back(begun, begun.merge)) == {"updated_at": NOW, "version": 3}


@given(st.lists(st.tuples(st.none() | st.sampled_from(sorted(Moved.model_fields)), st.integers(0, 9))))
def test_a_merge_counts_what_has_moved_by_kind_and_what_it_drops_not_at_all(steps: list[tuple[str, int]]) -> None:
    of = person(status="merged", merge=MERGE, updated_at=NOW)
    for kind, number in steps:
        merge = of.merge
        assert merge is not None
        of = merging_rules.advanced(of, merge, kind, number)
    expected = {name: sum(number for kind, number in steps if kind == name) for name in Moved.model_fields}
    assert of.merge == MERGE.model_copy(update={"moved": Moved(**expected)})
    assert (of.version, of.updated_at) == (1 + len(steps), NOW)


def test_a_finished_merge_leaves_the_person_merged_with_the_link_to_their_member() -> None:
    begun = merging_rules.begun(person(), MEMBER, None, DUE, NOW)
    assert changed(begun, merging_rules.finished(begun)) == {"merge": None, "version": 3}


def test_only_a_merge_into_this_member_that_is_not_complete_is_one() -> None:
    begun = merging_rules.begun(person(), MEMBER, None, DUE, NOW)
    assert merging_rules.is_merge_into(begun, MEMBER)
    assert not merging_rules.is_merge_into(begun, membership(id=membership_id(BOARD, UserId("2" * 24))))
    assert not merging_rules.is_merge_into(merging_rules.finished(begun), MEMBER)
    assert not merging_rules.is_merge_into(person(), MEMBER)


def test_the_member_presents_what_the_person_presented_and_nothing_else_changes() -> None:
    theirs = StoredAgendaItem(id="1", title="A", presenter_unregistered_user_id=ANNA, presenter_name="Anna", notes="N")
    others = (
        StoredAgendaItem(id="2", title="B", presenter_unregistered_user_id=OTHER),
        StoredAgendaItem(id="3", title="C", presenter_name="Bob"),
    )
    old = agenda(theirs, *others, theirs, version=4)
    new, number = merging_rules.agenda_of_member(old, ANNA, ANN, NOW)
    moved = theirs.model_copy(
        update={"presenter_user_id": ANN, "presenter_unregistered_user_id": None, "presenter_name": None}
    )
    assert number == 2
    assert changed(old, new) == {"items": (moved, *others, moved), "updated_at": NOW, "version": 5}
    assert merging_rules.agenda_of_member(agenda(*others), ANNA, ANN, NOW)[1] == 0


NAMES = st.sampled_from([{"user_id": ANN}, {"unregistered_user_id": ANNA}, {"unregistered_user_id": OTHER}])
ENTRIES = st.lists(
    st.builds(
        lambda who, present: StoredAttendance(**who, present=present), NAMES, st.sampled_from(["in_person", "absent"])
    ),
    max_size=4,
    unique_by=lambda entry: (entry.user_id, entry.unregistered_user_id),
).map(tuple)


@given(ENTRIES)
def test_in_the_minutes_the_member_has_one_entry_their_own_before_the_persons(
    entries: tuple[StoredAttendance, ...],
) -> None:
    old = minutes(attendance=entries, status="final", version=4)
    new, number = merging_rules.minutes_of_member(old, ANNA, ANN, NOW)
    own = [entry for entry in entries if entry.user_id == ANN]
    theirs = [entry for entry in entries if entry.unregistered_user_id == ANNA]
    assert merging_rules.both_attend(old, ANNA, ANN) == bool(own and theirs)
    assert number == (0 if own else len(theirs))
    assert [entry.present for entry in new.attendance if entry.user_id == ANN] == [
        entry.present for entry in own or theirs
    ]
    assert [entry for entry in new.attendance if entry.user_id != ANN] == [
        entry for entry in entries if entry.unregistered_user_id == OTHER
    ]
    assert (new.status, new.updated_at, new.version) == ("final", NOW, 5)


def test_an_entry_that_becomes_the_members_keeps_its_place() -> None:
    entries = [
        StoredAttendance(unregistered_user_id=id_, name="Anna", present="remote")
        for id_ in (OTHER, ANNA, PersonId("f" * 24))
    ]
    old: StoredMinutes = minutes(attendance=tuple(entries))
    new, _ = merging_rules.minutes_of_member(old, ANNA, ANN, NOW)
    assert new.attendance == (entries[0], StoredAttendance(user_id=ANN, present="remote"), entries[2])


def test_an_action_item_is_the_members() -> None:
    old = action_item(assignee_name="Anna Berg", version=4)
    old = old.model_copy(update={"unregistered_assignee": assigned_to(old, ANNA, THEN)})
    assert changed(old, merging_rules.item_of_member(old, ANN, NOW)) == {
        "assignee_user_id": ANN,
        "assignee_name": None,
        "unregistered_assignee": None,
        "updated_at": NOW,
        "version": 5,
    }


GUESTS = vote(email="anna@example.com", vote="challenging", comment="Late", recorded_at=THEN)


@pytest.mark.parametrize(("join_id", "stays"), [("j", True), ("earlier", False), (None, False)])
def test_a_guests_vote_becomes_the_members_unless_they_have_one_of_this_membership(
    join_id: str | None, stays: bool
) -> None:
    old = vote(user_id=ANN, join_id=join_id) if join_id else None
    given = merging_rules.vote_of_member(GUESTS, old, MERGE, user())
    if stays:
        assert given is None
    else:
        assert given is not None
        own = {"user_id": ANN, "join_id": "j", "email": None, "recorded_at": None}
        assert changed(GUESTS, given) == own


def answer(status: RsvpStatus = "accepted", **members: Any) -> StoredUnregisteredRsvp:
    usual = {"board_id": BOARD, "meeting_id": "m", "unregistered_user_id": ANNA, "status": status, "comment": "Yes"}
    return StoredUnregisteredRsvp.model_validate({**usual, "updated_at": NOW, "stamped_at": THEN, **members})


def test_an_answer_becomes_the_members_as_it_was_given() -> None:
    given = merging_rules.answer_of_member(answer(sequence=6), None, MERGE, user())
    assert given == rsvp(user_id=ANN, join_id="j", comment="Yes", updated_at=NOW, sequence=6, stamped_at=THEN)


@pytest.mark.parametrize(
    ("given_by_person", "own", "moves"),
    [
        (answer("noAnswer"), None, False),
        (answer("noAnswer"), {"updated_at": THEN}, False),
        (answer(), {"updated_at": just_before(NOW)}, True),
        (answer(), {"updated_at": NOW}, False),
        (answer(), {"updated_at": later()}, False),
        (answer(), {"updated_at": later(), "status": "noAnswer"}, True),
        (answer(), {"updated_at": later(), "join_id": "earlier"}, True),
    ],
)
def test_the_newer_answer_of_the_two_stays_and_no_answer_is_none(
    given_by_person: StoredUnregisteredRsvp, own: dict[str, Any] | None, moves: bool
) -> None:
    old = rsvp(**{"user_id": ANN, "version": 4, "x-newer": 1, **own}) if own else None
    given = merging_rules.answer_of_member(given_by_person, old, MERGE, user())
    assert (given is not None) is moves
    if given is not None:
        assert (given.status, given.join_id, given.version, given.item()["x-newer"]) == ("accepted", "j", 5, 1)


@pytest.mark.parametrize(("account", "comment"), [(user(), True), (user(purged=True), False), (None, False)])
def test_a_purged_member_has_no_comments(account: Any, comment: bool) -> None:
    cast, given_by = (
        merging_rules.vote_of_member(GUESTS, None, MERGE, account),
        merging_rules.answer_of_member(answer(), None, MERGE, account),
    )
    assert cast is not None
    assert given_by is not None
    assert (cast.comment, given_by.comment) == (("Late", "Yes") if comment else (None, None))
