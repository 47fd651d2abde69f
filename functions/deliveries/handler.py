"""What follows from events: notifications, mails, cleanup, and what is due later (ADR deliveries)."""

from __future__ import annotations

from typing import Any

from governance import deadline, telemetry
from governance.deliveries import worker
from governance.deliveries.sweep import sweep


def lambda_handler(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of messages, or the tick of the clock, which hands on what is due."""
    if "Records" in event:
        return worker.handle(event, context)
    telemetry.begin_invocation(context)
    deadline.begin(context)
    return {"swept": sweep()}
