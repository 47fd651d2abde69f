"""The rules of slots and votes, as pure functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance import instants
from governance.domain.meetings import slot as slot_rules
from governance.ids import UserId, is_id
from governance.instants import Instant
from governance.models.boards.board import Membership, RosterEntry
from governance.models.meetings.slot import StoredVote
from governance.scopes import Tier
from tests.domain.samples import (
    FORBIDDEN,
    NOW,
    changed,
    conflict,
    just_before,
    later,
    meeting,
    membership,
    refusal,
    slot,
    vote,
)

LATER = later(days=1)
STATUSES = ["draft", "scheduled", "in_progress", "completed", "finalized"]


def member(user: str, join: str = "j") -> RosterEntry:
    return RosterEntry(UserId(user), join, Tier.GUEST)


moments = (
    st.datetimes().filter(lambda instant: instant.year >= 1970).map(lambda m: f"{m.isoformat('T', 'milliseconds')}Z")
)


@given(moments, moments)
def test_a_slots_id_begins_with_its_instant_and_two_instants_with_two_beginnings(one: str, other: str) -> None:
    first, second = slot_rules.new_id(instants.parse(one)), slot_rules.new_id(instants.parse(other))
    assert is_id(first)
    assert (first[:12] < second[:12]) == (instants.parse(one) < instants.parse(other))
    assert (first[:12] == second[:12]) == (instants.parse(one) == instants.parse(other))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("booked", [None, "s", "other"])
@pytest.mark.parametrize("start", [just_before(), NOW, LATER])
def test_every_state_decides_on_every_act(status: str, booked: str | None, start: str) -> None:
    state, past = meeting(status=status, booked_slot_id=booked), start < NOW
    expected = {
        "proposal": "MEETING_FINALIZED"
        if status == "finalized"
        else None
        if status in {"draft", "scheduled"}
        else "SLOT_VOTES_CLOSED",
        "vote": None if status in {"draft", "scheduled"} and booked is None and not past else "SLOT_VOTES_CLOSED",
        "removal": "MEETING_FINALIZED" if status == "finalized" else "SLOT_IS_PROMOTED" if booked == "s" else None,
        "booking": "MEETING_FINALIZED" if status == "finalized" else "SLOT_START_IN_PAST" if past else None,
    }
    acts: dict[str, Callable[[], object]] = {
        "proposal": lambda: slot_rules.check_proposal(state),
        "vote": lambda: slot_rules.check_vote(state, slot(start_time=start), NOW),
        "removal": lambda: slot_rules.check_removal(state, slot(start_time=start), [], membership()),
        "booking": lambda: slot_rules.booked(state, slot(start_time=start), NOW),
    }
    for name, act in acts.items():
        if (reason := expected[name]) is None:
            act()
        else:
            assert refusal(act) == conflict(reason)


def test_booking_moves_the_meeting_to_the_slot_in_its_zone_as_a_revision() -> None:
    new = slot_rules.booked(meeting(), slot(timezone="Asia/Tokyo", duration_in_minutes=90), NOW)
    assert changed(meeting(), new) == {
        "booked_slot_id": "s",
        "start_time": LATER,
        "end_time": later(LATER, minutes=90),
        "timezone": "Asia/Tokyo",
        "sequence": 1,
        "updated_at": NOW,
        "version": 2,
    }


def test_the_booked_slot_again_leaves_the_meeting_as_it_was() -> None:
    once = slot_rules.booked(meeting(), slot(), NOW)
    assert slot_rules.booked(once, slot(), LATER) is once


def test_a_vote_counts_for_its_slot_and_its_time_of_belonging_alone() -> None:
    votes = [
        vote(user_id="a", join_id="j", vote="cant", comment="no"),
        vote(user_id="b", join_id="earlier"),
        vote(user_id="c", join_id="j", slot_id="another"),
        vote(user_id="gone", join_id="j"),
        vote(email="z@example.org", arrived_at="2030-01-01T00:00:00.000Z"),
        vote(email="a@example.org", arrived_at="2030-01-02T00:00:00.000Z", vote="challenging"),
        vote(email="b@example.org", slot_id="another"),
    ]
    feedbacks = slot_rules.feedbacks(slot(), [member("a"), member("b"), member("c")], votes)
    assert [(entry.user_id, entry.email, entry.vote) for entry in feedbacks] == [
        ("a", None, "cant"),
        ("b", None, "didNotVote"),
        ("c", None, "didNotVote"),
        (None, "z@example.org", "ok"),
        (None, "a@example.org", "challenging"),
    ]
    assert slot_rules.tally(feedbacks) == {"ok": 1, "challenging": 1, "cant": 1}


people = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("jk")), unique_by=lambda pair: pair[0])
ballots = st.builds(
    lambda user, join, at, choice: vote(user_id=user, join_id=join, slot_id=at, vote=choice),
    st.sampled_from("abcdefgh"),
    st.sampled_from("jk"),
    st.sampled_from(["s", "t"]),
    st.sampled_from(["ok", "challenging", "cant"]),
)


@given(people, st.lists(ballots))
def test_every_current_member_is_there_once_in_the_order_of_joining(
    joined: list[tuple[str, str]], votes: list[StoredVote]
) -> None:
    feedbacks = slot_rules.feedbacks(slot(), [member(*pair) for pair in joined], votes)
    assert [entry.user_id for entry in feedbacks] == [user for user, _ in joined]
    for entry, (user, join) in zip(feedbacks, joined, strict=True):
        own = [v.vote for v in votes if (v.user_id, v.join_id, v.slot_id) == (user, join, "s")]
        assert entry.vote == (own[-1] if own else "didNotVote")


@pytest.mark.parametrize(
    ("members", "discarded_at", "counts"),
    [
        ({"email": "g@example.com", "arrived_at": NOW}, NOW, False),
        ({"email": "g@example.com", "arrived_at": later()}, NOW, True),
        ({"email": "g@example.com", "arrived_at": just_before()}, None, True),
        ({"user_id": "a", "join_id": "j", "arrived_at": just_before()}, NOW, True),
    ],
)
def test_a_guests_vote_that_is_cast_again_after_a_discard_counts(
    members: dict[str, Any], discarded_at: Instant | None, counts: bool
) -> None:
    cast, about = vote(**members), meeting(guest_votes_discarded_at=discarded_at)
    assert slot_rules.is_discarded(cast, discarded_at) != counts
    assert slot_rules.counted([cast], about) == [cast] * counts


def test_feedback_of_a_guest_names_the_address_and_that_of_a_member_the_comment() -> None:
    votes = [vote(user_id="a", join_id="j", comment="no"), vote(email="g@example.com", comment="yes", vote="cant")]
    mine, guests = slot_rules.feedbacks(slot(), [member("a")], votes)
    assert mine.model_dump() == {"userId": "a", "vote": "ok", "comment": "no", "email": None, "isGuest": False}
    assert guests.model_dump() == {
        "userId": None,
        "vote": "cant",
        "comment": "yes",
        "email": "g@example.com",
        "isGuest": True,
    }


def test_guests_who_vote_at_one_instant_are_in_the_order_of_their_addresses() -> None:
    votes = [vote(email=f"{name}@example.com") for name in "cab"]
    assert [entry.email for entry in slot_rules.feedbacks(slot(), [], votes)] == [
        f"{name}@example.com" for name in "abc"
    ]


@pytest.mark.parametrize(
    ("proposer", "member", "may"),
    [
        ("u", membership(user_id="u"), True),
        ("v", membership(user_id="u"), False),
        ("v", membership(user_id="u", access_type="manager"), True),
        ("v", None, False),
        (None, None, True),
        (None, membership(user_id="u"), False),
    ],
)
def test_a_slot_with_votes_of_others_is_removed_by_its_proposer_and_managers(
    proposer: str | None, member: Membership | None, may: bool
) -> None:
    proposed = slot(created_by_user_id=proposer)
    slot_rules.check_removal(meeting(), proposed, [], member)
    if may:
        slot_rules.check_removal(meeting(), proposed, [vote(user_id="w")], member)
    else:
        assert refusal(slot_rules.check_removal, meeting(), proposed, [vote(user_id="w")], member)[:2] == FORBIDDEN[:2]


def test_the_votes_of_others_are_those_of_members_but_the_proposer_and_of_guests() -> None:
    members = [RosterEntry(UserId("u"), "j", Tier.COLLABORATOR), RosterEntry(UserId("v"), "j2", Tier.COLLABORATOR)]
    own, earlier, other = (vote(user_id=user, join_id=join) for user, join in (("u", "j"), ("v", "j1"), ("v", "j2")))
    guest = vote(user_id=None, join_id=None, email="g@example.org")
    assert slot_rules.votes_of_others(slot(created_by_user_id="u"), members, [own, earlier, other, guest]) == [
        other,
        guest,
    ]
    assert slot_rules.voters(members, [own, earlier, other, guest]) == ("u", "v")
