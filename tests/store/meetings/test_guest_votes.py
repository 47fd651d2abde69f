"""Guests' votes in the store: what their counts count, and which change meanwhile lets a write fail."""

from __future__ import annotations

from itertools import chain

import pytest

from governance.ids import BoardId, new_id
from governance.instants import Instant, shift
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.store.meetings import guest_votes, slots
from governance.store.schema.entities import (
    MEETING_GUEST_VOTE_COUNT,
    SLOT_GUEST_VOTE_COUNT,
)
from governance.store.schema.keys import Key, key_of
from governance.store.table import read, read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.domain import samples
from tests.harness.counts import count

pytestmark = pytest.mark.usefixtures("store")
BOARD, MEETING = BoardId(new_id()), new_id()
NOW = Instant("2040-05-01T12:00:00.000Z")
EMAIL = "gwen@example.org"


def proposed(meeting_id: str = MEETING, board_id: BoardId = BOARD) -> StoredSlot:
    return samples.slot(id=new_id(), board_id=board_id, meeting_id=meeting_id, created_by_user_id=new_id())


def cast(slot: StoredSlot, email: str = EMAIL, arrived_at: Instant = NOW) -> StoredVote:
    vote = samples.vote(slot_id=slot.id, email=email, arrived_at=arrived_at, recorded_at=arrived_at)
    transact(guest_votes.add(slot, vote))
    return vote


def key_of_vote(slot: StoredSlot) -> Key:
    """Returns the key of the only vote on a slot."""
    (row,) = guest_votes.rows_of_slot(slot.board_id, slot.meeting_id, slot.id)
    return key_of(row)


def count_key(slot: StoredSlot) -> Key:
    return SLOT_GUEST_VOTE_COUNT.key_for(boardId=slot.board_id, meetingId=slot.meeting_id, slotId=slot.id)


def meeting_key(slot: StoredSlot) -> Key:
    return MEETING_GUEST_VOTE_COUNT.key_for(boardId=slot.board_id, meetingId=slot.meeting_id)


def counts(slot: StoredSlot) -> tuple[int, int]:
    return count(count_key(slot)), count(meeting_key(slot))


def remove(slot: StoredSlot) -> None:
    """Stops counting the votes on a slot, as its deletion does."""
    transact(guest_votes.stop_counting(slot, read_one(count_key(slot))))


def delete_until(until: Instant) -> None:
    for writes in guest_votes.delete_until(BOARD, MEETING, until):
        transact(writes)


def test_a_later_vote_replaces_only_the_vote_that_was_read_on_a_slot_that_is_there() -> None:
    slot = proposed()
    old = cast(slot)
    new = old.model_copy(update={"vote": "cant", "recorded_at": shift(NOW, hours=2)})
    transact(guest_votes.replace(slot, old, new))
    assert guest_votes.find(slot, EMAIL) == new
    with pytest.raises(StaleRead):
        transact(guest_votes.replace(slot, old, old))
    transact(slots.create(slot))
    transact(slots.delete(slot, {}, NOW))
    for writes in (guest_votes.replace(slot, new, old), guest_votes.add(slot, samples.vote(email="other@example.org"))):
        with pytest.raises(StaleRead):
            transact(writes)
    assert guest_votes.list_of_slot(BOARD, MEETING, slot.id) == [new]


def test_a_vote_that_is_deleted_is_taken_off_the_counts_of_its_slot_and_meeting_once() -> None:
    slot, other = proposed(), proposed()
    cast(other)
    vote = cast(slot)
    assert counts(slot) == (1, 2)
    transact(guest_votes.withdraw(slot, vote))
    assert (counts(slot), guest_votes.find(slot, EMAIL)) == ((0, 1), None)
    with pytest.raises(StaleRead):
        transact(guest_votes.withdraw(slot, vote))
    assert counts(slot) == (0, 1)


def test_a_vote_on_a_deleted_slot_is_deleted_and_no_longer_counted() -> None:
    slot, other = proposed(), proposed()
    cast(other)
    cast(slot)
    key = key_of_vote(slot)
    before = guest_votes.delete(key)
    remove(slot)
    assert (read_one(count_key(slot)), count(meeting_key(slot))) == (None, 1)
    with pytest.raises(StaleRead):
        transact(before)
    transact(guest_votes.delete(key))
    assert (read_one(key), read_one(count_key(slot)), count(meeting_key(slot))) == (None, None, 1)


def test_the_votes_on_a_deleted_slot_are_taken_off_only_as_they_were_counted() -> None:
    slot = proposed()
    none = guest_votes.stop_counting(slot, None)
    cast(slot)
    one = guest_votes.stop_counting(slot, read_one(count_key(slot)))
    cast(slot, "hal@example.org")
    for writes in (none, one):
        with pytest.raises(StaleRead):
            transact(writes)
    assert counts(slot) == (2, 2)
    remove(slot)
    assert (read_one(count_key(slot)), count(meeting_key(slot))) == (None, 0)
    remove(slot)


def test_votes_are_discarded_up_to_an_instant_and_those_on_deleted_slots_are_left() -> None:
    slot, deleted = proposed(), proposed()
    cast(slot, "early@example.org", shift(NOW, seconds=-1))
    cast(slot, "then@example.org", NOW)
    later = cast(slot, "late@example.org", shift(NOW, seconds=1))
    left = cast(deleted)
    remove(deleted)
    delete_until(NOW)
    assert guest_votes.list_of_slot(BOARD, MEETING, slot.id) == [later]
    assert guest_votes.list_of_slot(BOARD, MEETING, deleted.id) == [left]
    assert (counts(slot), read_one(count_key(deleted))) == ((1, 1), None)


def test_a_vote_that_changed_or_whose_slot_is_gone_is_not_discarded() -> None:
    slot = proposed()
    old = cast(slot)
    (writes,) = guest_votes.delete_until(BOARD, MEETING, NOW)
    transact(guest_votes.replace(slot, old, old.model_copy(update={"arrived_at": shift(NOW, hours=1)})))
    with pytest.raises(StaleRead):
        transact(writes)
    (writes,) = guest_votes.delete_until(BOARD, MEETING, shift(NOW, hours=1))
    remove(slot)
    with pytest.raises(StaleRead):
        transact(writes)
    assert read_one(key_of_vote(slot)) is not None


def test_the_rows_of_a_slot_a_meeting_and_a_board_are_their_own() -> None:
    slot, sibling, elsewhere, foreign = proposed(), proposed(), proposed(new_id()), proposed(MEETING, BoardId(new_id()))
    for vote in (slot, sibling, elsewhere, foreign):
        cast(vote)
    votes = {vote.id: key_of_vote(vote) for vote in (slot, sibling, elsewhere, foreign)}
    of_meeting = {votes[slot.id], votes[sibling.id], count_key(slot), count_key(sibling), meeting_key(slot)}
    assert {key_of(row) for row in guest_votes.rows_of_meeting(BOARD, MEETING)} == of_meeting
    assert {key_of(row) for row in guest_votes.rows_of_board(BOARD)} == {
        *of_meeting,
        *(votes[elsewhere.id], count_key(elsewhere), meeting_key(elsewhere)),
    }
    rows = chain(guest_votes.rows_of_slot(BOARD, MEETING, slot.id), guest_votes.rows_of_board(foreign.board_id))
    assert all({*row} == {"PK", "SK"} for row in rows)
    assert read([votes[slot.id]])
