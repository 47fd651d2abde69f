"""The issuer's key set: fetched at most once in 30 seconds, and used for five minutes (ADR identity)."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import jwt

from governance import deadline, telemetry
from governance.errors import unavailable
from governance.store.dynamodb import run_async

_LIFE_SECONDS = 300
"""How long a fetched key set is used: a key that the issuer withdraws stops working within this time."""
_REFRESH_SECONDS = 240
"""The age from which a key set is fetched again, so that one failed attempt does not leave us without keys."""
_PAUSE_SECONDS = 30


class IssuerKeys:
    """The signing keys that an issuer serves at a URL, as this environment fetched them last."""

    def __init__(self, url: str) -> None:
        self._client = jwt.PyJWKClient(url, cache_jwk_set=False, timeout=deadline.KEY_SET_ATTEMPT_SECONDS)
        self._keys: list[jwt.PyJWK] = []
        self._fetched_at = self._tried_at = -math.inf
        self._lock = threading.Lock()

    def find(self, key_id: Any) -> jwt.PyJWK:
        """Returns the key of this id.

        Raises `ValueError` for an id that the key set does not have, and 503 if no key set is known. An unknown id has
        the key set fetched again. An attempt is followed by a pause of 30 seconds, whatever comes of it, so that forged
        tokens cannot make this service wait for the issuer again and again.
        """
        with self._lock:
            if self._age() >= _REFRESH_SECONDS or self._match(key_id) is None:
                self._fetch()
            if self._age() >= _LIFE_SECONDS:
                raise unavailable()
            key = self._match(key_id)
        if key is None:
            raise ValueError("kid")
        return key

    def _match(self, key_id: Any) -> jwt.PyJWK | None:
        return self._client.match_kid(self._keys, key_id)

    def _age(self) -> float:
        return time.monotonic() - self._fetched_at

    def _fetch(self) -> None:
        """Fetches the key set, unless that was tried recently or could end too late. A failure leaves the known keys.

        The client's time-out bounds each step of an attempt; the future's bounds all of it.
        """
        now = time.monotonic()
        if now - self._tried_at < _PAUSE_SECONDS or not deadline.has_time(deadline.KEY_SET_ATTEMPT_SECONDS):
            return
        self._tried_at = now
        try:
            self._keys = run_async(self._client.get_signing_keys).result(deadline.KEY_SET_ATTEMPT_SECONDS)
        except (jwt.PyJWTError, ValueError, OSError) as error:
            telemetry.logger().error("key set not fetched", kind=type(error).__name__)
        else:
            self._fetched_at = now
