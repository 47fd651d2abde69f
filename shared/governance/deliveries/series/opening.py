"""Opens the occurrences of a series that are due (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.errors import suppress_not_found
from governance.ids import BoardId
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.usecases.series.opening import complete_opening, open_due


def open_due_occurrences(body: Mapping[str, Any]) -> Iterable[Message]:
    """Opens what is due of a series, or moves what is still to move of a meeting that was opened.

    Returns its message again if there was more than fits into an invocation.
    """
    board_id = BoardId(body["boardId"])
    with suppress_not_found():  # the board was just deleted
        meeting_id = body.get("meetingId")
        if not (complete_opening(board_id, meeting_id) if meeting_id else open_due(board_id, body["seriesId"])):
            return [Message(DeliveryKind.OPENING, board_id, body)]
    return []
