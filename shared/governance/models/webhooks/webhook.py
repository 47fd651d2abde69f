"""Webhooks: the endpoints of a board that its events are sent to, and the deliveries of events to them."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import WEBHOOK_EVENTS, WEBHOOK_NAME, WEBHOOK_URL
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.history.event import Event
from governance.models.text import NoControls, NotBlank, text
from governance.models.webhooks.webhook_url import parse_url

WebhookDisabledReason = Literal["gone", "failing", "operator"]
"""Why a webhook was disabled by somebody other than the board's admins."""
DeliveryStatus = Literal["pending", "succeeded", "failed"]
"""The event was accepted (`succeeded`), will be sent or sent again (`pending`), or was given up (`failed`)."""
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
    """An address of your server that the events of a board are sent to."""

    object: Literal["webhook"] = "webhook"
    id: str
    board_id: BoardId
    name: str | None
    """Display name of the webhook, or null."""
    url: str
    """The https URL that events are sent to."""
    events: tuple[str, ...]
    """The event types that are sent: `["*"]` for all, or a list of types in which `meeting.*` means all types that
    begin with `meeting.`. Events about drafts and about documents of committees are never sent, nor is the deletion of
    the board.
    """
    enabled: bool
    """Whether events are sent to the webhook."""
    disabled_reason: WebhookDisabledReason | None
    """Why the webhook was disabled by somebody other than the board's admins: `gone` (its response was a 410),
    `failing` (no delivery succeeded for $WEBHOOK_FAILING_DAYS days) or `operator`. Null otherwise.
    """
    created_at: str
    updated_at: str


class WebhookWithSecret(Webhook):
    """A webhook with its new secret."""

    secret: str | None
    """The secret that signs the deliveries, `whsec_` and 32 bytes in base64. It is shown only once; null in a replayed
    response.
    """


class DeliveryAttempt(Stored):
    """One attempt to send an event."""

    at: Instant
    """When the attempt began."""
    status_code: int | None
    """The HTTP status of the response; null if there was none."""
    duration_ms: int
    """How long the attempt took, in milliseconds."""
    error: str | None
    """Why there was no response, such as `timeout`, `connection_failed`, `tls_failed`, `name_not_resolved` or
    `address_not_public`; null if there was one.
    """


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
    """The delivery of one event to one webhook, with its attempts."""

    object: Literal["webhook_delivery"] = "webhook_delivery"
    id: str
    webhook_id: str
    """Identifier of the webhook."""
    event_id: str
    """Identifier of the event. Every attempt has it as `webhook-id`."""
    type: Event
    """Type of the event, such as `meeting.created`."""
    status: DeliveryStatus
    """Status of the delivery."""
    attempts: tuple[DeliveryAttempt, ...]
    """The latest attempts, oldest first."""
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
    """The https URL that events are sent to. It must resolve to a public address and must not contain a user name, a
    password or a fragment.
    """
    events: WebhookEvents = Field(default_factory=list)
    """The event types to send, as on creation. The list replaces the current one."""
    name: WebhookName | None = None
    """Display name of the webhook. It must not be blank."""
    enabled: bool | None = None
    """Whether events are sent to the webhook. A new one is enabled by default, and true also clears `disabledReason`.
    """


class WebhookCreate(WebhookBody):
    """The webhook to create."""

    url: WebhookUrl
    events: WebhookEvents
    """The event types to send: `["*"]` for all, or a list of types in which `meeting.*` means all types that begin with
    `meeting.`. A type that does not exist is refused.
    """


class WebhookPatch(WebhookBody, Patch):
    """The fields of the webhook to change; at least one. Null clears the name."""

    enabled: bool = True
