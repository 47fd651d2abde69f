"""Counters behind the limits: changed in the transaction that adds or removes what they count (ADR 0090).

A counter may be too high, never too low: what a deleted board or meeting leaves behind is still counted. Where that can
happen, a counter that has reached its limit is counted again.
"""

from __future__ import annotations

from collections.abc import Callable

from governance.errors import Reason, conflict
from governance.store.schema import Item, Key
from governance.store.table import transact
from governance.store.writes import Condition, FailureHandler, StaleRead, Update, Write, equals

_COUNT, _CHANGES = "count", "changes"
_NAMES = {"#n": _COUNT, "#c": _CHANGES}


def add(key: Key, limit: int, recount: Callable[[], int] | None = None) -> Write:
    """Returns the write that counts one more. It fails with 409 `LIMIT_REACHED` if there are as many as there may be.

    `recount` reads the true number, for a counter that may be too high; a lower one is stored, and the write fails with
    `StaleRead`.
    """
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": limit})
    return Update(key, "ADD #n :one, #c :one", _NAMES, {":one": 1}, room, _full(key, limit, recount))


def remove(key: Key) -> Write:
    """Returns the write that counts one less."""
    return Update(key, "ADD #n :less, #c :one", _NAMES, {":less": -1, ":one": 1})


def number_in(counter: Item) -> int:
    """Returns the number in a counter's item."""
    number: int = counter[_COUNT]
    return number


def _full(key: Key, limit: int, recount: Callable[[], int] | None) -> FailureHandler:
    def handle(counter: Item | None) -> Exception:
        if counter is None or recount is None or (number := recount()) >= limit:
            return conflict(Reason.LIMIT_REACHED)
        transact([_set(key, number, counter)])
        return StaleRead()

    return handle


def _set(key: Key, number: int, counter: Item) -> Write:
    """Returns the write of a true number. It fails with `StaleRead` if the counter changed since it was read."""
    return Update(key, "SET #n = :n", {"#n": _COUNT}, {":n": number}, equals(**{_CHANGES: counter[_CHANGES]}))
