"""Boards, memberships, and the rows of a board in its members' lists."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, not_found
from governance.ids import BoardId, UserId
from governance.limits import TRANSACTION_WRITES
from governance.models.boards.board import RosterEntry
from governance.scopes import Tier
from governance.store.boards import board_lists, boards
from governance.store.transactions import transact
from tests.store.stored_items import BOARD, MEMBERSHIP, NOW, ONE, USER, board

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


OTHER_WRITES = 15
"""What the rows leave free for the other writes of a change."""


def roster(number: int) -> list[RosterEntry]:
    return [RosterEntry(UserId(f"{index:024x}"), ONE, Tier.GUEST) for index in range(number)]


def test_the_rows_of_all_members_move_with_a_change_or_only_the_callers() -> None:
    caller = roster(1)[0].user_id
    moved = [len(board_lists.move(board(), roster(number), caller)) for number in range(1, 2 * TRANSACTION_WRITES)]
    together = max(moved)
    assert moved == [*range(1, together + 1), *[1] * (len(moved) - together)]
    assert together + OTHER_WRITES <= TRANSACTION_WRITES


@pytest.mark.parametrize(("members", "moved"), [(2, 2), (3, 1)])
def test_as_many_rows_move_together_as_fit(members: int, moved: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_lists, "_MOVED_TOGETHER", 2)
    assert len(board_lists.move(board(), roster(members), roster(1)[0].user_id)) == moved
