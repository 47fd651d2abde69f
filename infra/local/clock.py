"""Invokes functions at the intervals of their schedules, as EventBridge does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from infra.stack.template import Schedule

Invoke = Callable[[dict[str, Any]], Any]
_log = logging.getLogger(__name__)


class Clock:
    """A thread that invokes a function once in each interval of its schedule."""

    def __init__(self, schedule: Schedule, invoke: Invoke) -> None:
        self._schedule = schedule
        self._invoke = invoke
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clock", daemon=True)

    def start(self) -> None:
        """Starts the thread; the first invocation is one interval later."""
        self._thread.start()

    def stop(self) -> None:
        """Waits for an invocation that runs, then ends the thread."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._schedule.seconds):
            self.tick()

    def tick(self) -> None:
        """Invokes the function; a failure is logged, and the next interval tries again."""
        try:
            self._invoke({"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}})
        except Exception:  # noqa: BLE001 - the next interval tries again
            _log.exception("The scheduled function crashed.")
