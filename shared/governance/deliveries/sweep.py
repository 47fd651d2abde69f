"""Sends what is due soon to its queue; called once a minute (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from governance import deadline, instants, telemetry
from governance.instants import Instant, seconds_until, shift
from governance.limits import DUE_AHEAD_SECONDS
from governance.models.queue import DueMessage
from governance.queue import sending
from governance.queue.message import Message
from governance.store.due import due_before
from governance.store.dynamodb import run_async
from governance.store.schema.keys import Key
from governance.store.transactions import delete_all
from governance.telemetry import Metric

_BATCH = 250
"""Messages that are read from each partition in one step."""
_BATCH_SECONDS = 15.0


def sweep() -> int:
    """Sends the messages that are due soon, then forgets that they were due; returns how many.

    If it is killed between the two, they are sent again by the next sweep, which does no harm.
    """
    swept = 0
    while deadline.has_time(_BATCH_SECONDS):
        started = instants.now()
        parts = due_before(shift(started, seconds=DUE_AHEAD_SECONDS), _BATCH)
        if not parts:
            break
        for part in [run_async(partial(_hand_on, due, started)) for due in parts]:
            swept += part.result()
    telemetry.count(Metric.SWEEPS)
    return swept


def _hand_on(due: Mapping[Key, DueMessage], now: Instant) -> int:
    sending.send(_message(message, now) for message in due.values())
    delete_all(due)
    return len(due)


def _message(due: DueMessage, now: Instant) -> Message:
    """Returns a message that the queue delays until it is due, so that it is neither early nor late by a sweep."""
    return Message(due.kind, due.group, due.body, max(0.0, seconds_until(due.due_at, now)))
