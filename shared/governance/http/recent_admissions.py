"""Remembers which credentials this environment admitted to which board, for five minutes.

A credential that was admitted before may start reads early, in parallel with those that check it again. On public
routes a path, which may hold a guest's token, stands for a credential; paths are remembered apart, because anybody can
call as many as they like. The memory saves time and decides nothing: every request is authenticated and authorized by
what is read for it (ADR requests).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

_SECONDS = 300
_LIMIT = 10_000


class RecentAdmissions:
    """The credentials, by their digests, and the boards that admitted them last; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._until: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def remember(self, fingerprint: str, board_id: str) -> None:
        """Records that the credential was admitted to the board; an empty board id stands for no board."""
        with self._lock:
            self._until[fingerprint, board_id] = time.monotonic() + _SECONDS
            self._until.move_to_end((fingerprint, board_id))
            if len(self._until) > _LIMIT:
                self._until.popitem(last=False)

    def includes(self, fingerprint: str, board_id: str) -> bool:
        """Returns whether the credential was admitted to the board within the last five minutes."""
        return time.monotonic() < self._until.get((fingerprint, board_id), 0.0)

    def clear(self) -> None:
        """Forgets all credentials."""
        with self._lock:
            self._until.clear()


recent_admissions = RecentAdmissions()
public_admissions = RecentAdmissions()
