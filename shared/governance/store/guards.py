"""Guards: no write succeeds under a parent that is closed or deleted during the write (ADR table).

Two transactions with the same item conflict, even if both only check it. So a write does not check its parent item,
which all its siblings would check too, but one of the parent's guard rows, at random. A change that siblings must
notice writes the new state into all guard rows. They expire soon: a request that begins later reads the change itself.
The other way round, a write that the end of the subject must notice marks the row that it would have checked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from governance.ids import new_id
from governance.instants import Instant, shift
from governance.store.schema.entities import guard_key
from governance.store.schema.keys import PK, Item, Key, make_item
from governance.store.writes import ABSENT, Check, Condition, Delete, FailureHandler, Put, Write, equals, stale_read

_STATE, _MARK = "state", "mark"
_DELETED = "deleted"
_DAYS_KEPT = 1
"""A request takes some seconds at most."""


@dataclass(frozen=True)
class Guards:
    """The guard rows of a board, a meeting or a slot. A transaction has room for a hundred writes."""

    subject_id: str
    rows: int

    def check(self, state: str = "", on_failure: FailureHandler = stale_read) -> Write:
        """Returns a check that the subject still has the state in which it was read."""
        return Check(self._one_of_keys(), _in_state(state), on_failure)

    def mark(self, now: Instant) -> Write:
        """Returns a check that the subject still exists, after which `close_unmarked` fails for earlier readers."""
        marked = {_STATE: "", _MARK: new_id()}
        return Put(make_item(self._one_of_keys(), marked, ttl=_expiry(now)), _in_state(""))

    def _one_of_keys(self) -> Key:
        return random.choice(self.keys)  # noqa: S311 - spreads load, no secret

    @property
    def keys(self) -> list[Key]:
        """The keys of the rows."""
        return [guard_key(self.subject_id, row) for row in range(self.rows)]

    def change(self, state: str, now: Instant) -> list[Write]:
        """Returns the writes that make every check fail that was prepared for another state."""
        return [Put(make_item(key, {_STATE: state}, ttl=_expiry(now))) for key in self.keys]

    def reopen(self) -> list[Write]:
        """Returns the writes that remove every state, for a subject that is restored."""
        return [Delete(key) for key in self.keys]

    def close(self, now: Instant) -> list[Write]:
        """Returns the writes that make every check fail, because the subject is deleted."""
        return self.change(_DELETED, now)

    def close_unmarked(self, read: Mapping[Key, Item], now: Instant) -> list[Write]:
        """Returns the writes that close the subject. `read` has the rows that existed when it was read.

        They fail with `StaleRead` if one was marked since.
        """
        return [Put(make_item(key, {_STATE: _DELETED}, ttl=_expiry(now)), _as_read(read.get(key))) for key in self.keys]


def _expiry(now: Instant) -> Instant:
    return shift(now, days=_DAYS_KEPT)


def _in_state(state: str) -> Condition:
    return Condition("attribute_not_exists(#pk) OR #s = :s", {"#pk": PK, "#s": _STATE}, {":s": state})


def _as_read(row: Item | None) -> Condition:
    return ABSENT if row is None else equals(**{name: row[name] for name in (_STATE, _MARK) if name in row})
