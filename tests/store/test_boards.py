"""Boards and memberships: what is read of a user's boards, and what a deletion does to those who still write."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, not_found
from governance.ids import BoardId
from governance.store.boards import boards
from governance.store.transactions import transact
from tests.store.stored_items import BOARD, MEMBERSHIP, NOW, USER, board

OTHER = BoardId("9" * 24)


@pytest.mark.usefixtures("store")
def test_the_boards_of_a_user_are_those_that_exist_and_have_the_user_as_a_member() -> None:
    without_member = board().model_copy(update={"id": OTHER})
    without_board = MEMBERSHIP.model_copy(update={"board_id": BoardId("8" * 24)})
    transact([boards.create(board()), *boards.add_member(board(), MEMBERSHIP)])
    transact([boards.create(without_member)])
    transact(boards.add_member(board().model_copy(update={"id": without_board.board_id}), without_board))
    assert boards.boards_of(USER, [OTHER, without_board.board_id, BOARD]) == [(board(), MEMBERSHIP)]


@pytest.mark.usefixtures("store")
def test_a_write_on_a_board_that_is_deleted_meanwhile_ends_as_if_it_had_never_existed() -> None:
    transact([boards.create(board())])
    transact([boards.check_exists(BOARD)])
    transact(boards.delete(board(), NOW))
    with pytest.raises(ApiError) as failure:
        transact([boards.check_exists(BOARD)])
    assert failure.value.code is not_found().code
