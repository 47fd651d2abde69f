"""Plans what follows from an event: the first message of its delivery (ADR 0100)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance import delivery_queue
from governance.delivery_queue import DeliveryKind, Message
from governance.domain import calendar as calendar_rules
from governance.events.delivery import deliver
from governance.events.webhook_planning import plan_webhooks
from governance.instants import now
from governance.models.event import StoredEvent
from governance.store import calendars
from governance.store.table import transact
from governance.usecases.board_order import move_in_lists
from governance.usecases.cleanup import delete_leftovers

_PATIENCE_SECONDS = 0


def event_message(stored: Mapping[str, Any]) -> Message:
    """Returns the message that begins the delivery of an event, given as it is stored.

    The event is not validated here: one that cannot be delivered ends in the dead-letter queue, with all that it holds.
    """
    return Message(DeliveryKind.EVENT, str(stored.get("boardId") or "none"), stored)


def plan_event(stored: Mapping[str, Any]) -> Iterable[Message]:
    """Delivers an event and does what follows from it: lists, cleanup, the calendar of its board."""
    event = StoredEvent.model_validate(stored)
    delivery_queue.send(plan_webhooks(event, now()))  # first: whatever delays an e-mail delays no webhook
    deliver(event, now(), _PATIENCE_SECONDS)
    move_in_lists(event)
    delete_leftovers(event)
    if calendar_rules.is_shown(event.type):
        transact([calendars.renew_stamp(event.board_id)])
    return []
