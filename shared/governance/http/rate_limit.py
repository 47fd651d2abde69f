"""Rate limits: a sliding window of five minutes, spent from leased blocks (ADR 0006).

An execution environment reserves a small block of a subject's window with one update and spends it in memory. Its
blocks grow with what it has spent, so that many environments together never hold back more than a tenth of the window.
A limit costs a fraction of a write per request.
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
from governance.store.schema import rate_window_key
from governance.store.table import increment, run_async

_SLICE_SECONDS = 30
_SLICES = RATE_WINDOW_SECONDS // _SLICE_SECONDS
_FIRST_BLOCKS_PER_WINDOW = 750
_BLOCKS_PER_WINDOW = 50
_SPENT_PER_RESERVED = 20
"""An environment reserves a twentieth of what it has spent, from a first block of 1/750 up to 1/50 of the window. Fifty
environments that stop at the worst moment hold back 50 * (1/750) + 1/20 of the window, with which 90 % is left."""
_REMEMBERED = 10_000


@dataclass
class RateLease:
    """What this environment knows of one subject's window."""

    subject: str
    limit: int
    debt: int = 0
    tokens: int = 0
    remaining: int = 0
    spent: int = 0
    leased_slice: int | None = None
    closed_until: float = 0.0
    expired_slices: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.tokens = self.debt
        self.remaining = self.limit - self.debt

    def refill(self) -> None:
        """Reserves a block if none is left and the window is not known to be full."""
        with self.lock:
            self._refill()

    def spend(self) -> None:
        """Takes one request out of the window. Raises 429 if the window is full."""
        with self.lock:
            self._refill()
            if self.tokens == 0:
                raise self.error()
            self.tokens -= 1
            self.spent += 1

    def _refill(self) -> None:
        self._forget_what_is_past()
        if self.tokens == 0 and time.time() >= self.closed_until:
            self._lease()

    def _forget_what_is_past(self) -> None:
        """Drops a block whose slice has left the window, where it is no longer counted, and what was spent by then."""
        if self.leased_slice is not None and _current_slice() - self.leased_slice > _SLICES:
            self.tokens, self.spent, self.leased_slice = 0, 0, None

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
        slice_ = _current_slice()
        block = self._next_block()
        key = rate_window_key(self.subject)
        expiry = (slice_ + 2 * _SLICES) * _SLICE_SECONDS
        slices = _slices(increment(key, f"w{slice_}", block + self.debt, expiry, self.expired_slices))
        self.debt, self.leased_slice = 0, slice_
        live = {number: used for number, used in slices.items() if number >= slice_ - _SLICES}
        self.expired_slices = [f"w{number}" for number in slices if number not in live]
        room = self.limit - (sum(live.values()) - block)
        self.tokens = min(block, max(0, room))
        self.remaining = max(0, room - block)
        if (surplus := block - self.tokens) > 0:
            run_async(lambda: increment(key, f"w{slice_}", -surplus, expiry))
        if self.tokens == 0:
            self.closed_until = (_oldest(live, slice_, block) + _SLICES + 1) * _SLICE_SECONDS

    def _next_block(self) -> int:
        """Returns how many requests to reserve: more, the more this environment has spent lately."""
        first = max(1, self.limit // _FIRST_BLOCKS_PER_WINDOW)
        return min(max(first, self.spent // _SPENT_PER_RESERVED), block_size(self.limit))


def _current_slice() -> int:
    return int(time.time()) // _SLICE_SECONDS


def _slices(item: Mapping[str, object]) -> dict[int, int]:
    return {int(name[1:]): used for name, used in item.items() if name[:1] == "w" and isinstance(used, int)}


def _oldest(live: Mapping[int, int], current: int, block: int) -> int:
    """The oldest slice that holds requests, leaving aside the block just asked for."""
    used = {number: amount - (block if number == current else 0) for number, amount in live.items()}
    return min((number for number, amount in used.items() if amount > 0), default=current)


_budgets: OrderedDict[tuple[str, int], RateLease] = OrderedDict()
_budgets_lock = threading.Lock()


def block_size(limit: int) -> int:
    """Returns the size of the largest block: a fiftieth of the window, at least one request."""
    return max(1, limit // _BLOCKS_PER_WINDOW)


def lease_for(subject: str, limit: int, *, on_credit: int = 0) -> RateLease:
    """The budget of a principal or an address in this environment; its first requests may be on credit."""
    with _budgets_lock:
        found = _budgets.setdefault((subject, limit), RateLease(subject, limit, on_credit))
        _budgets.move_to_end((subject, limit))
        if len(_budgets) > _REMEMBERED:
            _budgets.popitem(last=False)
        return found
