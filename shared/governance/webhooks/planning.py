"""Plans the deliveries of an event to webhooks: the rows that say what is to be sent, before any message (ADR 0114)."""

from __future__ import annotations

from governance.delivery_queue import Message
from governance.domain import webhook as rules
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.due import DeliveryKind
from governance.models.event import Event, StoredEvent
from governance.models.webhook import StoredDelivery
from governance.store import webhook_deliveries, webhooks
from governance.store.table import transact
from governance.store.writes import StaleRead, retry_stale_reads


def plan_webhooks(event: StoredEvent, now: Instant) -> list[Message]:
    """Stores a delivery for each webhook that asks for an event; returns the messages that begin them.

    A board without webhooks costs one read. A repeat stores nothing twice, and returns the messages again.
    """
    if event.type is Event.WEBHOOK_REDELIVERED:
        again = [delivery_message(event.board_id, event.refs["webhookId"], event.refs["webhookDeliveryId"])]
    else:
        again = []
    board = webhooks.of_board(event.board_id)
    planned = [rules.new_delivery(event, webhook, now) for webhook in board.webhooks if rules.wants(webhook, event)]
    stored = retry_stale_reads(lambda: _store(planned)) if planned else []
    pending = [each for each in stored if each.status == "pending"]
    return again + [delivery_message(each.board_id, each.webhook_id, each.id) for each in pending]


def _store(planned: list[StoredDelivery]) -> list[StoredDelivery]:
    """Stores new deliveries, nearly always all of them; returns all, as they are stored."""
    try:
        transact([webhook_deliveries.create(each) for each in planned])
    except StaleRead:  # a repeat, or a test, which is stored with its event
        known = webhook_deliveries.existing(planned)
        missing = [each for each in planned if each.id not in known]
        if missing:
            transact([webhook_deliveries.create(each) for each in missing])
        return [known.get(each.id, each) for each in planned]
    return planned


def delivery_message(
    board_id: BoardId, webhook_id: str, delivery_id: str, delay_seconds: float = 0, *, woken: bool = False
) -> Message:
    """Returns the message that asks for the next attempt of a delivery; its board is its group in the queue.

    A delivery that waits for a permit is `woken` by a second message, while its own is still in the queue.
    """
    body = {
        "boardId": board_id,
        "webhookId": webhook_id,
        "deliveryId": delivery_id,
        **({"woken": True} if woken else {}),
    }
    return Message(DeliveryKind.WEBHOOK, board_id, body, delay_seconds)
