"""The sessions that this environment has verified, by their digests, for five minutes at most (ADR identity).

A session is what its bytes say: the signature of the same bytes is checked once, as long as the key that made it is
accepted. What changes with time or with the account is checked for every request.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from governance.settings import Settings

_SECONDS = 300
_LIMIT = 10_000


@dataclass(frozen=True)
class Verified:
    """The claims of a session, the key that verified it, by its id, and the settings that were checked with it."""

    claims: Mapping[str, Any]
    key_id: Any
    key: jwt.PyJWK
    settings: Settings


class VerifiedSessions:
    """The sessions that were verified last; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, tuple[float, Verified]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, digest: bytes, verified: Verified) -> None:
        """Records that a session was verified just now."""
        with self._lock:
            self._kept[digest] = time.monotonic() + _SECONDS, verified
            self._kept.move_to_end(digest)
            if len(self._kept) > _LIMIT:
                self._kept.popitem(last=False)

    def find(self, digest: bytes) -> Verified | None:
        """Returns what was verified within the last five minutes."""
        until, verified = self._kept.get(digest, (0.0, None))
        return verified if time.monotonic() < until else None

    def clear(self) -> None:
        """Forgets all sessions."""
        with self._lock:
            self._kept.clear()


verified_sessions = VerifiedSessions()
