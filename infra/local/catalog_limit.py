"""The limit of catalog requests per address, which the firewall enforces in the cloud (ADR cdn)."""

from __future__ import annotations

import ipaddress
import json
import math
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable

from governance.errors import Code
from governance.limits import RATE_WINDOW_SECONDS
from infra.local.event import HttpRequest, HttpResponse

_CATALOG = "/api/ontology"


class CatalogLimit:
    """Counts the requests of each address in a sliding window of five minutes. An IPv6 address counts as its /64."""

    def __init__(self, limit: int, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._now = now
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def respond(self, request: HttpRequest) -> HttpResponse | None:
        """Returns the firewall's answer to a request for the catalog by an address over its limit, or None."""
        if not request.path.startswith(_CATALOG):
            return None
        seconds = self.seconds_to_wait(request.address)
        return _too_many(seconds) if seconds else None

    def seconds_to_wait(self, address: str) -> int:
        """Counts a request and returns 0, or returns the seconds until the address may send one again."""
        with self._lock:
            now, times = self._now(), self._times[_subject(address)]
            while times and times[0] <= now - RATE_WINDOW_SECONDS:
                times.popleft()
            if len(times) >= self._limit:
                return math.ceil(times[0] + RATE_WINDOW_SECONDS - now) if times else RATE_WINDOW_SECONDS
            times.append(now)
            return 0


def _subject(address: str) -> str:
    parsed = ipaddress.ip_address(address)
    return address if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))


def _too_many(seconds: int) -> HttpResponse:
    code = Code.RATE_LIMITED
    error = {"code": code.name, "message": code.message, "status": code.status, "requestId": None, "details": None}
    headers = {"content-type": "application/json", "retry-after": str(seconds), "cache-control": "no-store"}
    headers["access-control-allow-origin"] = "*"
    return HttpResponse(code.status, list(headers.items()), json.dumps({"error": error}).encode())
