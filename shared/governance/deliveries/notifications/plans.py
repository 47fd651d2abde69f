"""Plans notifications: a message for each batch of the recipients of each (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from governance.deliveries.notifications.consequences import notifications_of
from governance.deliveries.notifications.planned import Planned, recipients_message
from governance.deliveries.notifications.recipients import recipients_of
from governance.domain.boards.example_board import character_ids
from governance.instants import now
from governance.limits import TRANSACTION_WRITES
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.boards import boards

_RECIPIENTS_PER_MESSAGE = TRANSACTION_WRITES
"""Their notifications are written in one transaction."""


def plan_notifications(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each hundred recipients of each notification of the event.

    Nobody is notified of what the made-up members of an example board do.
    """
    if event.actor_user_id not in character_ids(event.board_id):
        yield from messages_of(notifications_of(event, now()))


def messages_of(plans: Iterable[Planned[Any]]) -> Iterator[Message]:
    """Yields a message for each hundred recipients of these notifications."""
    roster = cache(boards.roster)  # an opened draft has many
    for plan in plans:
        for batch in recipients_of(plan, roster).batches(_RECIPIENTS_PER_MESSAGE):
            yield recipients_message(DeliveryKind.NOTIFICATIONS, plan, batch)
