"""Keeps the certificate of a closed resolution outside the table, after which it may be read (ADR restore)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.domain.events.resolutions import OfResolution
from governance.ids import BoardId
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.settings import settings
from governance.usecases.resolutions.keeping import keep


def plan_certificate(event: StoredEvent) -> Iterable[Message]:
    """Returns the message that keeps the certificate of a resolution; none without a bucket to keep it in."""
    if not settings().revocations_bucket:
        return []
    body = {"boardId": event.board_id, "resolutionId": OfResolution.of(event).resolution_id}
    return [Message(DeliveryKind.CERTIFICATE, event.board_id, body)]


def keep_certificate(body: Mapping[str, Any]) -> Iterable[Message]:
    """Keeps a certificate, once; nothing follows."""
    keep(BoardId(body["boardId"]), body["resolutionId"])
    return []
