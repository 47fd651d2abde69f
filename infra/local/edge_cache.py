"""What CloudFront keeps of an origin's answers, and for how long."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping

from infra.cdn.distribution import ERROR_SECONDS, CachePolicy
from infra.local.event import HttpResponse

CACHED_METHODS = frozenset({"GET", "HEAD"})
_CACHED_STATUS = frozenset({200, 203, 204, 206, 300, 301, 302, 308})
_CACHED_ERRORS = frozenset({400, 403, 404, 405, 410, 412, 414, 415, 500, 501, 502, 503, 504})
_OBEYS_NO_STORE = frozenset({404, 410, 414, 501})
"""For other errors CloudFront ignores `Cache-Control: no-store`."""
_CAPACITY = 2000

Key = tuple[str, ...]
Now = Callable[[], float]


class EdgeCache:
    """Answers by key, until their time is over. Safe to use from many threads."""

    def __init__(self, now: Now = time.monotonic) -> None:
        self._now = now
        self._kept: dict[Key, tuple[float, float, HttpResponse]] = {}
        self._lock = threading.Lock()

    def find(self, key: Key) -> tuple[int, HttpResponse] | None:
        """Returns a kept answer with its age in seconds, or None."""
        with self._lock:
            stored, end, response = self._kept.get(key, (0.0, 0.0, HttpResponse(0, [])))
            return (int(self._now() - stored), response) if self._now() < end else None

    def keep(self, key: Key, response: HttpResponse, seconds: int) -> None:
        """Keeps an answer for `seconds`; 0 keeps nothing. A full cache is emptied, as an edge may at any time."""
        if seconds <= 0:
            return
        with self._lock:
            if len(self._kept) >= _CAPACITY:
                self._kept.clear()
            self._kept[key] = (self._now(), self._now() + seconds, response)


def seconds_to_keep(response: HttpResponse, policy: CachePolicy, errors: Mapping[int, int]) -> int:
    """Returns how long CloudFront keeps an answer to GET or HEAD. `errors` are the distribution's own figures.

    CloudFront caches errors whatever the cache policy says, and even with caching disabled.
    """
    directives = _cache_control(response)
    stated = directives.get("s-maxage", directives.get("max-age"))
    if response.status in _CACHED_ERRORS:
        if "no-store" in directives and response.status in _OBEYS_NO_STORE:
            return 0
        return max(errors.get(response.status, ERROR_SECONDS), min(stated or 0, policy.maximum))
    if response.status not in _CACHED_STATUS:
        return 0
    if directives.keys() & {"no-store", "no-cache", "private"}:
        return policy.minimum
    wanted = policy.default if stated is None else stated
    return min(max(wanted, policy.minimum), policy.maximum)


def _cache_control(response: HttpResponse) -> dict[str, int]:
    values = ",".join(value for name, value in response.headers if name.lower() == "cache-control").lower()
    directives = re.findall(r"([a-z-]+)(?:=(\d+))?", values)
    return {name: int(number or 0) for name, number in directives}
