"""The rules of webhooks: how many, which events they ask for, their secrets, when they are disabled (ADR webhooks)."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

from governance.domain.access.visibility import is_board_wide
from governance.domain.events.registry import KINDS
from governance.domain.events.webhooks import Disabled
from governance.errors import Reason, conflict
from governance.ids import BoardId, millis_of_id, time_ordered_id
from governance.instants import Instant, shift
from governance.limits import (
    EVENT_SETTLES_SECONDS,
    WEBHOOK_FAILING_DAYS,
    WEBHOOK_SECRET_OVERLAP_HOURS,
    WEBHOOKS_PER_BOARD,
)
from governance.models.history.event import Event, StoredEvent
from governance.models.webhooks.webhook import (
    EVERY_EVENT,
    StoredDelivery,
    StoredWebhook,
    StoredWebhooks,
    WebhookDisabledReason,
)
from governance.models.webhooks.webhook_url import parse_url

_SECRET_BYTES = 32
_SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with


def mint_secret() -> str:
    """Returns a new secret, in the form of Standard Webhooks. Show it once and store it encrypted only."""
    return _SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def secret_key(secret: str) -> bytes:
    """Returns the key that a secret stands for."""
    return base64.b64decode(secret.removeprefix(_SECRET_PREFIX))


def add(board: StoredWebhooks, webhook: StoredWebhook) -> StoredWebhooks:
    """Returns the webhooks with one more; raises 409 `LIMIT_REACHED` at the limit of a board."""
    if len(board.webhooks) >= WEBHOOKS_PER_BOARD:
        raise conflict(Reason.LIMIT_REACHED)
    return _with(board, *board.webhooks, webhook)


def replace(board: StoredWebhooks, webhook: StoredWebhook) -> StoredWebhooks:
    """Returns the webhooks with this one in the place of its earlier state."""
    return _with(board, *(webhook if known.id == webhook.id else known for known in board.webhooks))


def remove(board: StoredWebhooks, webhook_id: str) -> StoredWebhooks:
    """Returns the webhooks without this one."""
    return _with(board, *(known for known in board.webhooks if known.id != webhook_id))


def find(board: StoredWebhooks, webhook_id: str) -> StoredWebhook | None:
    """Returns the webhook of a board with this id; None if there is none."""
    return next((known for known in board.webhooks if known.id == webhook_id), None)


def _with(board: StoredWebhooks, *webhooks: StoredWebhook) -> StoredWebhooks:
    return board.model_copy(update={"webhooks": webhooks, "version": board.version + 1})


def change(webhook: StoredWebhook, changes: Mapping[str, Any], now: Instant) -> StoredWebhook:
    """Returns a webhook after a change.

    Its earlier failures no longer count if it is enabled again or has another URL.
    """
    update = {**changes, "updated_at": now}
    if "enabled" in changes:
        update["disabled_reason"] = None
    changed = webhook.model_copy(update=update)
    if changed.url != webhook.url or (changed.enabled and not webhook.enabled):
        return changed.model_copy(update={"failures_count_from": now})
    return changed


def disable(webhook: StoredWebhook, reason: WebhookDisabledReason, now: Instant) -> StoredWebhook:
    """Returns a webhook that the service or the operator has disabled."""
    return webhook.model_copy(update={"enabled": False, "disabled_reason": reason, "updated_at": now})


def why_disabled(webhook: StoredWebhook, reason: WebhookDisabledReason) -> Disabled:
    """Returns what the owner of the board is notified of when a webhook is disabled."""
    return Disabled(name=webhook.name or parse_url(webhook.url).host, reason=reason, days=WEBHOOK_FAILING_DAYS)


def rotate(webhook: StoredWebhook, encrypted: str, now: Instant) -> StoredWebhook:
    """Returns a webhook with a new secret; the old one signs too for `WEBHOOK_SECRET_OVERLAP_HOURS`."""
    return webhook.model_copy(
        update={
            "secret": encrypted,
            "previous_secret": webhook.secret,
            "previous_until": shift(now, hours=WEBHOOK_SECRET_OVERLAP_HOURS),
            "updated_at": now,
        }
    )


def signing_secrets(webhook: StoredWebhook, now: Instant) -> list[str]:
    """Returns the encrypted secrets that sign a delivery at this instant, the current one first."""
    previous = webhook.previous_secret
    if previous is not None and webhook.previous_until is not None and now < webhook.previous_until:
        return [webhook.secret, previous]
    return [webhook.secret]


def check_enabled(webhook: StoredWebhook) -> None:
    """Raises 409 `WEBHOOK_DISABLED` for a webhook to which nothing is sent."""
    if not webhook.enabled:
        raise conflict(Reason.WEBHOOK_DISABLED)


def receives(webhook: StoredWebhook, event: StoredEvent) -> bool:
    """Returns whether an event is to be delivered to a webhook.

    It must be one that an admin in no committee sees in the feed. A test event goes to its webhook, whatever events
    that subscribes to.
    """
    if not webhook.enabled or not is_board_wide(event) or not _is_delivered(event.type):
        return False
    if event.created_at < shift(webhook.created_at, seconds=-EVENT_SETTLES_SECONDS):
        return False  # the webhook did not exist yet; the feed has the event
    if event.type is Event.WEBHOOK_TESTED and event.refs.get("webhookId") == webhook.id:
        return True
    family = f"{event.type.partition('.')[0]}.*"
    return any(asked in (EVERY_EVENT, family, event.type) for asked in webhook.events)


def _is_delivered(event_type: Event) -> bool:
    """Returns whether webhooks are sent events of a type; those of a newer release are."""
    kind = KINDS.get(event_type)
    return kind is None or kind.is_delivered


def new_delivery(event: StoredEvent, webhook: StoredWebhook, now: Instant) -> StoredDelivery:
    """Returns the delivery of an event to a webhook, due at once; the same pair always gives the same id."""
    digest = hashlib.sha256(f"{event.id}\n{webhook.id}".encode()).hexdigest()
    return StoredDelivery(
        id=time_ordered_id(millis_of_id(event.id), digest[:12]),
        board_id=BoardId(event.board_id),
        webhook_id=webhook.id,
        event_id=event.id,
        type=event.type,
        refs=event.refs,
        occurred_at=event.created_at,
        due_at=now,
        created_at=now,
    )


def repeat(delivery: StoredDelivery, now: Instant) -> StoredDelivery:
    """Returns a delivery that is requested again: it is due at once and has all its attempts before it.

    It keeps its lease: the request that is being made ends before the next one begins.
    """
    return delivery.model_copy(update={"status": "pending", "tries": 0, "due_at": now, "version": delivery.version + 1})


def has_failed_too_long(webhook: StoredWebhook, failing_since: Instant | None, now: Instant) -> bool:
    """Returns whether no delivery has succeeded for `WEBHOOK_FAILING_DAYS`, in which its failures count."""
    if failing_since is None:
        return False
    return max(failing_since, webhook.failures_count_from) <= shift(now, days=-WEBHOOK_FAILING_DAYS)
