"""Webhooks: the endpoints of a board that its events are sent to, and the deliveries of events to them."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import WEBHOOK_EVENTS, WEBHOOK_NAME, WEBHOOK_URL
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.event import Event
from governance.models.text import NoControls, NotBlank, text
from governance.models.webhooks.webhook_url import parse_url

WebhookDisabledReason = Literal["gone", "failing", "operator"]
DeliveryStatus = Literal["pending", "succeeded", "failed"]
EVERY_EVENT = "*"
_FAMILIES = frozenset(f"{event.partition('.')[0]}.*" for event in Event)


class StoredWebhook(Stored):
    """A webhook as it is stored.

    `secret` is encrypted, and so is `previous_secret`, which signs too until `previous_until`. Failures count towards
    disabling the webhook from `failures_count_from` on: when it was created, last enabled, or last given another URL.
    """

    id: str
    name: str | None
    url: str
    events: tuple[str, ...]
    enabled: bool
    disabled_reason: WebhookDisabledReason | None = None
    failures_count_from: Instant
    secret: str
    previous_secret: str | None = None
    previous_until: Instant | None = None
    created_by_user_id: UserId | None = None
    created_at: Instant
    updated_at: Instant


class StoredWebhooks(Stored):
    """All webhooks of a board, oldest first: one item, which the planning of deliveries reads for each board."""

    board_id: BoardId
    webhooks: tuple[StoredWebhook, ...] = ()
    version: int = 0


class Webhook(Resource):
    """A webhook as the admins of its board see it."""

    object: Literal["webhook"] = "webhook"
    id: str
    board_id: str
    name: str | None
    url: str
    events: tuple[str, ...]
    enabled: bool
    disabled_reason: WebhookDisabledReason | None
    created_at: str
    updated_at: str


class WebhookWithSecret(Webhook):
    """A new webhook, or one with a new secret.

    `secret` is given once, and is null when the request is repeated with its idempotency key.
    """

    secret: str | None


class DeliveryAttempt(Stored):
    """One attempt to deliver an event: the status of the receiver's response, or why there was none."""

    at: Instant
    status_code: int | None
    duration_ms: int
    error: str | None


class StoredDelivery(Stored):
    """A delivery as it is stored.

    `refs` are the ids of the event's subject, `occurred_at` when it happened. `tries` counts the attempts since the
    delivery was planned or requested again. The next attempt is due at `due_at`; while one is being made, no other
    worker begins one until `leased_until`.
    """

    id: str
    board_id: BoardId
    webhook_id: str
    event_id: str
    type: Event
    refs: dict[str, str]
    occurred_at: Instant
    status: DeliveryStatus = "pending"
    attempts: tuple[DeliveryAttempt, ...] = ()
    tries: int = 0
    due_at: Instant
    leased_until: Instant | None = None
    version: int = 1
    created_at: Instant


class WebhookDelivery(Resource):
    """The delivery of one event to one webhook, with its latest attempts, oldest first."""

    object: Literal["webhook_delivery"] = "webhook_delivery"
    id: str
    webhook_id: str
    event_id: str
    type: Event
    status: DeliveryStatus
    attempts: tuple[DeliveryAttempt, ...]
    created_at: str


def check_url(url: str) -> str:
    """Returns the URL. Raises `ValueError`, with what it must be, for one that no delivery could be sent to."""
    parse_url(url)
    return url


def check_events(events: list[str]) -> list[str]:
    """Returns the list without repeats. Raises `ValueError` for a type that does not exist."""
    if EVERY_EVENT in events and len(set(events)) > 1:
        raise ValueError('must be ["*"] alone, or a list of event types')
    for event in events:
        if event != EVERY_EVENT and event not in _FAMILIES and event not in set(Event):
            raise ValueError('must name existing event types such as "meeting.created" or "meeting.*"')
    return list(dict.fromkeys(events))


WebhookName = Annotated[str, text(1, WEBHOOK_NAME), NotBlank, NoControls]
WebhookUrl = Annotated[str, text(1, WEBHOOK_URL), AfterValidator(check_url)]
WebhookEvents = Annotated[list[str], Field(min_length=1, max_length=WEBHOOK_EVENTS), AfterValidator(check_events)]


class WebhookBody(Body):
    """The fields of a webhook that a client sets."""

    url: WebhookUrl = ""
    events: WebhookEvents = Field(default_factory=list)
    name: WebhookName | None = None
    enabled: bool | None = None


class WebhookCreate(WebhookBody):
    """The body that creates a webhook; it is enabled unless the body says otherwise."""

    url: WebhookUrl
    events: WebhookEvents


class WebhookPatch(WebhookBody, Patch):
    """The body that changes a webhook; `events` replaces the whole list, and null clears the name."""

    enabled: bool = True
