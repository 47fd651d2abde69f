"""Bets: one item each, in the list of their board by creation, with the reminders of their owners."""

from __future__ import annotations

from collections.abc import Iterator

from governance.domain.notifications import due as due_rules
from governance.ids import BoardId
from governance.instants import Instant
from governance.limits import BETS_PER_BOARD
from governance.models.reports.bet import StoredBet
from governance.store import counters, due
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all, decode_or_none
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import BET, BET_COUNT
from governance.store.schema.keys import Item, Key, make_item, position
from governance.store.table import query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(bet: StoredBet) -> Key:
    return BET.key_for(boardId=bet.board_id, betId=bet.id)


def _item(bet: StoredBet) -> Item:
    return make_item(_key(bet), bet.item(), **ranges.BETS.entry(position(bet.created_at, bet.id)))


def find(board_id: BoardId, bet_id: str) -> StoredBet | None:
    """Returns a bet; None if there is none, or one that cannot be read."""
    item = read_one(BET.key_for(boardId=board_id, betId=bet_id))
    return decode_or_none(StoredBet, item)


def create(bet: StoredBet) -> list[Write]:
    """Returns the writes of a new bet; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    counted = counters.add(BET_COUNT.key_for(boardId=bet.board_id), BETS_PER_BOARD)
    return [Put(_item(bet), ABSENT), counted, *due.move_reminders([], due_rules.of_bet(bet, bet.created_at))]


def replace(old: StoredBet, new: StoredBet, now: Instant) -> list[Write]:
    """Returns the writes that change a bet, and when its owner is reminded.

    They fail with `StaleRead` if it changed since it was read.
    """
    reminders = due.move_reminders(due_rules.of_bet(old, now), due_rules.of_bet(new, now))
    return [Put(_item(new), equals(version=old.version)), *reminders]


def delete(bet: StoredBet, now: Instant) -> list[Write]:
    """Returns the writes that delete a bet. They fail with `StaleRead` if it changed since it was read."""
    counted = counters.subtract(BET_COUNT.key_for(boardId=bet.board_id))
    reminders = due.move_reminders(due_rules.of_bet(bet, now), [])
    return [Delete(_key(bet), equals(version=bet.version)), counted, *reminders]


def list_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredBet], str | None]:
    """Returns a page of a board's bets, by creation, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.BETS], window)
    return decode_all(StoredBet, items), last


def all_of_board(board_id: BoardId) -> Iterator[StoredBet]:
    """Yields the bets of a board, of which there are `BETS_PER_BOARD` at most."""
    yield from decode_all(StoredBet, query(ranges.BETS.within(board_key(board_id).pk)))
