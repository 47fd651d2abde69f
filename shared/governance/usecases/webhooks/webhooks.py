"""Webhooks: list, create, change, delete, test; their secrets and their deliveries (ADR webhooks)."""

from __future__ import annotations

from governance.domain.events import webhooks as events
from governance.domain.events.kind import EventKind
from governance.domain.history.audit import changed_fields
from governance.domain.webhooks import webhook as webhook_rules
from governance.errors import not_found
from governance.ids import new_id, time_ordered_id
from governance.instants import Instant, millis
from governance.models.base import Deleted
from governance.models.page import OrderedQuery, Page
from governance.models.text import SortOrder
from governance.models.webhooks.webhook import (
    StoredDelivery,
    StoredWebhook,
    StoredWebhooks,
    Webhook,
    WebhookCreate,
    WebhookDelivery,
    WebhookDisabledReason,
    WebhookPatch,
    WebhookWithSecret,
)
from governance.store.schema.entities import WEBHOOK_DELIVERY, WEBHOOKS
from governance.store.schema.keys import position
from governance.store.webhooks import webhook_deliveries, webhook_secrets, webhooks
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.event_writes import new_event, record_event


def _of_board(context: Context) -> StoredWebhooks:
    return webhooks.from_item(context.board.id, context.item(WEBHOOKS))


def _webhook(context: Context) -> StoredWebhook:
    webhook = webhook_rules.find(_of_board(context), context.params["webhookId"])
    if webhook is None:
        raise not_found()
    return webhook


def _delivery(context: Context) -> StoredDelivery:
    return context.stored(WEBHOOK_DELIVERY, StoredDelivery)


@loads(WEBHOOKS)
def list_webhooks(context: Context, query: OrderedQuery) -> Page[Webhook]:
    """Returns a page of the board's webhooks, without secrets."""
    by_position = {position(webhook.created_at, webhook.id): webhook for webhook in _of_board(context).webhooks}
    positions = sorted(by_position, reverse=query.order == "desc")
    left = [at for at in positions if context.after is None or _follows(at, context.after, query.order)]
    page = left[: query.limit]
    following = page[-1] if len(left) > query.limit else None
    return Page([to_resource(context, by_position[at]) for at in page], following)


def _follows(at: str, after: str, order: SortOrder) -> bool:
    return at < after if order == "desc" else at > after


@creates(WEBHOOKS, "webhookId", _webhook)
@loads(WEBHOOKS)
def create_webhook(context: Context, body: WebhookCreate) -> Outcome[WebhookWithSecret]:
    """Creates a webhook; its secret is in this response and nowhere else."""
    webhook_id, secret = new_id(), webhook_rules.mint_secret()
    old = _of_board(context)
    webhook = StoredWebhook(
        id=webhook_id,
        name=body.name,
        url=body.url,
        events=tuple(body.events),
        enabled=body.enabled is not False,
        failures_count_from=context.now,
        secret="",
        created_by_user_id=context.user_id,
        created_at=context.now,
        updated_at=context.now,
    )
    webhook_rules.add(old, webhook)  # checks the limit before the key service is called
    webhook = webhook.model_copy(update={"secret": webhook_secrets.encrypt(secret, context.board.id, webhook_id)})
    location = webhooks.add_location(context.board.id, webhook_id)
    writes = [*_replace(context, old, webhook_rules.add(old, webhook), events.WEBHOOK_CREATED, webhook), location]
    return _with_secret(context, webhook, secret, writes)


@loads(WEBHOOKS)
@finds(_webhook)
def get_webhook(context: Context, webhook: StoredWebhook) -> Webhook:
    """Returns one webhook, without its secret."""
    return to_resource(context, webhook)


@loads(WEBHOOKS)
@finds(_webhook)
def update_webhook(context: Context, old: StoredWebhook, body: WebhookPatch) -> Outcome[Webhook]:
    """Changes the fields of a webhook that the body names."""
    changes = body.changes()
    if "events" in changes:
        changes["events"] = tuple(body.events)
    new = webhook_rules.change(old, changes, context.now)
    known = _of_board(context)
    shown = [name for name in changed_fields(old, new) if name in _FIELDS]
    updated = events.WebhookUpdated(webhook_id=new.id, fields=sorted(shown))
    writes = [
        webhooks.replace(known, webhook_rules.replace(known, new)),
        *record_event(context, events.WEBHOOK_UPDATED, updated),
    ]
    return Outcome(to_resource(context, new), writes)


_FIELDS = {"name", "url", "events", "enabled"}
"""Fields that `webhook.updated` may list as changed."""


@loads(WEBHOOKS)
@finds(_webhook)
def delete_webhook(context: Context, webhook: StoredWebhook) -> Outcome[Deleted]:
    """Deletes a webhook; its deliveries are deleted soon after."""
    old = _of_board(context)
    writes = _replace(context, old, webhook_rules.remove(old, webhook.id), events.WEBHOOK_DELETED, webhook)
    return Outcome(Deleted(), [*writes, webhooks.remove_location(webhook.id)])


@loads(WEBHOOKS)
@finds(_webhook)
def rotate_webhook_secret(context: Context, webhook: StoredWebhook) -> Outcome[WebhookWithSecret]:
    """Gives a webhook a new secret, which is in this response and nowhere else; the old one signs too for a day."""
    old, secret = _of_board(context), webhook_rules.mint_secret()
    encrypted = webhook_secrets.encrypt(secret, context.board.id, webhook.id)
    webhook = webhook_rules.rotate(webhook, encrypted, context.now)
    writes = _replace(context, old, webhook_rules.replace(old, webhook), events.WEBHOOK_SECRET_ROTATED, webhook)
    return _with_secret(context, webhook, secret, writes)


@loads(WEBHOOKS)
@finds(_webhook)
def test_webhook(context: Context, webhook: StoredWebhook) -> Outcome[WebhookDelivery]:
    """Records a test event and plans its delivery to this webhook."""
    webhook_rules.check_enabled(webhook)
    event_id = time_ordered_id(millis(context.now))
    event = new_event(context, events.WEBHOOK_TESTED, _named(webhook), context.board.id, event_id)
    delivery = webhook_rules.new_delivery(event, webhook, context.now)
    recorded = record_event(context, events.WEBHOOK_TESTED, _named(webhook), event_id=event_id)
    writes = [webhook_deliveries.create(delivery), *recorded]
    return Outcome(to_delivery_resource(delivery), writes)


@loads(WEBHOOKS)
@finds(_webhook)
def list_webhook_deliveries(context: Context, webhook: StoredWebhook, query: OrderedQuery) -> Page[WebhookDelivery]:
    """Returns a page of the deliveries to a webhook, the newest event first."""
    oldest = time_ordered_id(millis(webhook_deliveries.oldest_event(context.now)), "0" * 12)
    window = context.window(query, above=oldest)
    page, last = webhook_deliveries.list_of_webhook(context.board.id, webhook.id, window)
    return Page([to_delivery_resource(delivery) for delivery in page], last)


@loads(WEBHOOKS, WEBHOOK_DELIVERY)
@finds(_webhook, _delivery)
def redeliver_webhook_delivery(
    context: Context, webhook: StoredWebhook, old: StoredDelivery
) -> Outcome[WebhookDelivery]:
    """Makes a delivery due again at once, whatever its status."""
    webhook_rules.check_enabled(webhook)
    new = webhook_rules.repeat(old, context.now)
    event = record_event(context, events.WEBHOOK_REDELIVERED, _named(webhook, old.id))
    writes = [webhook_deliveries.replace(old, new), *event]
    return Outcome(to_delivery_resource(new), writes)


def disabling(
    board: StoredWebhooks, webhook: StoredWebhook, reason: WebhookDisabledReason, now: Instant
) -> list[Write]:
    """Returns the writes by which the service or an operator disables a webhook; the owner of the board is notified."""
    disabled = webhook_rules.disable(webhook, reason, now)
    event = record_event(
        Context(now=now),
        events.WEBHOOK_DISABLED,
        events.WebhookDisabled(
            webhook_id=webhook.id,
            id=webhook.id,
            title=webhook.name,
            webhook=webhook_rules.why_disabled(webhook, reason),
        ),
        board_id=board.board_id,
    )
    return [webhooks.replace(board, webhook_rules.replace(board, disabled)), *event]


def to_resource(context: Context, webhook: StoredWebhook) -> Webhook:
    """Returns the webhook as the admins of its board see it."""
    return Webhook.model_validate({**webhook.item(), "boardId": context.board.id})


def to_delivery_resource(delivery: StoredDelivery) -> WebhookDelivery:
    """Returns the delivery as the admins of its board see it."""
    return WebhookDelivery.model_validate(delivery.item())


def _with_secret(
    context: Context, webhook: StoredWebhook, secret: str, writes: list[Write]
) -> Outcome[WebhookWithSecret]:
    """Returns the outcome with the secret; the replay of the request has everything but that."""
    resource = to_resource(context, webhook).item()
    shown = WebhookWithSecret.model_validate({**resource, "secret": secret})
    return Outcome(shown, writes, replay=WebhookWithSecret.model_validate({**resource, "secret": None}))


def _named(webhook: StoredWebhook, delivery_id: str | None = None) -> events.WebhookNamed:
    return events.WebhookNamed(
        webhook_id=webhook.id, webhook_delivery_id=delivery_id, id=webhook.id, title=webhook.name
    )


def _replace(
    context: Context,
    old: StoredWebhooks,
    new: StoredWebhooks,
    kind: EventKind[events.WebhookNamed],
    webhook: StoredWebhook,
) -> list[Write]:
    """Returns the writes that replace the board's webhooks and record an event of one of them."""
    return [webhooks.replace(old, new), *record_event(context, kind, _named(webhook))]
