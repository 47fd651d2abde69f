"""Makes the attempts to deliver events to webhooks (ADR webhooks).

A lease on the row of a delivery gives it to one worker at a time. Permits of the owner of its board limit the number of
simultaneous attempts, and a failing webhook gets one attempt at a time. If a worker is killed, its lease
and permits expire, and its message returns. A delivery that may not be attempted yet goes back to the queue.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from governance import telemetry
from governance.domain.webhooks import webhook as webhook_rules
from governance.domain.webhooks import webhook_delivery
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.ids import BoardId
from governance.instants import Instant, now, seconds_until, shift
from governance.limits import QUEUE_DELAY_SECONDS, WEBHOOK_ATTEMPT_SECONDS
from governance.models.queue import DeliveryKind, DueMessage
from governance.models.webhooks.webhook import StoredDelivery, StoredWebhook, StoredWebhooks, WebhookDisabledReason
from governance.queue.message import Message
from governance.store import due
from governance.store.quotas import QuotaClaim, QuotaUsage
from governance.store.schema.entities import WEBHOOK_DELIVERY
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.webhooks import webhook_deliveries, webhook_secrets, webhooks
from governance.store.webhooks.webhook_deliveries import WebhookState
from governance.store.writes import retry_stale_reads
from governance.telemetry import Metric
from governance.usecases.webhooks.webhooks import disabling
from governance.webhooks import client
from governance.webhooks.lanes import lane_for, permit_keys, permits

_LEASE_SECONDS = 3 * WEBHOOK_ATTEMPT_SECONDS


@dataclass(frozen=True)
class DeliveryJob:
    """A delivery with the items that its attempt needs, read in one batch; `body` is that of its message."""

    body: Mapping[str, Any]
    owner_id: str
    board: StoredWebhooks
    webhook: StoredWebhook
    delivery: StoredDelivery
    state: WebhookState
    permits: QuotaUsage

    @property
    def lane(self) -> DeliveryKind:
        """The lane that the receiver belongs to."""
        return lane_for(slow=self.state.slow)

    def message(self, delay_seconds: float) -> Message:
        """Returns the message of the delivery's next attempt."""
        return Message(self.lane, self.owner_id, self.body, delay_seconds)


@dataclass(frozen=True)
class Attempt:
    """An attempt that has begun: the delivery with its lease, the permit, and whether it probes a failing webhook."""

    job: DeliveryJob
    delivery: StoredDelivery
    permit: QuotaClaim
    began: Instant
    probes: bool


def attempt_delivery(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes the due attempt; returns the message of the next one, if the queue is to keep it until then.

    An attempt at a slow receiver is left to the slow lane.
    """
    return _handle(body, {DeliveryKind.WEBHOOK})


def attempt_slow_delivery(body: Mapping[str, Any]) -> Iterable[Message]:
    """Does the same in the slow lane, even for a receiver that is no longer slow."""
    return _handle(body, {DeliveryKind.WEBHOOK, DeliveryKind.SLOW_WEBHOOK})


def _handle(body: Mapping[str, Any], lanes: Container[DeliveryKind]) -> list[Message]:
    started = retry_stale_reads(lambda: _start(body, lanes, now()))
    if not isinstance(started, Attempt):
        return [started] if started else []
    answer = _send(started.job.webhook, started.delivery, started.began)
    return retry_stale_reads(lambda: _conclude(started, answer, now()))


def _start(body: Mapping[str, Any], lanes: Container[DeliveryKind], now: Instant) -> Attempt | Message | None:
    """Begins an attempt in one of these lanes; returns the message for later, if any, if it may not begin yet."""
    job = _read(body)
    if job is None or job.delivery.status != "pending":
        return None
    if wait := _wait(job, now):
        return job.message(wait) if wait <= QUEUE_DELAY_SECONDS else None
    if not job.webhook.enabled:
        ended = webhook_delivery.give_up(job.delivery, "webhook_disabled", now)
        transact([webhook_deliveries.replace(job.delivery, ended)])
        return None
    if job.lane not in lanes:
        return job.message(0)
    if job.permits.is_exhausted(now) or job.state.is_probed(now):
        return job.message(webhook_delivery.pause_without_permit(job.delivery, now, random.random()))  # noqa: S311
    return _begin(job, now)


def _read(body: Mapping[str, Any]) -> DeliveryJob | None:
    """Reads a delivery with its webhook; None if one of them was deleted."""
    board_id, webhook_id = BoardId(body["boardId"]), body["webhookId"]
    owner_id = body.get("ownerId", board_id)  # the release before names no owner
    key = WEBHOOK_DELIVERY.key_for(boardId=board_id, webhookId=webhook_id, deliveryId=body["deliveryId"])
    state_key = webhook_deliveries.state_key(board_id, webhook_id)
    items = read([webhooks.key(board_id), key, state_key, *permit_keys(owner_id)])
    board = webhooks.from_item(board_id, items.get(webhooks.key(board_id)))
    webhook, item = webhook_rules.find(board, webhook_id), items.get(key)
    if webhook is None or item is None:
        return None
    state = WebhookState(state_key, items.get(state_key, {}))
    usage = permits(owner_id, lane_for(slow=state.slow), items)
    return DeliveryJob(body, owner_id, board, webhook, webhook_deliveries.from_item(item), state, usage)


def _wait(job: DeliveryJob, now: Instant) -> float:
    """Returns the seconds until the delivery may be tried: it is not due yet, or another worker has it."""
    until = max(job.delivery.due_at, job.delivery.leased_until or job.delivery.due_at)
    return max(0.0, seconds_until(until, now))


def _begin(job: DeliveryJob, now: Instant) -> Attempt:
    """Takes the delivery and a permit of its owner. Raises `StaleRead` if another worker was faster."""
    until = shift(now, seconds=_LEASE_SECONDS)
    leased, permit = webhook_delivery.lease(job.delivery, until), job.permits.claim(now)
    probe = job.state.probe(now, until)
    transact([webhook_deliveries.replace(job.delivery, leased), permit.take, *probe])
    return Attempt(job, leased, permit, now, probes=bool(probe))


def _send(webhook: StoredWebhook, delivery: StoredDelivery, now: Instant) -> AttemptResult:
    """Signs the event and sends it."""
    content = webhook_delivery.body(delivery)
    secrets = webhook_rules.signing_secrets(webhook, now)
    keys = [_signing_key(encrypted, delivery.board_id, webhook.id) for encrypted in secrets]
    if not delivery.attempts:
        telemetry.measure(Metric.WEBHOOK_DELAY, round(seconds_until(now, delivery.occurred_at) * 1000))
    answer = client.post(webhook.url, webhook_delivery.headers(delivery, content, keys, now), content)
    telemetry.count(Metric.WEBHOOK_ATTEMPTS, "succeeded" if answer.accepted else "failed")
    return answer


@lru_cache(maxsize=1000)
def _signing_key(encrypted: str, board_id: BoardId, webhook_id: str) -> bytes:
    """Returns the key of a stored secret; decrypted once in an environment, which lives for hours at most."""
    return webhook_rules.secret_key(webhook_secrets.decrypt(encrypted, board_id, webhook_id))


def _conclude(attempt: Attempt, answer: AttemptResult, now: Instant) -> list[Message]:
    """Stores the result of an attempt, all of it or nothing; returns the message of the next attempt."""
    job, leased = _read(attempt.job.body), attempt.delivery
    if job is None:
        transact([attempt.permit.release])
        return []
    noted = job.state.note(accepted=answer.accepted, slow=answer.slow, probed=attempt.probes, now=now)
    ended = [attempt.permit.release, *noted]
    if job.delivery.version != leased.version:  # it was requested again meanwhile; that message waits for the lease
        other = webhook_delivery.note_attempt(job.delivery, leased.leased_until, answer, attempt.began)
        transact([webhook_deliveries.replace(job.delivery, other), *ended])
        return [job.message(0)]
    done = webhook_delivery.conclude(leased, answer, attempt.began, now, random.random())  # noqa: S311 - jitter
    wait = seconds_until(done.due_at, now) if done.status == "pending" else 0.0
    kept = [due.put(_due(job, done))] if wait > QUEUE_DELAY_SECONDS else []
    reason = _reason_to_disable(job, answer, attempt.began, now)
    disabled = disabling(job.board, job.webhook, reason, now) if reason else []
    transact([webhook_deliveries.replace(leased, done), *ended, *kept, *disabled])
    if reason:
        telemetry.count(Metric.WEBHOOKS_DISABLED, reason)
    return [job.message(wait)] if 0 < wait <= QUEUE_DELAY_SECONDS else []


def _due(job: DeliveryJob, delivery: StoredDelivery) -> DueMessage:
    """Returns the message of the next attempt for a delivery that is due later than the queue can delay it."""
    return DueMessage(
        kind=DeliveryKind.WEBHOOK,  # which the release before knows
        due_at=delivery.due_at,
        group=job.owner_id,
        subject_id=delivery.id,
        body=dict(job.body),
    )


def _reason_to_disable(
    job: DeliveryJob, answer: AttemptResult, began: Instant, now: Instant
) -> WebhookDisabledReason | None:
    """Returns why this result disables the webhook; None if it does not, or came from an earlier URL."""
    if answer.accepted or not job.webhook.enabled or began < job.webhook.failures_count_from:
        return None
    if answer.gone:
        return "gone"
    return "failing" if webhook_rules.has_failed_too_long(job.webhook, job.state.failing_since, now) else None
