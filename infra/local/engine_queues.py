"""Keeps the engine's queues over a restart: their names, and what nobody handled (ADR local)."""

from __future__ import annotations

import time
from typing import Any

_PORT = "4566"
"""The port in the addresses that name queues. The engine's own port changes at each start; a queue's name does not."""


def keep() -> None:
    """Makes the engine of this process name its queues the same at each start, and restore what was in them."""
    from ministack.services import sqs

    restore = sqs.load_persisted_state

    def load(data: dict[str, Any]) -> None:
        restore(data)
        now = time.time()
        for queue in sqs._queues.all_values():
            for message in queue["messages"]:
                give_back(message, now)

    sqs.DEFAULT_PORT = _PORT
    sqs.load_persisted_state = load


def give_back(message: dict[str, Any], now: float) -> None:
    """Makes a message visible that was received, and not deleted: its receiver has ended, and that is not a failure.

    The queue keeps each as long as if it had been sent now: a machine may be off for weeks. A delay is no longer than
    it was, also where the clock was put back meanwhile.
    """
    message["enqueued_at"] = now
    if message.get("receipt_handle"):
        message["receive_count"] -= 1
        message.update(receipt_handle=None, visible_at=now)
    else:
        delay = max(0.0, message["visible_at"] - message["sent_at"])
        message["visible_at"] = min(message["visible_at"], now + delay)
