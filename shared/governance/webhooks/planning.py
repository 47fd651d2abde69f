"""Plans the deliveries of an event to webhooks: the rows that say what is to be sent, before any message (ADR
webhooks)."""

from __future__ import annotations

from functools import lru_cache

from governance.domain.events.webhooks import WebhookNamed
from governance.domain.webhooks import webhook as webhook_rules
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.history.event import Event, StoredEvent
from governance.models.queue import DeliveryKind
from governance.models.webhooks.webhook import StoredDelivery
from governance.queue.message import Message
from governance.scopes import Tier
from governance.store.boards import boards
from governance.store.transactions import transact
from governance.store.webhooks import webhook_deliveries, webhooks
from governance.store.writes import StaleRead, retry_stale_reads


def plan_webhooks(event: StoredEvent, now: Instant) -> list[Message]:
    """Stores a delivery for each webhook that subscribes to an event; returns the messages that begin them.

    A board without webhooks costs one read. A repeat stores nothing twice, and returns the messages again.
    """
    board = webhooks.of_board(event.board_id)
    planned = [
        webhook_rules.new_delivery(event, webhook, now)
        for webhook in board.webhooks
        if webhook_rules.receives(webhook, event)
    ]
    stored = retry_stale_reads(lambda: _store(planned)) if planned else []
    started = [(delivery.webhook_id, delivery.id) for delivery in stored if delivery.status == "pending"]
    if event.type is Event.WEBHOOK_REDELIVERED:
        named = WebhookNamed.of(event)
        started.append((named.webhook_id, named.webhook_delivery_id or ""))
    if not started:
        return []
    owner_id = _owner_id(event.board_id, hour=now[:13])
    return [_message(owner_id, event.board_id, *ids) for ids in started]


@lru_cache(maxsize=1000)
def _owner_id(board_id: BoardId, hour: str) -> str:  # noqa: ARG001 - a new owner is found an hour later at most
    """Returns the id of the user who owns a board; that of the board if it is being deleted."""
    return next((entry.user_id for entry in boards.roster(board_id) if entry.tier is Tier.OWNER), board_id)


def _store(planned: list[StoredDelivery]) -> list[StoredDelivery]:
    """Stores new deliveries, nearly always all of them; returns all, as they are stored."""
    try:
        transact([webhook_deliveries.create(delivery) for delivery in planned])
    except StaleRead:  # a repeat, or a test, which is stored with its event
        known = webhook_deliveries.stored_among(planned)
        missing = [delivery for delivery in planned if delivery.id not in known]
        if missing:
            transact([webhook_deliveries.create(delivery) for delivery in missing])
        return [known.get(delivery.id, delivery) for delivery in planned]
    return planned


def _message(owner_id: str, board_id: BoardId, webhook_id: str, delivery_id: str) -> Message:
    """Returns the message that begins a delivery; the owner of its board is its group in the queue."""
    body = {"ownerId": owner_id, "boardId": board_id, "webhookId": webhook_id, "deliveryId": delivery_id}
    return Message(DeliveryKind.WEBHOOK, owner_id, body)
