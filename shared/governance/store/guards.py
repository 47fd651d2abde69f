"""Guards: no write lands under what is deleted while the write is under way (ADR 0096).

Two transactions that hold one item conflict, also if both only check it. So a write does not check the root item, which
all other writes would check too, but one of several guard rows, at random. A guard row is absent while its subject
exists; the deletion writes all of them. They expire soon: a request that begins later finds no subject in any case.
"""

from __future__ import annotations

import random

from governance.instants import Instant, shift
from governance.store.schema import guard_key, make_item
from governance.store.writes import ABSENT, Check, FailureHandler, Put, Write

GUARD_ROWS = 32
"""Guard rows of a board. Its deletion writes all of them in one transaction, which has room for a hundred writes."""
_DAYS_KEPT = 1
"""A request takes some seconds at most, and retries of its client begin anew."""


def check(subject_id: str, unless: FailureHandler) -> Write:
    """Returns a check that the subject is not deleted, with the error for one that is."""
    row = random.randrange(GUARD_ROWS)  # noqa: S311 - spreads load, no secret
    return Check(guard_key(subject_id, row), ABSENT, unless)


def close(subject_id: str, now: Instant) -> list[Write]:
    """Returns the writes that make every later check of the subject fail."""
    expiry = shift(now, days=_DAYS_KEPT)
    return [Put(make_item(guard_key(subject_id, row), {}, ttl=expiry)) for row in range(GUARD_ROWS)]
