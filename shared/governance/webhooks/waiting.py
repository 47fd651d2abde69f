"""Deliveries that wait because enough attempts at their webhook are being made (ADR 0123).

Such a delivery is noted as waiting, and a worker that ends an attempt wakes one that waits. So that nothing depends on
that worker, the message of a delivery that waits comes back by itself, too, though much later.
"""

from __future__ import annotations

import random

from governance.delivery_queue import Message
from governance.ids import BoardId
from governance.instants import now
from governance.limits import WEBHOOK_CONCURRENCY
from governance.models.webhook import StoredDelivery
from governance.store import webhook_deliveries
from governance.store.table import transact
from governance.store.writes import StaleRead
from governance.webhooks.planning import delivery_message

_COMES_BACK_SECONDS = (600, 900)
_CANDIDATES = 2 * WEBHOOK_CONCURRENCY
"""More than there are workers that wake deliveries of one webhook at the same time, so that each finds one."""


def wait_for_permit(delivery: StoredDelivery, permits: int, *, woken: bool) -> list[Message]:
    """Notes that a delivery waits for one of the permits of its webhook; returns its message, which comes back late.

    One that was woken has its own message in the queue already. An attempt may have ended before the note was there:
    it is then for this worker to wake a delivery.
    """
    board_id, webhook_id = delivery.board_id, delivery.webhook_id
    transact([webhook_deliveries.put_waiting(delivery)])
    delay = random.uniform(*_COMES_BACK_SECONDS)  # noqa: S311 - jitter
    own = [] if woken else [delivery_message(board_id, webhook_id, delivery.id, delay)]
    return [*own, *wake_one(board_id, webhook_id, permits)]


def wake_one(board_id: BoardId, webhook_id: str, permits: int) -> list[Message]:
    """Returns the message of one of the oldest deliveries that wait, if there is any and a permit is free."""
    waiting = webhook_deliveries.first_waiting(board_id, webhook_id, _CANDIDATES)
    if not waiting or not webhook_deliveries.read_state(board_id, webhook_id).free_permits(permits, now()):
        return []
    random.shuffle(waiting)
    for delivery_id in waiting:
        try:
            transact([webhook_deliveries.remove_waiting(board_id, webhook_id, delivery_id)])
        except StaleRead:  # another worker wakes this one
            continue
        return [delivery_message(board_id, webhook_id, delivery_id, woken=True)]
    return []
