"""Plans what follows from an event: the first message of its delivery (ADR 0100)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance import delivery_queue
from governance.delivery_queue import DeliveryKind, Message
from governance.events.delivery import deliver
from governance.events.webhook_planning import plan_webhooks
from governance.instants import now
from governance.models.event import StoredEvent
from governance.usecases.board_order import move_in_lists
from governance.usecases.cleanup import delete_leftovers

_PATIENCE_SECONDS = 0


def event_message(stored: Mapping[str, Any]) -> Message:
    """Returns the message that begins the delivery of an event, given as it is stored.

    The event is not validated here: one that cannot be delivered ends in the dead-letter queue, with all that it holds.
    """
    return Message(DeliveryKind.EVENT, str(stored.get("boardId") or "none"), stored)


def plan_event(stored: Mapping[str, Any]) -> Iterable[Message]:
    """Delivers an event, moves the board that it changed in lists, and deletes what a deletion has left behind."""
    event = StoredEvent.model_validate(stored)
    delivery_queue.send(plan_webhooks(event, now()))  # first: whatever delays an e-mail delays no webhook
    deliver(event, now(), _PATIENCE_SECONDS)
    move_in_lists(event)
    delete_leftovers(event)
    return []
