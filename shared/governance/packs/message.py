"""The message that starts the making of a board pack."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.queue import DeliveryKind
from governance.queue.message import Message


def pack_message(board_id: BoardId, document_id: str, version_id: str, delay_seconds: float = 0) -> Message:
    """Returns the message that starts the making of a pack, at once or after some seconds."""
    body = {"boardId": board_id, "documentId": document_id, "versionId": version_id}
    return Message(DeliveryKind.BOARD_PACK, board_id, body, delay_seconds)
