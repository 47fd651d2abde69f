"""The message that begins or continues an export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.models.queue import DeliveryKind
from governance.queue.message import Message


def export_message(stored: Mapping[str, Any]) -> Message:
    """Returns the message that begins a new, stored export."""
    return next_message(
        {"exportedId": stored["boardId"] or stored["userId"], "userId": stored["userId"], "exportId": stored["id"]}
    )


def next_message(body: Mapping[str, Any]) -> Message:
    """Returns the message that continues an export, whose last message had this body."""
    return Message(DeliveryKind.EXPORT, body["exportedId"], body)
