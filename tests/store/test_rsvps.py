"""The answers of one user, found among those of a board."""

from __future__ import annotations

import pytest

from governance.ids import BoardId, UserId, new_id
from governance.models.meetings.rsvp import StoredRsvp
from governance.store.meetings import rsvps
from governance.store.transactions import transact
from tests.domain import samples

BOARD, ANN = BoardId(new_id()), UserId(new_id())
FIRST, SECOND, THIRD = (new_id() for _ in range(3))


def answer(meeting_id: str, board_id: BoardId = BOARD, user_id: UserId = ANN) -> StoredRsvp:
    made = samples.rsvp(board_id=board_id, meeting_id=meeting_id, user_id=user_id)
    transact([rsvps.put(None, made)])
    return made


@pytest.mark.usefixtures("store")
def test_a_user_s_answers_to_some_meetings_are_found_and_no_others() -> None:
    of_first, of_second = answer(FIRST), answer(SECOND)
    answer(THIRD, user_id=UserId(new_id()))
    answer(THIRD, board_id=BoardId(new_id()))
    assert rsvps.of_user(BOARD, ANN, [SECOND, THIRD, FIRST]) == [of_second, of_first]
    assert rsvps.of_user(BOARD, ANN, []) == []


@pytest.mark.usefixtures("store")
def test_a_malformed_id_of_a_meeting_has_no_answers() -> None:
    of_first = answer(FIRST)
    assert rsvps.list_of_meeting(BOARD, FIRST) == [of_first]
    assert rsvps.list_of_meeting(BOARD, "malformed") == []
