"""Plans what cleans up after a deletion or departure, and does it (ADR cleanup)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from governance.deliveries.calendars.plans import plan_withdrawals
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.usecases.cleanup import delete_leftovers, leaves_something


def plan_cleanup(event: StoredEvent) -> Iterator[Message]:
    """Yields the messages that clean up after a deletion or departure: calendar invitations, then the rest.

    Calendar invitations come first, because the cleanup deletes the members.
    """
    yield from plan_withdrawals(event)
    if leaves_something(event):
        yield _cleanup_message(event)


def _cleanup_message(event: StoredEvent) -> Message:
    return Message(DeliveryKind.CLEANUP, event.board_id, event.model_dump(mode="json"))


def clean_up(stored: Mapping[str, Any]) -> Iterable[Message]:
    """Deletes what a recorded deletion left behind; what does not fit in follows by a message."""
    event = StoredEvent.model_validate(stored)
    return [] if delete_leftovers(event) else [_cleanup_message(event)]
