"""Windows of a rate limit that are soon full, and a clock that stands still."""

from __future__ import annotations

import time

WHOAMI = "/api/v1/whoami"
PRINCIPAL, ADDRESS, FLOOD = 20, 10, 5


class Watch:
    """The clock of the process, standing still at the beginning of a slice unless moved."""

    def __init__(self) -> None:
        self.now = time.time() // 30 * 30

    def time(self) -> float:
        return self.now
