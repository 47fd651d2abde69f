"""The delivery of an event to a webhook: what is sent, how it is signed, and when it is sent again (ADR webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from governance.instants import Instant, epoch, from_millis, millis, seconds_until
from governance.limits import QUEUE_DELAY_SECONDS, WEBHOOK_ATTEMPTS_KEPT, WEBHOOK_SLOW_SECONDS
from governance.models.webhooks.webhook import DeliveryAttempt, StoredDelivery

_MINUTE, _HOUR = 60, 3600
RETRY_SECONDS = (
    5,
    5 * _MINUTE,
    30 * _MINUTE,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    24 * _HOUR,
)
"""The least time after each attempt but the last one."""
_JITTER = 0.2
"""The share of that time by which an attempt may be later, so that the retries of an outage are spread."""
_LONGEST_WAIT_SECONDS = 24 * _HOUR
_FIRST_PAUSE_SECONDS = 2
_GONE = 410
USER_AGENT = "board-governance-webhooks"


@dataclass(frozen=True)
class AttemptResult:
    """The result of an attempt: the status of the response, or why there was none.

    `retry_after` is the number of seconds after which the receiver asks to try again.
    """

    status_code: int | None
    error: str | None
    duration_ms: int
    retry_after: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether the receiver took the event."""
        return self.status_code is not None and 200 <= self.status_code < 300

    @property
    def slow(self) -> bool:
        """Whether the receiver took long."""
        return self.duration_ms > WEBHOOK_SLOW_SECONDS * 1000

    @property
    def gone(self) -> bool:
        """Whether the receiver wants no more deliveries."""
        return self.status_code == _GONE


def body(delivery: StoredDelivery) -> bytes:
    """Returns the body of a delivery, the same in every attempt: ids only, no titles and no names."""
    content = {
        "type": delivery.type,
        "timestamp": delivery.occurred_at,
        "data": {"boardId": delivery.board_id, **delivery.refs},
    }
    return json.dumps(content, separators=(",", ":")).encode()


def headers(delivery: StoredDelivery, content: bytes, keys: Iterable[bytes], now: Instant) -> Mapping[str, str]:
    """Returns the headers of an attempt as Standard Webhooks has them, with a signature by each key."""
    timestamp = str(epoch(now))
    return {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": delivery.event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(sign(key, delivery.event_id, timestamp, content) for key in keys),
    }


def sign(key: bytes, event_id: str, timestamp: str, content: bytes) -> str:
    """Returns the signature of a body by a key: the first version of Standard Webhooks."""
    signed = f"{event_id}.{timestamp}.".encode() + content
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def lease(delivery: StoredDelivery, until: Instant) -> StoredDelivery:
    """Returns a delivery whose next attempt one worker has taken."""
    return delivery.model_copy(update={"leased_until": until, "version": delivery.version + 1})


def conclude(
    delivery: StoredDelivery, answer: AttemptResult, began: Instant, now: Instant, jitter: float
) -> StoredDelivery:
    """Returns a delivery after an attempt: it has succeeded, is due again later, or is given up.

    `jitter` is a number from 0 to 1, which says how much of the possible delay is added.
    """
    tries = delivery.tries + 1
    update: dict[str, object] = {"tries": tries, "leased_until": None}
    if answer.accepted:
        update["status"] = "succeeded"
    elif answer.gone or tries > len(RETRY_SECONDS):
        update["status"] = "failed"
    else:
        wait = RETRY_SECONDS[tries - 1] * (1 + _JITTER * jitter)
        wait = max(wait, min(answer.retry_after or 0, _LONGEST_WAIT_SECONDS))
        update["due_at"] = from_millis(millis(now) + round(wait * 1000))
    return add_attempt(delivery.model_copy(update=update), answer, began)


def add_attempt(delivery: StoredDelivery, answer: AttemptResult, began: Instant) -> StoredDelivery:
    """Returns a delivery with one attempt more, of which the latest are kept."""
    attempt = DeliveryAttempt(
        at=began, status_code=answer.status_code, duration_ms=answer.duration_ms, error=answer.error
    )
    attempts = (*delivery.attempts, attempt)[-WEBHOOK_ATTEMPTS_KEPT:]
    return delivery.model_copy(update={"attempts": attempts, "version": delivery.version + 1})


def note_attempt(
    delivery: StoredDelivery, leased_until: Instant | None, answer: AttemptResult, began: Instant
) -> StoredDelivery:
    """Returns a delivery that was requested again during an attempt: with that attempt, and without its lease.

    `leased_until` is the lease of the attempt; that of another one stays.
    """
    if delivery.leased_until == leased_until:
        delivery = delivery.model_copy(update={"leased_until": None})
    return add_attempt(delivery, answer, began)


def pause_without_permit(delivery: StoredDelivery, now: Instant, jitter: float) -> float:
    """Returns the seconds after which a delivery that may not be attempted yet is tried again.

    The delay is 25 to 50 % of the time waited so far, so that a long wait needs few retries and ends not much late.
    """
    half = min(QUEUE_DELAY_SECONDS, seconds_until(now, delivery.due_at) / 2)
    return max(half * (1 + jitter) / 2, _FIRST_PAUSE_SECONDS * jitter)


def give_up(delivery: StoredDelivery, error: str, now: Instant) -> StoredDelivery:
    """Returns a delivery that is given up without another attempt, with the reason in the place of one."""
    return add_attempt(delivery.model_copy(update={"status": "failed"}), AttemptResult(None, error, 0), now)
