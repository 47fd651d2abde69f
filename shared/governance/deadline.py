"""The deadline of a request: a call begins only while it can end, with its answer, before the function is stopped.

The time-outs of the clients bound one attempt. They are not changed per call, so the sum of a request's calls is
bounded here: before each attempt the caller checks whether there is time for one more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

STORE_ATTEMPT_SECONDS = 3.0
"""The longest attempt at the store: a second to connect and two to read, as `store/client` has them."""
PAGE_SECONDS = 5 * STORE_ATTEMPT_SECONDS
"""Time to read a page of rows, and to change it with what it names elsewhere."""
MAIL_ATTEMPT_SECONDS = 5.0
"""The longest attempt at the mail service."""
KEY_SET_ATTEMPT_SECONDS = 3.0
"""The longest attempt to fetch the issuer's key set."""
_ANSWER_SECONDS = 0.5
_end: ContextVar[float | None] = ContextVar("end", default=None)


class DeadlineExceededError(Exception):
    """There is no time left for another attempt."""


def begin(context: object) -> None:
    """Sets the deadline of an invocation from the time that its context says is left; without that there is none."""
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    _end.set(time.monotonic() + remaining() / 1000 - _ANSWER_SECONDS if callable(remaining) else None)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Makes the calls of a block end within this number of seconds, or with the invocation if that ends sooner."""
    own, whole = time.monotonic() + seconds, _end.get()
    token = _end.set(own if whole is None else min(own, whole))
    try:
        yield
    finally:
        _end.reset(token)


def check(seconds: float) -> None:
    """Raises `DeadlineExceededError` if an attempt that takes this number of seconds could end too late."""
    if not has_time(seconds):
        raise DeadlineExceededError


def has_time(seconds: float) -> bool:
    """Returns whether this number of seconds is left; a long task asks between two steps."""
    end = _end.get()
    return end is None or time.monotonic() + seconds <= end
