"""A message of the queues, and the text that a queue keeps of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance import instants
from governance.limits import QUEUE_DELAY_SECONDS
from governance.models.queue import DeliveryKind


@dataclass(frozen=True)
class Message:
    """A message of the queue.

    `group` is what the message belongs to, usually a board: the queue serves groups with few messages before those with
    many. `body` holds what the handler needs, as JSON. `delay_seconds` is how long the message waits at least.
    """

    kind: DeliveryKind
    group: str
    body: Mapping[str, Any]
    delay_seconds: float = 0

    def to_json(self) -> str:
        """Returns the text that the queue keeps; `dueAt` (in seconds since 1970) is for what it cannot delay itself."""
        due = {"dueAt": _now() + self.delay_seconds} if self.delay_seconds > QUEUE_DELAY_SECONDS else {}
        return json.dumps({"kind": self.kind, "group": self.group, "body": self.body, **due}, separators=(",", ":"))


def parse(text: str) -> Message:
    """Returns the message that the queue kept, with its remaining delay. Raises `ValueError` for any other text."""
    try:
        content = json.loads(text)
        delay = max(0.0, content.get("dueAt", 0) - _now())
        return Message(DeliveryKind(content["kind"]), content["group"], content["body"], delay)
    except (KeyError, TypeError, AttributeError):
        raise ValueError("The text holds no message of the queue.") from None


def _now() -> float:
    return instants.to_datetime(instants.now()).timestamp()
