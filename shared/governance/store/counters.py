"""Counters behind the limits: changed in the transaction that adds or removes what they count (ADR limits).

A counter may be too high, never too low: it still counts what a deleted board or meeting left behind. Where that can
happen, the true number is read once the counter has reached its limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from governance.errors import Reason, conflict
from governance.store.schema.keys import Item, Key, make_item
from governance.store.transactions import transact
from governance.store.writes import (
    ABSENT,
    Check,
    Condition,
    Delete,
    FailureHandler,
    Put,
    StaleRead,
    Update,
    Write,
    equals,
)

_COUNT, _CHANGES, _IDS = "count", "changes", "ids"
_NAMES = {"#n": _COUNT, "#c": _CHANGES}


def add(key: Key, limit: int, recount: Callable[[], int] | None = None) -> Update:
    """Returns the write that counts one more. It fails with 409 `LIMIT_REACHED` if the limit is reached.

    `recount` reads the true number, for a counter that may be too high. If that number is lower, it is stored and the
    write fails with `StaleRead`.
    """
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": limit})
    return Update(key, "ADD #n :one, #c :one", _NAMES, {":one": 1}, room, _full(key, limit, recount))


def add_several(key: Key, number: int, limit: int) -> Update:
    """Returns the write that counts `number` more. It fails with 409 `LIMIT_REACHED` if that is over the limit."""
    room = Condition("attribute_not_exists(#n) OR #n <= :most", {}, {":most": limit - number})
    return Update(key, "ADD #n :more, #c :one", _NAMES, {":more": number, ":one": 1}, room, _full(key, limit, None))


def add_named(key: Key, limit: int, added: str) -> Write:
    """Returns the same for a counter that also keeps the ids of what it counts (`ids_in`)."""
    return _with_id(add(key, limit), "ADD #n :one, #c :one, #i :ids", added)


def subtract_named(key: Key, removed: str) -> Write:
    """Returns the write that counts one less in such a counter."""
    return _with_id(subtract(key), "ADD #n :less, #c :one DELETE #i :ids", removed)


def _with_id(update: Update, expression: str, id_: str) -> Write:
    names, values = {**update.names, "#i": _IDS}, {**update.values, ":ids": frozenset({id_})}
    return replace(update, expression=expression, names=names, values=values)


def subtract(key: Key, number: int = 1, condition: Condition | None = None) -> Update:
    """Returns the write that counts one less, or `number` less."""
    return Update(key, "ADD #n :less, #c :one", _NAMES, {":less": -number, ":one": 1}, condition)


def subtract_if_unchanged(key: Key, counter: Item | None, number: int) -> Write:
    """Returns the write that counts `number` less, or only a check for 0. `counter` is the item as it was read.

    It fails with `StaleRead` if the counter changed since.
    """
    unchanged = ABSENT if counter is None else equals(**{_CHANGES: counter[_CHANGES]})
    return subtract(key, number, unchanged) if number else Check(key, unchanged)


def delete(key: Key, counter: Item) -> Write:
    """Returns the write that deletes a counter. It fails with `StaleRead` if its number is not the one in `counter`."""
    return Delete(key, equals(**{_COUNT: number_in(counter)}))


def set_number(key: Key, counter: Item | None, number: int) -> Write:
    """Returns the write of a true number. It fails with `StaleRead` if the counter changed since it was read."""
    if counter is None:
        return Put(make_item(key, {_COUNT: number, _CHANGES: 0}), ABSENT)
    return Update(key, "SET #n = :n", {"#n": _COUNT}, {":n": number}, equals(**{_CHANGES: counter[_CHANGES]}))


def number_in(counter: Item | None) -> int:
    """Returns the number in a counter's item; 0 for a counter that was never written."""
    return 0 if counter is None else int(counter[_COUNT])


def ids_in(counter: Item | None) -> frozenset[str] | None:
    """Returns the ids of what a counter counts; None if it does not name as many as it counts.

    A counter that an earlier release has changed may name too few, or what does not exist any more. If as many exist as
    it counts, they are all: a counter is never too low.
    """
    ids: frozenset[str] = frozenset(counter.get(_IDS, ())) if counter else frozenset()
    return ids if len(ids) == number_in(counter) else None


def _full(key: Key, limit: int, recount: Callable[[], int] | None) -> FailureHandler:
    def handle(counter: Item | None) -> Exception:
        if counter is None or recount is None or (number := recount()) >= limit:
            return conflict(Reason.LIMIT_REACHED)
        transact([set_number(key, counter, number)])
        return StaleRead()

    return handle
