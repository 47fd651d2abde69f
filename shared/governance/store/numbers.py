"""Numbers without gaps: a row has the last one, and the transaction that gives the next one changes it."""

from __future__ import annotations

from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Put, Write, equals

_NUMBER = "number"


def last(key: Key) -> int:
    """Returns the last number that was given, 0 if none was."""
    item = read_one(key)
    return int(item[_NUMBER]) if item else 0


def take(key: Key, number: int) -> Write:
    """Returns the write that gives the number after the last one, counted from 1.

    It fails with `StaleRead` if it was given meanwhile.
    """
    return Put(make_item(key, {_NUMBER: number}), ABSENT if number == 1 else equals(number=number - 1))


def skip_to(key: Key, number: int) -> Write:
    """Returns the write after which no number up to this one is given."""
    return Put(make_item(key, {_NUMBER: number}))
