"""Members' votes in the store."""

from __future__ import annotations

import pytest

from governance.store import slots
from governance.store.schema.entities import MEMBER_VOTE
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store.stored_items import BOARD, MEETING, ONE, SLOT, SLOT_AT, USER, vote

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
