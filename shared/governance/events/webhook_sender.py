"""The function that sends events to webhooks: by messages of its queue, and by a clock for those that wait long."""

from __future__ import annotations

from typing import Any

from governance import deadline, telemetry
from governance.events import worker
from governance.events.webhook_sweep import sweep


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of messages, or the tick of the clock."""
    if "Records" in event:
        return worker.handle(event, context)
    telemetry.begin_invocation(context)
    deadline.begin(context)
    return {"swept": sweep()}
