"""A notification of an event that is planned, and the messages of the queue about its recipients (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from governance.domain.events.kind import EventKind, Notification, P
from governance.domain.events.registry import KINDS
from governance.ids import UserId
from governance.models.history.event import StoredEvent
from governance.models.notifications.recipients import Addressees, RecipientBatch, RecipientKind
from governance.models.queue import DeliveryKind
from governance.queue.message import Message


@dataclass(frozen=True)
class Planned(Generic[P]):
    """A notification of an event. `user_ids` are its recipients where they were found with the event."""

    event: StoredEvent
    payload: P
    notification: Notification[P]
    user_ids: Sequence[UserId] | None = None


def planned(
    kind: EventKind[P], event: StoredEvent, payload: P, user_ids: Sequence[UserId] | None = None
) -> Iterator[Planned[P]]:
    """Yields the notification of an event of this kind; nothing if it notifies nobody."""
    if (notification := kind.notification_of(event, payload)) is not None:
        yield Planned(event, payload, notification, user_ids)


def recipients_message(
    kind: DeliveryKind, plan: Planned[Any], to: Addressees, throttled: int = 0, delay: float = 0
) -> Message:
    """Returns the message about a notification of these recipients, who are all of one kind."""
    batch = RecipientBatch(
        event=plan.event,
        tokens_left=plan.payload.variant == "left",  # the release before reads it
        kind=RecipientKind.PERSON if to.person_ids else RecipientKind.USER,
        user_ids=(*to.user_ids, *to.person_ids),
        throttled=throttled,
    )
    return Message(kind, plan.event.board_id, batch.model_dump(mode="json"), delay)


def planned_in(batch: RecipientBatch) -> Planned[Any]:
    """Returns the notification in a message of the queue. Raises `ValueError` if the event has none."""
    kind = KINDS[batch.event.type]
    payload = kind.payload.of(batch.event)
    for plan in planned(kind, batch.event, payload):
        return plan
    raise ValueError("nobody is notified of this event")
