"""Moves a changed board in the lists of its members that the change itself did not reach (ADR boards).

A change moves the board in all lists of a small board, and in the caller's list of a large one. Its event moves the
board in the others, and in the list of a user who joined at the same time.
"""

from __future__ import annotations

from functools import partial

from governance.ids import BoardId
from governance.limits import TRANSACTION_WRITES
from governance.models.boards.board import RosterEntry
from governance.models.history.event import StoredEvent
from governance.store.boards import board_lists, boards
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads


def move_in_lists(event: StoredEvent) -> None:
    """Brings the lists of all members up to date after an event that changed the board."""
    roster = boards.roster(event.board_id)
    for start in range(0, len(roster), TRANSACTION_WRITES):
        members = roster[start : start + TRANSACTION_WRITES]
        retry_stale_reads(partial(_move, event.board_id, members))


def _move(board_id: BoardId, members: list[RosterEntry]) -> None:
    board = boards.find(board_id)
    writes = board_lists.move_outdated(board, members) if board else []
    if writes:
        transact(writes)
