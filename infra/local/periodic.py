"""A thread that does something again and again, with a pause before each time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Periodic:
    """Calls `act` every `seconds` seconds in a thread of its own, from `start` to `stop`.

    What `act` raises is logged, and it is called again: a full disk must not end what the service does beside requests.
    """

    def __init__(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        self._seconds = seconds
        self._act = act
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Starts the thread; the first call is one pause later."""
        self._thread.start()

    def stop(self) -> None:
        """Waits for a call that runs, then ends the thread."""
        self._stopped.set()
        self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Waits inside a call. Returns early, and true, if the thread is to end."""
        return self._stopped.wait(seconds)

    def _run(self) -> None:
        while not self.wait(self._seconds):
            try:
                self._act()
            except Exception:  # noqa: BLE001 - the next call may succeed
                _log.exception("The thread %s failed; it goes on.", self._thread.name)
