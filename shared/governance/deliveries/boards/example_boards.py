"""Fills an example board, by as many messages as it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.ids import BoardId
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.usecases.boards.example_boards import fill_example_board


def plan_example_board(event: StoredEvent) -> Iterable[Message]:
    """Returns the message that begins to fill a new example board."""
    return [_example_board_message(event.board_id)]


def _example_board_message(board_id: BoardId) -> Message:
    return Message(DeliveryKind.EXAMPLE_BOARD, board_id, {"boardId": board_id})


def fill(body: Mapping[str, Any]) -> Iterable[Message]:
    """Fills an example board; what does not fit in follows by a message."""
    board_id = BoardId(body["boardId"])
    return [] if fill_example_board(board_id) else [_example_board_message(board_id)]
