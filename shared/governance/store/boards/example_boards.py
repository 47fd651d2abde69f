"""Example boards: the one that a user has, its progress, and its members, who have no account (ADR boards)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.boards.example_board import character_ids
from governance.ids import BoardId, UserId
from governance.models.account.user import StoredUser
from governance.models.boards.example_board import ExampleProgress, OwnExampleBoard
from governance.store.schema.entities import BOARD_COUNT, EXAMPLE_PROGRESS, OWN_EXAMPLE_BOARD, USER
from governance.store.schema.keys import Item, Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Put, Write, equals


def board_id_of(item: Item | None) -> BoardId | None:
    """Returns the id of the example board that a user made last, given their row; None without one."""
    return None if item is None else OwnExampleBoard.model_validate(item).board_id


def create(user_id: UserId, previous: BoardId | None, board_id: BoardId) -> list[Write]:
    """Returns the writes that give a user an example board, which is still empty.

    They fail with `StaleRead` if the user made another since `previous` was read.
    """
    row = OwnExampleBoard(board_id=board_id)
    condition = ABSENT if previous is None else equals(boardId=previous)
    return [
        Put(make_item(OWN_EXAMPLE_BOARD.key_for(userId=user_id), row.item()), condition),
        Put(make_item(EXAMPLE_PROGRESS.key_for(boardId=board_id), ExampleProgress().item()), ABSENT),
    ]


def progress(board_id: BoardId) -> ExampleProgress | None:
    """Returns how far an example board is filled; None if it was deleted."""
    item = read_one(EXAMPLE_PROGRESS.key_for(boardId=board_id))
    return ExampleProgress.model_validate(item) if item else None


def advance(board_id: BoardId, old: ExampleProgress, written: str) -> tuple[ExampleProgress, Write]:
    """Returns the progress after one more step, and its write, which fails with `StaleRead` if the step was done."""
    new = ExampleProgress(ids=(*old.ids, written), version=old.version + 1)
    return new, Put(make_item(EXAMPLE_PROGRESS.key_for(boardId=board_id), new.item()), equals(version=old.version))


def put_user(user: StoredUser) -> Write:
    """Returns the write of a member without an account: no e-mail address leads to them."""
    return Put(make_item(USER.key_for(userId=user.id), user.item()))


def keys_of_characters(board_id: BoardId) -> Iterable[Key]:
    """Yields the keys of the rows of an example board's members that are in no other partition than their own."""
    for user_id in character_ids(board_id):
        yield from (entity.key_for(userId=user_id) for entity in (USER, BOARD_COUNT))
