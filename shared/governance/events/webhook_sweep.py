"""Hands deliveries that are due soon to the queue; called once a minute (ADR 0114)."""

from __future__ import annotations

from governance import deadline, delivery_queue
from governance.events.webhook_planning import delivery_message, seconds_until
from governance.instants import now, shift
from governance.store.table import delete_all
from governance.store.webhook_deliveries import DueDelivery, due_before

_AHEAD_SECONDS = 90
"""The queue keeps them for the rest of the time, so that they are not late by the minute between two sweeps."""
_BATCH = 100
_BATCH_SECONDS = 15.0


def sweep() -> int:
    """Sends a message for each delivery that is due soon, then forgets that it was due; returns how many.

    If it is killed between the two, the message is sent again by the next sweep, which does no harm.
    """
    swept = 0
    while deadline.has_time(_BATCH_SECONDS):
        moment = now()
        due = due_before(shift(moment, seconds=_AHEAD_SECONDS), _BATCH)
        if not due:
            break
        delivery_queue.send(_message(each, max(0.0, seconds_until(each.due_at, moment))) for each in due)
        delete_all(each.key for each in due)
        swept += len(due)
    return swept


def _message(due: DueDelivery, delay_seconds: float) -> delivery_queue.Message:
    return delivery_message(due.board_id, due.webhook_id, due.delivery_id, delay_seconds)
