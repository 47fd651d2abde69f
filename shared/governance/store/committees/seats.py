"""Rows of seats: which committees the members of a board are in; some members share a row (ADR boards)."""

from __future__ import annotations

from governance.models.boards.board import Seats
from governance.store.schema.keys import Item, Key, make_item
from governance.store.writes import ABSENT, Put, Write, equals


def seats_in(row: Item | None) -> Seats:
    """Returns the seats in a row; none if it was never written."""
    return Seats.model_validate(row) if row else Seats()


def put_seats(key: Key, old: Seats, new: Seats) -> Write:
    """Returns the write of a row of seats. It fails with `StaleRead` if the row changed since it was read."""
    return Put(make_item(key, new.item()), equals(version=old.version) if old.version else ABSENT)
