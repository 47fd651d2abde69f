"""Opens the occurrences of a series that are due (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.errors import suppress_not_found
from governance.ids import BoardId
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.usecases.series.opening import open_due


def open_due_occurrences(body: Mapping[str, Any]) -> Iterable[Message]:
    """Opens what is due of a series; returns its message again if there was more than fits into an invocation."""
    with suppress_not_found():  # the board was just deleted
        if not open_due(BoardId(body["boardId"]), body["seriesId"]):
            return [Message(DeliveryKind.OPENING, body["boardId"], body)]
    return []
