"""The rules of slots and votes, as pure functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance import instants
from governance.domain.meetings import slot as rules
from governance.errors import ApiError
from governance.ids import UserId, is_id
from governance.instants import Instant
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.scopes import Tier

NOW = Instant("2030-01-01T12:00:00.000Z")
LATER = Instant("2030-01-02T12:00:00.000Z")
STATUSES = ["draft", "scheduled", "in_progress", "completed", "finalized"]


def meeting(status: str = "scheduled", booked: str | None = None) -> StoredMeeting:
    members = {"id": "m", "boardId": "b", "title": "t", "status": status, "bookedSlotId": booked, "creatorId": "u"}
    return StoredMeeting.model_validate({**members, "createdByUserId": "u", "createdAt": NOW, "updatedAt": NOW})


def slot(start: str = LATER, slot_id: str = "s", minutes: int = 60) -> StoredSlot:
    members = {"id": slot_id, "boardId": "b", "meetingId": "m", "createdByUserId": "u", "startTime": start}
    more = {"timezone": "UTC", "durationInMinutes": minutes, "createdAt": NOW, "updatedAt": NOW}
    return StoredSlot.model_validate({**members, **more})


def member(user: str, join: str = "j") -> RosterEntry:
    return RosterEntry(UserId(user), join, Tier.GUEST)


def vote(**members: Any) -> StoredVote:
    return StoredVote.model_validate({"slotId": "s", "vote": "ok", "comment": None, "arrivedAt": NOW, **members})


def reason(error: pytest.ExceptionInfo[ApiError]) -> Any:
    return error.value.details and error.value.details["reason"]


moments = (
    st.datetimes().filter(lambda instant: instant.year >= 1970).map(lambda m: f"{m.isoformat('T', 'milliseconds')}Z")
)


@given(moments, moments)
def test_a_slots_id_begins_with_its_instant_and_two_instants_with_two_beginnings(one: str, other: str) -> None:
    first, second = rules.new_id(instants.parse(one)), rules.new_id(instants.parse(other))
    assert is_id(first)
    assert (first[:12] < second[:12]) == (instants.parse(one) < instants.parse(other))
    assert (first[:12] == second[:12]) == (instants.parse(one) == instants.parse(other))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("booked", [None, "s", "other"])
@pytest.mark.parametrize("start", ["2030-01-01T11:59:59.999Z", NOW, LATER])
def test_every_state_decides_on_every_act(status: str, booked: str | None, start: str) -> None:
    state, past = meeting(status, booked), start < NOW
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
        "proposal": lambda: rules.check_proposal(state),
        "vote": lambda: rules.check_vote(state, slot(start), NOW),
        "removal": lambda: rules.check_removal(state, slot(start)),
        "booking": lambda: rules.booked(state, slot(start), NOW),
    }
    for name, act in acts.items():
        if expected[name] is None:
            act()
            continue
        with pytest.raises(ApiError) as error:
            act()
        assert reason(error) == expected[name]


def test_booking_moves_the_meeting_to_the_slot_and_nothing_else() -> None:
    old = meeting()
    new = rules.booked(old, slot(minutes=90), NOW)
    changed = {name for name in StoredMeeting.model_fields if getattr(old, name) != getattr(new, name)}
    assert changed == {"booked_slot_id", "start_time", "end_time", "timezone", "sequence", "version"}
    assert (new.start_time, new.end_time) == (LATER, "2030-01-02T13:30:00.000Z")


def test_the_booked_slot_again_leaves_the_meeting_as_it_was() -> None:
    once = rules.booked(meeting(), slot(), NOW)
    assert rules.booked(once, slot(), LATER) is once


def test_a_vote_counts_for_its_slot_and_its_time_of_belonging_alone() -> None:
    votes = [
        vote(userId="a", joinId="j", vote="cant", comment="no"),
        vote(userId="b", joinId="earlier"),
        vote(userId="c", joinId="j", slotId="another"),
        vote(userId="gone", joinId="j"),
        vote(email="z@example.org", arrivedAt="2030-01-01T00:00:00.000Z"),
        vote(email="a@example.org", arrivedAt="2030-01-02T00:00:00.000Z", vote="challenging"),
        vote(email="b@example.org", slotId="another"),
    ]
    found = rules.feedbacks(slot(), [member("a"), member("b"), member("c")], votes)
    assert [(entry.user_id, entry.email, entry.vote) for entry in found] == [
        ("a", None, "cant"),
        ("b", None, "didNotVote"),
        ("c", None, "didNotVote"),
        (None, "z@example.org", "ok"),
        (None, "a@example.org", "challenging"),
    ]
    assert rules.tally(found) == {"ok": 1, "challenging": 1, "cant": 1}


people = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("jk")), unique_by=lambda pair: pair[0])
ballots = st.builds(
    lambda user, join, at, choice: vote(userId=user, joinId=join, slotId=at, vote=choice),
    st.sampled_from("abcdefgh"),
    st.sampled_from("jk"),
    st.sampled_from(["s", "t"]),
    st.sampled_from(["ok", "challenging", "cant"]),
)


@given(people, st.lists(ballots))
def test_every_current_member_is_there_once_in_the_order_of_joining(
    joined: list[tuple[str, str]], votes: list[StoredVote]
) -> None:
    found = rules.feedbacks(slot(), [member(*pair) for pair in joined], votes)
    assert [entry.user_id for entry in found] == [user for user, _ in joined]
    for entry, (user, join) in zip(found, joined, strict=True):
        own = [v.vote for v in votes if (v.user_id, v.join_id, v.slot_id) == (user, join, "s")]
        assert entry.vote == (own[-1] if own else "didNotVote")


def test_a_slot_is_open_at_the_instant_of_its_start_and_not_a_millisecond_later() -> None:
    rules.check_vote(meeting(), slot(NOW), NOW)
    with pytest.raises(ApiError):
        rules.check_vote(meeting(), slot(NOW), Instant("2030-01-01T12:00:00.001Z"))
    with pytest.raises(ApiError):
        rules.booked(meeting(), slot(NOW), Instant("2030-01-01T12:00:00.001Z"))


def test_a_booking_has_the_zone_of_its_slot_and_is_a_revision() -> None:
    new = rules.booked(meeting(), slot().model_copy(update={"timezone": "Asia/Tokyo"}), LATER)
    assert (new.timezone, new.booked_slot_id, new.sequence, new.version, new.updated_at) == (
        "Asia/Tokyo",
        "s",
        1,
        2,
        LATER,
    )


BEFORE, AFTER = "2030-01-01T11:59:59.999Z", "2030-01-01T12:00:00.001Z"


@pytest.mark.parametrize(
    ("members", "discarded_at", "counts"),
    [
        ({"email": "g@example.com", "arrivedAt": BEFORE}, NOW, False),
        ({"email": "g@example.com", "arrivedAt": NOW}, NOW, False),
        ({"email": "g@example.com", "arrivedAt": AFTER}, NOW, True),
        ({"email": "g@example.com", "arrivedAt": BEFORE}, None, True),
        ({"userId": "a", "joinId": "j", "arrivedAt": BEFORE}, NOW, True),
    ],
)
def test_a_guests_vote_that_is_cast_again_after_a_discard_counts(
    members: dict[str, Any], discarded_at: Instant | None, counts: bool
) -> None:
    cast, about = vote(**members), meeting().model_copy(update={"guest_votes_discarded_at": discarded_at})
    assert rules.is_discarded(cast, discarded_at) != counts
    assert rules.counted([cast], about) == [cast] * counts


def test_feedback_of_a_guest_names_the_address_and_that_of_a_member_the_comment() -> None:
    votes = [vote(userId="a", joinId="j", comment="no"), vote(email="g@example.com", comment="yes", vote="cant")]
    mine, guests = rules.feedbacks(slot(), [member("a")], votes)
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
    assert [entry.email for entry in rules.feedbacks(slot(), [], votes)] == [f"{name}@example.com" for name in "abc"]


def test_a_slot_is_shown_with_its_own_members_and_its_feedback() -> None:
    shown = rules.to_resource(slot(), [member("a")], [vote(userId="a", joinId="j")])
    assert (shown.id, shown.start_time, shown.duration_in_minutes, shown.created_by_user_id) == ("s", LATER, 60, "u")
    assert [(entry.user_id, entry.vote) for entry in shown.feedbacks] == [("a", "ok")]


def test_a_tally_counts_every_answer_and_no_silence() -> None:
    votes = [vote(email=f"{number}@example.com", vote=choice) for number, choice in enumerate(("ok", "ok", "cant"))]
    entries = rules.feedbacks(slot(), [member("a")], votes)
    assert rules.tally(entries) == {"ok": 2, "challenging": 0, "cant": 1}
    assert rules.tally([]) == {"ok": 0, "challenging": 0, "cant": 0}
