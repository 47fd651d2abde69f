"""Handles the invocations of the function of rings: each is one message (ADR live)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from governance.live import rings
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.frame import begin, counted
from governance.queue.message import Message, parse

HANDLERS: Mapping[DeliveryKind, Callable[[Mapping[str, Any]], Iterable[Message]]] = {
    DeliveryKind.RING: rings.ring,
    DeliveryKind.LIVE_END: rings.end,
}


def handle(event: Mapping[str, Any], context: object) -> None:
    """Handles a message, and sends those that follow. Lambda invokes the function again after an error."""
    begin(context)
    message = parse(json.dumps(event))
    with counted(message.kind):
        sending.send(HANDLERS[message.kind](message.body))
