"""Rate limits: a sliding window of five minutes per subject, spent from leased blocks of tokens (ADR limits).

A token admits one request. An execution environment leases a block of a subject's tokens with one update and spends the
block in memory, so that a limit costs a fraction of a write per request. Blocks grow with what the environment has
spent, so that many environments together never hold back more than a tenth of the window. The lease of an address
starts with one block on credit, so that a call without a valid credential does not touch the store at all.

The window is counted in slices of 30 seconds, in one item; each update removes the slices that have left the window.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from governance.errors import ApiError, rate_limited
from governance.limits import RATE_WINDOW_SECONDS
from governance.settings import settings
from governance.store.dynamodb import run_async
from governance.store.schema.usage import address_subject, flood_subject, rate_window_key
from governance.store.transactions import increment

_SLICE_SECONDS = 30
_SLICES = RATE_WINDOW_SECONDS // _SLICE_SECONDS
_FIRST_BLOCKS_PER_WINDOW = 750
_BLOCKS_PER_WINDOW = 50
_SPENT_PER_LEASED = 20
"""An environment leases a twentieth of what it has spent, from a first block of 1/750 up to 1/50 of the window. Fifty
environments that stop at the worst moment hold back 50 * (1/750) + 1/20 of the window, with which 90 % is left."""
_MAX_LEASES = 10_000


@dataclass
class RateLease:
    """The tokens of one subject that this environment holds, and what it knows of the subject's window.

    `tokens` are left to spend without asking the store; `spent` have been spent; `remaining` were left in the window,
    beyond this lease, at the last refill; `debt` were given on credit and are booked with the next refill.
    """

    subject: str
    limit: int
    debt: int = 0
    tokens: int = 0
    remaining: int = 0
    spent: int = 0
    leased_slice: int | None = None
    exhausted_until: float = 0.0
    expired_slices: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.tokens = self.debt
        self.remaining = self.limit - self.debt

    def refill(self) -> None:
        """Leases a block if no token is left, unless the window is known to be exhausted."""
        with self.lock:
            self._refill()

    def spend(self, count: int = 1) -> None:
        """Spends `count` tokens. Raises 429 and spends none if the window has fewer left."""
        with self.lock:
            self._refill(count)
            if self.tokens < count:
                raise self.error()
            self.tokens -= count
            self.spent += count

    def check_open(self) -> None:
        """Raises 429 if the window is known to be exhausted; asks the store for nothing."""
        with self.lock:
            if self.tokens == 0 and time.time() < self.exhausted_until:
                raise self.error()

    def needs_refill(self) -> bool:
        """Returns whether the next request has to lease a block first."""
        return self.tokens == 0 or self._is_expired()

    def _refill(self, needed: int = 1) -> None:
        if self._is_expired():
            self.tokens, self.spent, self.leased_slice = 0, 0, None
        if self.tokens < needed and time.time() >= self.exhausted_until:
            self._lease_block(needed - self.tokens)

    def _is_expired(self) -> bool:
        """Returns whether the slice of the block has left the window, so that its tokens are no longer counted."""
        return self.leased_slice is not None and _current_slice() - self.leased_slice > _SLICES

    def error(self) -> ApiError:
        """Returns the 429, with the seconds until the oldest used slice leaves the window."""
        return rate_limited(math.ceil(self.exhausted_until - time.time()))

    def headers(self) -> dict[str, str]:
        """Returns the window's size, the tokens left in it, and the seconds until some are free again."""
        wait = self.exhausted_until - time.time()
        reset = wait if wait > 0 else _SLICE_SECONDS - time.time() % _SLICE_SECONDS
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining + self.tokens),
            "RateLimit-Reset": str(math.ceil(reset)),
        }

    def _lease_block(self, needed: int) -> None:
        """Books a block and the debt in the current slice, and returns to the window what exceeds the limit."""
        current = _current_slice()
        block = max(needed, self._next_block())
        key = rate_window_key(self.subject)
        expiry = (current + 2 * _SLICES) * _SLICE_SECONDS
        slices = _slices(increment(key, f"w{current}", block + self.debt, expiry, self.expired_slices))
        self.debt = 0
        self.leased_slice = self.leased_slice if self.tokens else current
        live = {number: used for number, used in slices.items() if number >= current - _SLICES}
        self.expired_slices = [f"w{number}" for number in slices if number not in live]
        available = self.limit - (sum(live.values()) - block)
        leased = min(block, max(0, available))
        self.tokens += leased
        self.remaining = max(0, available - block)
        if (surplus := block - leased) > 0:
            run_async(lambda: increment(key, f"w{current}", -surplus, expiry))
        if leased < needed:
            self.exhausted_until = (_oldest_used(live, current, block) + _SLICES + 1) * _SLICE_SECONDS

    def _next_block(self) -> int:
        """Returns how many tokens to lease: more, the more this environment has spent recently."""
        first = max(1, self.limit // _FIRST_BLOCKS_PER_WINDOW)
        return min(max(first, self.spent // _SPENT_PER_LEASED), block_size(self.limit))


def _current_slice() -> int:
    return int(time.time()) // _SLICE_SECONDS


def _slices(item: Mapping[str, object]) -> dict[int, int]:
    return {int(name[1:]): used for name, used in item.items() if name[:1] == "w" and isinstance(used, int)}


def _oldest_used(live: Mapping[int, int], current: int, block: int) -> int:
    """Returns the oldest slice in which tokens were spent, without the block that was just booked."""
    used = {number: amount - (block if number == current else 0) for number, amount in live.items()}
    return min((number for number, amount in used.items() if amount > 0), default=current)


class Leases:
    """The leases of one kind of subject that this environment keeps; the one used longest ago is dropped first.

    Addresses and principals are kept apart, so that a client with many addresses displaces no lease of a user.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], RateLease] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, subject: str, limit: int, credit: int = 0) -> RateLease:
        """Returns the lease of a subject; a new one, which is not kept yet, if there is none."""
        return self._kept.get((subject, limit)) or RateLease(subject, limit, credit)

    def keep(self, lease: RateLease) -> RateLease:
        """Keeps a lease that is about to be used. Returns the one that is kept, if another request was faster."""
        key = (lease.subject, lease.limit)
        with self._lock:
            kept = self._kept.setdefault(key, lease)
            self._kept.move_to_end(key)
            if len(self._kept) > _MAX_LEASES:
                self._kept.popitem(last=False)
        return kept

    def clear(self) -> None:
        """Drops all leases."""
        self._kept.clear()


class RateCharge:
    """The one token that a request takes from a lease, however often the request is retried.

    The lease of a principal is kept from the first use on: before that, a forged credential may have named it.
    """

    def __init__(self, lease: RateLease, leases: Leases) -> None:
        self.lease = lease
        self._leases = leases
        self._refill: Future[None] | None = None
        self._spent = False

    def prepare(self) -> None:
        """Starts a refill in parallel with the reads that follow, if the lease is empty."""
        if self.lease.needs_refill():
            self.lease = self._leases.keep(self.lease)
            self._refill = run_async(self.lease.refill)

    def spend(self) -> None:
        """Takes the token, the first time it is called; raises 429 if there is none."""
        if self._spent:
            return
        if self._refill is not None:
            self._refill.result()
        self._spent = True
        self.lease = self._leases.keep(self.lease)
        self.lease.spend()


_principals = Leases()
_addresses = Leases()


def block_size(limit: int) -> int:
    """Returns the tokens in the largest block: a fiftieth of the window, and at least one."""
    return max(1, limit // _BLOCKS_PER_WINDOW)


def principal_lease(principal_id: str) -> RateLease:
    """Returns this environment's lease of the window of a user or of a board's tokens."""
    return _principals.find(principal_id, settings().rate_limit_principal)


def principal_charge(principal_id: str) -> RateCharge:
    """Returns the charge of a request against the window of a user or of a board's tokens."""
    return RateCharge(principal_lease(principal_id), _principals)


def address_charge(address: str) -> RateCharge:
    """Returns the charge of a request whose credential does not hold, against the window of its address."""
    return _address_charge(address_subject(address), settings().rate_limit_address)


def flood_charge(address: str) -> RateCharge:
    """Returns the charge of a request that carries no credential, as those of public routes, against another window."""
    return _address_charge(flood_subject(address), settings().rate_limit_flood)


def _address_charge(subject: str, limit: int) -> RateCharge:
    return RateCharge(_addresses.find(subject, limit, credit=block_size(limit)), _addresses)
