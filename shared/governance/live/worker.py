"""Handles the invocations of the function of rings: each is one message (ADR live)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from governance import deadline, delivery_queue, telemetry
from governance.delivery_queue import Message
from governance.live import rings
from governance.models.meetings.due import DeliveryKind
from governance.telemetry import Metric

HANDLERS: Mapping[DeliveryKind, Callable[[Mapping[str, Any]], Iterable[Message]]] = {
    DeliveryKind.RING: rings.ring,
    DeliveryKind.LIVE_END: rings.end,
}


def handle(event: Mapping[str, Any], context: object) -> None:
    """Handles a message, and sends those that follow. Lambda invokes the function again after an error."""
    telemetry.begin_invocation(context)
    deadline.begin(context)
    message = delivery_queue.parse(json.dumps(event))
    try:
        delivery_queue.send(HANDLERS[message.kind](message.body))
    except Exception as error:
        telemetry.log_error("delivery failed", error, kind=message.kind)
        telemetry.count(Metric.DELIVERIES_FAILED, message.kind)
        raise
