"""Invokes functions at the intervals of their schedules, as EventBridge does."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from infra.local.periodic import Periodic
from infra.stack.template import Schedule

Invoke = Callable[[dict[str, Any]], Any]
_log = logging.getLogger(__name__)


class Clock(Periodic):
    """A thread that invokes a function once in each interval of its schedule, first one interval after the start."""

    def __init__(self, schedule: Schedule, invoke: Invoke) -> None:
        super().__init__("clock", schedule.seconds, self.tick)
        self._invoke = invoke

    def tick(self) -> None:
        """Invokes the function; a failure is logged, and the next interval tries again."""
        try:
            self._invoke({"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}})
        except Exception:  # noqa: BLE001 - the next interval tries again
            _log.exception("The scheduled function crashed.")
