"""Rate limits: a sliding window of five minutes, spent from leased blocks (ADR 0006).

An execution environment takes a small block of a subject's window with one update, beside the first read of a request,
and spends it in memory. A limit is exact within one block per environment and costs a fraction of a write per request.
An address begins with one block on credit, so that a call without a sound credential does not touch the store at all.
The window is counted in slices of 30 seconds, in one item whose old slices the next update forgets.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from governance.errors import ApiError, rate_limited
from governance.limits import RATE_WINDOW_SECONDS
from governance.store.schema import rate_window
from governance.store.table import increment, run_async

_SLICE_SECONDS = 30
_SLICES = RATE_WINDOW_SECONDS // _SLICE_SECONDS
_BLOCKS_PER_WINDOW = 50
_REMEMBERED = 10_000


@dataclass
class RateLease:
    """What this environment knows of one subject's window."""

    subject: str
    limit: int
    debt: int = 0
    tokens: int = 0
    remaining: int = 0
    closed_until: float = 0.0
    expired_slices: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.tokens = self.debt
        self.remaining = self.limit - self.debt

    def refill(self) -> None:
        """Take a block where none is in hand and the window is not known to be full."""
        with self.lock:
            if self.tokens == 0 and time.time() >= self.closed_until:
                self._lease()

    def spend(self) -> None:
        """Take one request out of the window; 429 where it is full."""
        self.refill()
        with self.lock:
            if self.tokens == 0:
                raise self.error()
            self.tokens -= 1

    def error(self) -> ApiError:
        """The 429, with the seconds until a slice of the window is given back."""
        return rate_limited(math.ceil(self.closed_until - time.time()))

    def headers(self) -> dict[str, str]:
        """The window's size, what is left of it, and when its oldest part is given back."""
        wait = self.closed_until - time.time()
        reset = wait if wait > 0 else _SLICE_SECONDS - time.time() % _SLICE_SECONDS
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining + self.tokens),
            "RateLimit-Reset": str(math.ceil(reset)),
        }

    def _lease(self) -> None:
        slice_ = int(time.time()) // _SLICE_SECONDS
        block = block_size(self.limit)
        key = rate_window(self.subject)
        expiry = (slice_ + 2 * _SLICES) * _SLICE_SECONDS
        slices = _slices(increment(key, f"w{slice_}", block + self.debt, expiry, self.expired_slices))
        self.debt = 0
        live = {number: used for number, used in slices.items() if number >= slice_ - _SLICES}
        self.expired_slices = [f"w{number}" for number in slices if number not in live]
        room = self.limit - (sum(live.values()) - block)
        self.tokens = min(block, max(0, room))
        self.remaining = max(0, room - block)
        if self.tokens < block:
            run_async(lambda: increment(key, f"w{slice_}", self.tokens - block, expiry))
        if self.tokens == 0:
            self.closed_until = (_oldest(live, slice_, block) + _SLICES + 1) * _SLICE_SECONDS


def _slices(item: Mapping[str, object]) -> dict[int, int]:
    return {int(name[1:]): used for name, used in item.items() if name[:1] == "w" and isinstance(used, int)}


def _oldest(live: Mapping[int, int], current: int, block: int) -> int:
    """The oldest slice that holds requests, leaving aside the block just asked for."""
    used = {number: amount - (block if number == current else 0) for number, amount in live.items()}
    return min((number for number, amount in used.items() if amount > 0), default=current)


_budgets: OrderedDict[tuple[str, int], RateLease] = OrderedDict()
_budgets_lock = threading.Lock()


def block_size(limit: int) -> int:
    """The size of a block: a fiftieth of the window, one request at least."""
    return max(1, limit // _BLOCKS_PER_WINDOW)


def lease_for(subject: str, limit: int, *, on_credit: int = 0) -> RateLease:
    """The budget of a principal or an address in this environment; its first requests may be on credit."""
    with _budgets_lock:
        found = _budgets.setdefault((subject, limit), RateLease(subject, limit, on_credit))
        _budgets.move_to_end((subject, limit))
        if len(_budgets) > _REMEMBERED:
            _budgets.popitem(last=False)
        return found
