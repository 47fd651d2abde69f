"""Guards: no write succeeds under a parent that is closed or deleted during the write (ADR table).

Two transactions with the same item conflict, even if both only check it. So a write does not check its parent item,
which all its siblings would check too, but one of the parent's guard rows, at random. A change that siblings must
notice writes the new state into all guard rows. They expire soon: a request that begins later reads the change itself.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from governance.instants import Instant, shift
from governance.store.schema.entities import guard_key
from governance.store.schema.keys import PK, make_item
from governance.store.writes import Check, Condition, Delete, FailureHandler, Put, Write, stale_read

_STATE = "state"
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
        row = random.randrange(self.rows)  # noqa: S311 - spreads load, no secret
        same = Condition("attribute_not_exists(#pk) OR #s = :s", {"#pk": PK, "#s": _STATE}, {":s": state})
        return Check(guard_key(self.subject_id, row), same, on_failure)

    def change(self, state: str, now: Instant) -> list[Write]:
        """Returns the writes that make every check fail that was prepared for another state."""
        expiry = shift(now, days=_DAYS_KEPT)
        return [
            Put(make_item(guard_key(self.subject_id, row), {_STATE: state}, ttl=expiry)) for row in range(self.rows)
        ]

    def reopen(self) -> list[Write]:
        """Returns the writes that remove every state, for a subject that is restored."""
        return [Delete(guard_key(self.subject_id, row)) for row in range(self.rows)]

    def close(self, now: Instant) -> list[Write]:
        """Returns the writes that make every check fail, because the subject is deleted."""
        return self.change(_DELETED, now)
