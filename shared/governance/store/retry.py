"""Repeats what was decided on a read that has changed since."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from governance.errors import unavailable
from governance.store.writes import StaleRead

T = TypeVar("T")
_ATTEMPTS = 10


def retry_stale_reads(attempt: Callable[[], T]) -> T:
    """Returns the result of the first attempt that does not end in `StaleRead`; raises 503 after ten.

    Each attempt reads, decides and writes again.
    """
    for _ in range(_ATTEMPTS):
        try:
            return attempt()
        except StaleRead:
            continue
    raise unavailable()
