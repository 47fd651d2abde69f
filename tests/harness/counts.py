"""The counters behind the limits, and boards with many members, as they are stored."""

from __future__ import annotations

import hashlib

from governance.ids import BoardId, UserId
from governance.instants import now
from governance.models.boards.board import Membership
from governance.store.boards import boards
from governance.store.schema.entities import MEMBER_COUNT
from governance.store.schema.keys import Key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Update
from governance.usecases.members.members import new_membership

_MEMBERS_PER_TRANSACTION = 50


def set_count(key: Key, number: int) -> None:
    """Sets a counter."""
    transact([Update(key, "SET #n = :n ADD #c :one", {"#n": "count", "#c": "changes"}, {":n": number, ":one": 1})])


def count(key: Key) -> int:
    """Returns a counter."""
    return int((read_one(key) or {"count": 0})["count"])


def join_many(board_id: BoardId, number: int) -> list[Membership]:
    """Adds members without accounts, a few in a transaction; the board counts them."""
    user_ids = [UserId(hashlib.sha256(str(index).encode()).hexdigest()[:24]) for index in range(number)]
    members = [new_membership(board_id, user_id, now()) for user_id in user_ids]
    board = boards.find(board_id)
    assert board is not None
    for start in range(0, number, _MEMBERS_PER_TRANSACTION):
        chunk = members[start : start + _MEMBERS_PER_TRANSACTION]
        transact([write for member in chunk for write in boards.add_member(board, member)[:2]])
    counted = MEMBER_COUNT.key_for(boardId=board_id)
    set_count(counted, count(counted) + number)
    return members
