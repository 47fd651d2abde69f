"""Makes the attempts to deliver events to webhooks (ADR 0114).

A lease on the row of a delivery gives it to one worker at a time. Permits in the state of a webhook limit the attempts
at the webhook at the same time. A worker that is killed leaves both behind: they expire, and its message returns.
A delivery that finds no permit waits until the end of an attempt wakes it (`governance.webhooks.waiting`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from governance import telemetry
from governance.delivery_queue import Message
from governance.domain import webhook as rules
from governance.domain import webhook_delivery
from governance.domain.webhook_delivery import Answer
from governance.ids import BoardId
from governance.instants import Instant, now, seconds_until, shift
from governance.limits import WEBHOOK_ATTEMPT_SECONDS
from governance.models.due import DueMessage
from governance.models.webhook import DisabledReason, StoredDelivery, StoredWebhook, StoredWebhooks
from governance.store import due, webhook_deliveries, webhook_secrets, webhooks
from governance.store.schema.entities import WEBHOOK_DELIVERY
from governance.store.table import read, transact
from governance.store.webhook_deliveries import WebhookState
from governance.store.writes import StaleRead, retry_stale_reads
from governance.telemetry import Metric
from governance.usecases.webhooks import disabling
from governance.webhooks import client
from governance.webhooks.planning import delivery_message
from governance.webhooks.waiting import wait_for_permit, wake_one

_LEASE_SECONDS = 3 * WEBHOOK_ATTEMPT_SECONDS
QUEUED_SECONDS = 900
"""The longest time for which the queue keeps a delivery; a later one is kept in the table."""


@dataclass(frozen=True)
class Job:
    """A delivery with what its attempt needs, as it was read in one batch."""

    board: StoredWebhooks
    webhook: StoredWebhook
    delivery: StoredDelivery
    state: WebhookState

    @property
    def permits(self) -> int:
        """How many attempts at the webhook may be made at the same time."""
        return rules.attempts_at_a_time(self.board)


def attempt_delivery(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes the attempt that is due; returns the messages that follow.

    They are the delivery's own for its next attempt, if the queue is to keep it until then, and that of another
    delivery, if one waits for the permit that is now free.
    """
    job = _read(body)
    if job is None:
        return []
    began = now()
    if not _is_ready(job, began):
        following = _later(job, began)
    elif taken := _take(job, began):
        following = _attempt(job, *taken, began)
    else:
        return wait_for_permit(job.delivery, job.permits, woken="woken" in body)
    return [*following, *wake_one(job.board.board_id, job.webhook.id, job.permits)]


def _is_ready(job: Job, now: Instant) -> bool:
    """Returns whether an attempt may begin as soon as a permit is free."""
    return job.delivery.status == "pending" and job.webhook.enabled and _wait(job, now) == 0


def _later(job: Job, now: Instant) -> list[Message]:
    """Returns the message of a delivery that is to be tried later; gives up one whose webhook is disabled."""
    if job.delivery.status != "pending":
        return []
    wait = _wait(job, now)
    if wait == 0:
        _give_up(job, now)
    return [_message(job.delivery, wait)] if 0 < wait <= QUEUED_SECONDS else []


def _attempt(job: Job, delivery: StoredDelivery, permit: str, began: Instant) -> list[Message]:
    """Sends the event and stores the result; returns the message of the next attempt."""
    answer = _send(job.webhook, delivery, began)
    return retry_stale_reads(lambda: _conclude(delivery, permit, answer, began, now()))


def _read(body: Mapping[str, Any]) -> Job | None:
    """Reads a delivery with its webhook; None if one of them was deleted."""
    board_id, webhook_id = BoardId(body["boardId"]), body["webhookId"]
    key = WEBHOOK_DELIVERY.key_for(boardId=board_id, webhookId=webhook_id, deliveryId=body["deliveryId"])
    state_key = webhook_deliveries.state_key(board_id, webhook_id)
    items = read([webhooks.key(board_id), key, state_key])
    board = webhooks.from_item(board_id, items.get(webhooks.key(board_id)))
    webhook, item = rules.find(board, webhook_id), items.get(key)
    if webhook is None or item is None:
        return None
    state = WebhookState(state_key, items.get(state_key, {}))
    return Job(board, webhook, webhook_deliveries.from_item(item), state)


def _wait(job: Job, now: Instant) -> float:
    """Returns the seconds until the delivery may be tried: it is not due yet, or another worker has it."""
    until = max(job.delivery.due_at, job.delivery.leased_until or job.delivery.due_at)
    return max(0.0, seconds_until(until, now))


def _message(delivery: StoredDelivery, delay_seconds: float) -> Message:
    return delivery_message(delivery.board_id, delivery.webhook_id, delivery.id, delay_seconds)


def _give_up(job: Job, now: Instant) -> None:
    """Ends a delivery to a webhook that is disabled, unless it changed meanwhile."""
    ended = webhook_delivery.give_up(job.delivery, "webhook_disabled", now)
    transact([webhook_deliveries.replace(job.delivery, ended)])


def _take(job: Job, now: Instant) -> tuple[StoredDelivery, str] | None:
    """Takes the delivery and a permit of its webhook; None if no permit is free, or another worker was faster."""
    permits = job.state.free_permits(job.permits, now)
    if not permits:
        return None
    permit = random.choice(permits)  # noqa: S311 - no secret
    until = shift(now, seconds=_LEASE_SECONDS)
    leased = webhook_delivery.lease(job.delivery, until)
    try:
        transact([webhook_deliveries.replace(job.delivery, leased), job.state.take(permit, now, until)])
    except StaleRead:
        return None
    return leased, permit


def _send(webhook: StoredWebhook, delivery: StoredDelivery, now: Instant) -> Answer:
    """Signs the event and sends it."""
    content = webhook_delivery.body(delivery)
    secrets = rules.signing_secrets(webhook, now)
    keys = [_signing_key(encrypted, delivery.board_id, webhook.id) for encrypted in secrets]
    if not delivery.attempts:
        telemetry.measure(Metric.WEBHOOK_DELAY, round(seconds_until(now, delivery.occurred_at) * 1000))
    answer = client.post(webhook.url, webhook_delivery.headers(delivery, content, keys, now), content)
    telemetry.count(Metric.WEBHOOK_ATTEMPTS, "succeeded" if answer.accepted else "failed")
    return answer


@lru_cache(maxsize=1000)
def _signing_key(encrypted: str, board_id: BoardId, webhook_id: str) -> bytes:
    """Returns the key of a stored secret; decrypted once in an environment, which lives for hours at most."""
    return rules.secret_key(webhook_secrets.decrypt(encrypted, board_id, webhook_id))


def _conclude(leased: StoredDelivery, permit: str, answer: Answer, began: Instant, now: Instant) -> list[Message]:
    """Stores what came of an attempt, all of it or nothing; returns the message of the next attempt."""
    job = _read({"boardId": leased.board_id, "webhookId": leased.webhook_id, "deliveryId": leased.id})
    if job is None:
        return []
    release = job.state.release(permit, accepted=answer.accepted, now=now)
    if job.delivery.version != leased.version:  # it was asked for again meanwhile; that message waits for the lease
        noted = webhook_delivery.note_attempt(job.delivery, leased.leased_until, answer, began)
        transact([webhook_deliveries.replace(job.delivery, noted), release])
        return [_message(noted, 0)]
    done = webhook_delivery.conclude(leased, answer, began, now, random.random())  # noqa: S311 - jitter
    wait = seconds_until(done.due_at, now) if done.status == "pending" else 0.0
    kept = [due.put(_due(done))] if wait > QUEUED_SECONDS else []
    reason = _reason_to_disable(job, answer, began, now)
    disabled = disabling(job.board, job.webhook, reason, now) if reason else []
    transact([webhook_deliveries.replace(leased, done), release, *kept, *disabled])
    if reason:
        telemetry.count(Metric.WEBHOOKS_DISABLED, reason)
    return [_message(done, wait)] if 0 < wait <= QUEUED_SECONDS else []


def _due(delivery: StoredDelivery) -> DueMessage:
    """Returns the message of the next attempt for a delivery that is due later than the queue can delay it."""
    message = _message(delivery, 0)
    return DueMessage(
        kind=message.kind,
        due_at=delivery.due_at,
        group=message.group,
        subject_id=delivery.id,
        body=dict(message.body),
    )


def _reason_to_disable(job: Job, answer: Answer, began: Instant, now: Instant) -> DisabledReason | None:
    """Returns why this answer disables the webhook; None if it does not, or came from an earlier URL."""
    if answer.accepted or not job.webhook.enabled or began < job.webhook.failures_count_from:
        return None
    if answer.gone:
        return "gone"
    return "failing" if rules.has_failed_too_long(job.webhook, job.state.failing_since, now) else None
