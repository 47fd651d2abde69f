"""The messages that start the making of a board pack, or of a file of minutes."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.queue import DeliveryKind
from governance.queue.message import Message


def pack_message(board_id: BoardId, document_id: str, version_id: str, delay_seconds: float = 0) -> Message:
    """Returns the message that starts the making of a pack, at once or after some seconds."""
    return _message(DeliveryKind.BOARD_PACK, board_id, document_id, version_id, delay_seconds)


def minutes_file_message(board_id: BoardId, document_id: str, version_id: str, delay_seconds: float = 0) -> Message:
    """Returns the message that starts the making of a file of minutes, at once or after some seconds."""
    return _message(DeliveryKind.MINUTES_FILE, board_id, document_id, version_id, delay_seconds)


def _message(kind: DeliveryKind, board_id: BoardId, document_id: str, version_id: str, seconds: float) -> Message:
    return Message(kind, board_id, {"boardId": board_id, "documentId": document_id, "versionId": version_id}, seconds)
