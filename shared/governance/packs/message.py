"""The message that starts the making of a board pack."""

from __future__ import annotations

from governance.delivery_queue import Message
from governance.ids import BoardId
from governance.models.meetings.due import DeliveryKind


def pack_message(board_id: BoardId, document_id: str, version_id: str, delay_seconds: float = 0) -> Message:
    """Returns the message that starts the making of a pack, at once or after some seconds."""
    body = {"boardId": board_id, "documentId": document_id, "versionId": version_id}
    return Message(DeliveryKind.BOARD_PACK, board_id, body, delay_seconds)
