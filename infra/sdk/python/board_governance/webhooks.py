"""Deliveries of webhooks: whether one is the service's (package `standardwebhooks`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

_UNREADABLE = (ValueError, TypeError, AttributeError, RuntimeError)

if TYPE_CHECKING:
    from .types import WebhookEvent


class VerificationError(Exception):
    """A delivery is not the service's, or older than five minutes, or not readable."""


def verify(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Returns the event of a delivery: give the body's bytes as they came, all headers, and the webhook's secret.

    Raises VerificationError, also for a text that is not a secret.
    """
    from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook, WebhookVerificationError

    try:
        event: WebhookEvent = Webhook(secret).verify(body, dict(headers))
    except (WebhookVerificationError, EmptyWebhookSecretError, *_UNREADABLE) as problem:
        raise VerificationError(f"The delivery does not hold: {type(problem).__name__}.") from None
    return event
