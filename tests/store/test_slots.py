"""Slots and members' votes in the store."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, Code
from governance.instants import shift
from governance.store.meetings import slots
from governance.store.schema.entities import MEMBER_VOTE
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store.stored_items import BOARD, MEETING, NOW, ONE, SLOT, SLOT_AT, USER, vote

KEY = MEMBER_VOTE.key_for(boardId=BOARD, meetingId=MEETING, slotId=SLOT, userId=USER)


@pytest.mark.usefixtures("store")
def test_the_comment_of_a_vote_is_deleted_and_the_vote_stays() -> None:
    cast = vote(user_id=USER, join_id=ONE).model_copy(update={"comment": "On a train"})
    transact([slots.put_vote(SLOT_AT, cast)])
    transact([slots.delete_comment(KEY)])
    assert read_one(KEY) == {**KEY.attributes, **cast.model_copy(update={"comment": None}).item()}


@pytest.mark.usefixtures("store")
def test_deleting_the_comment_of_a_vote_that_was_deleted_brings_no_row_back() -> None:
    with pytest.raises(StaleRead):
        transact([slots.delete_comment(KEY)])
    assert read_one(KEY) is None


@pytest.mark.usefixtures("store")
def test_a_meeting_has_slots_from_its_first_to_its_last() -> None:
    assert not slots.has_slots(BOARD, MEETING)
    transact(slots.create(SLOT_AT))
    assert slots.has_slots(BOARD, MEETING)
    assert slots.list_of_meeting(BOARD, MEETING).slots == [SLOT_AT]
    transact(slots.delete(SLOT_AT, NOW))
    assert not slots.has_slots(BOARD, MEETING)


@pytest.mark.usefixtures("store")
def test_ids_that_are_malformed_name_no_slots_and_no_votes() -> None:
    assert slots.list_of_meeting(BOARD, "x") == slots.SlotsAndVotes([], [])
    assert slots.votes_on(BOARD, MEETING, "x") == []


@pytest.mark.usefixtures("store")
def test_the_open_slots_of_a_board_are_those_that_start_at_an_instant_or_later() -> None:
    transact(slots.create(SLOT_AT))
    assert [each.id for each in slots.list_open(BOARD, NOW, 5)] == [SLOT]
    assert slots.list_open(BOARD, shift(NOW, seconds=1), 5) == []


@pytest.mark.usefixtures("store")
def test_a_start_is_proposed_once_and_a_slot_that_is_gone_meanwhile_is_proposed_again() -> None:
    transact(slots.create(SLOT_AT))
    with pytest.raises(ApiError) as refusal:
        transact(slots.create(SLOT_AT.model_copy(update={"id": SLOT[:12] + "3" * 12})))
    assert (refusal.value.code, refusal.value.details) == (Code.CONFLICT, {"slotId": SLOT})
    assert isinstance(slots._already_proposed(None), StaleRead)
