"""The rows of a board in its members' lists: a change moves them in its own transaction, as long as they fit."""

from __future__ import annotations

import pytest

from governance.ids import UserId
from governance.limits import TRANSACTION_WRITES
from governance.models.boards.board import RosterEntry
from governance.scopes import Tier
from governance.store.boards import board_lists
from tests.store.stored_items import ONE, board

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
