"""Webhooks: list, create, change, delete, test; their secrets and their deliveries (ADR 0112)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import webhook as rules
from governance.domain.audit import changed_fields
from governance.errors import not_found
from governance.ids import new_id, time_ordered_id
from governance.instants import Instant, millis
from governance.models.base import Deleted
from governance.models.event import Event, StoredEvent
from governance.models.page import Page, PageQuery
from governance.models.webhook import (
    DisabledReason,
    StoredDelivery,
    StoredWebhook,
    StoredWebhooks,
    Webhook,
    WebhookCreate,
    WebhookDelivery,
    WebhookPatch,
    WebhookWithSecret,
)
from governance.store import boards, webhook_deliveries, webhook_secrets, webhooks
from governance.store.schema import WEBHOOK_DELIVERY, WEBHOOKS, position
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, judged_by, loads
from governance.usecases.events import record_event


def _of_board(context: Context) -> StoredWebhooks:
    return webhooks.from_item(context.board.id, context.item(WEBHOOKS))


def _webhook(context: Context) -> StoredWebhook:
    webhook = rules.find(_of_board(context), context.params["webhookId"])
    if webhook is None:
        raise not_found()
    return webhook


def _webhook_and_delivery(context: Context) -> tuple[StoredWebhook, StoredDelivery]:
    webhook, item = _webhook(context), context.item(WEBHOOK_DELIVERY)
    if item is None:
        raise not_found()
    return webhook, StoredDelivery.model_validate(item)


@loads(WEBHOOKS)
def list_webhooks(context: Context, query: PageQuery) -> Page[Webhook]:
    """Returns a page of the board's webhooks, newest first, without secrets."""
    by_position = {position(webhook.created_at, webhook.id): webhook for webhook in _of_board(context).webhooks}
    positions = [at for at in sorted(by_position, reverse=True) if context.after is None or at < context.after]
    page = positions[: query.limit]
    following = page[-1] if len(positions) > query.limit else None
    return Page([to_resource(context, by_position[at]) for at in page], following)


@loads(WEBHOOKS)
def create_webhook(context: Context, body: WebhookCreate) -> Outcome[WebhookWithSecret]:
    """Creates a webhook; its secret is in this response and nowhere else."""
    webhook_id, secret = new_id(), rules.mint_secret()
    old = _of_board(context)
    webhook = StoredWebhook(
        id=webhook_id,
        name=body.name,
        url=body.url,
        events=tuple(body.events),
        enabled=body.enabled is not False,
        failures_count_from=context.now,
        secret="",
        created_at=context.now,
        updated_at=context.now,
    )
    rules.add(old, webhook)  # before the key service is called: a full board has no use for a secret
    webhook = webhook.model_copy(update={"secret": webhook_secrets.encrypt(secret, context.board.id, webhook_id)})
    location = webhooks.add_location(context.board.id, webhook_id)
    writes = [*_replace(context, old, rules.add(old, webhook), Event.WEBHOOK_CREATED, webhook), location]
    return _with_secret(context, webhook, secret, writes)


@loads(WEBHOOKS)
@judged_by(_webhook)
def get_webhook(context: Context) -> Webhook:
    """Returns one webhook, without its secret."""
    return to_resource(context, _webhook(context))


@loads(WEBHOOKS)
@judged_by(_webhook)
def update_webhook(context: Context, body: WebhookPatch) -> Outcome[Webhook]:
    """Changes the members of a webhook that the body names."""
    old, changes = _webhook(context), body.changes()
    if "events" in changes:
        changes["events"] = tuple(body.events)
    new = rules.change(old, changes, context.now)
    known = _of_board(context)
    shown = [name for name in changed_fields(old, new) if name in _MEMBERS]
    writes = _replace(
        context, known, rules.replace(known, new), Event.WEBHOOK_UPDATED, new, details={"fields": sorted(shown)}
    )
    return Outcome(to_resource(context, new), writes)


_MEMBERS = {"name", "url", "events", "enabled"}
"""What a change of a webhook may name as changed."""


@loads(WEBHOOKS)
@judged_by(_webhook)
def delete_webhook(context: Context) -> Outcome[Deleted]:
    """Deletes a webhook; its deliveries are deleted soon after."""
    old, webhook = _of_board(context), _webhook(context)
    writes = _replace(context, old, rules.remove(old, webhook.id), Event.WEBHOOK_DELETED, webhook)
    return Outcome(Deleted(), [*writes, webhooks.remove_location(webhook.id)])


@loads(WEBHOOKS)
@judged_by(_webhook)
def rotate_webhook_secret(context: Context) -> Outcome[WebhookWithSecret]:
    """Gives a webhook a new secret, which is in this response and nowhere else; the old one signs too for a day."""
    old, secret = _of_board(context), rules.mint_secret()
    encrypted = webhook_secrets.encrypt(secret, context.board.id, _webhook(context).id)
    webhook = rules.rotate(_webhook(context), encrypted, context.now)
    writes = _replace(context, old, rules.replace(old, webhook), Event.WEBHOOK_SECRET_ROTATED, webhook)
    return _with_secret(context, webhook, secret, writes)


@loads(WEBHOOKS)
@judged_by(_webhook)
def test_webhook(context: Context) -> Outcome[WebhookDelivery]:
    """Records a test event and plans its delivery to this webhook."""
    webhook = _webhook(context)
    rules.check_enabled(webhook)
    event_id = time_ordered_id(millis(context.now))
    event = StoredEvent(
        id=event_id,
        board_id=context.board.id,
        type=Event.WEBHOOK_TESTED,
        actor_user_id=None,
        created_via=None,
        created_at=context.now,
        refs={"webhookId": webhook.id},
        details={},
        data={},
    )
    delivery = rules.new_delivery(event, webhook, context.now)
    recorded = record_event(context, event.type, refs=event.refs, details=_subject(webhook), event_id=event_id)
    writes = [boards.check_exists(context.board.id), webhook_deliveries.create(delivery), *recorded]
    return Outcome(to_delivery_resource(delivery), writes)


@loads(WEBHOOKS)
@judged_by(_webhook)
def list_webhook_deliveries(context: Context, query: PageQuery) -> Page[WebhookDelivery]:
    """Returns a page of the deliveries to a webhook, the newest event first."""
    webhook = _webhook(context)
    oldest = time_ordered_id(millis(webhook_deliveries.oldest_event(context.now)), "0" * 12)
    window = context.window(query, above=oldest)
    page, last = webhook_deliveries.list_of_webhook(context.board.id, webhook.id, window)
    return Page([to_delivery_resource(delivery) for delivery in page], last)


@loads(WEBHOOKS, WEBHOOK_DELIVERY)
@judged_by(_webhook_and_delivery)
def redeliver_webhook_delivery(context: Context) -> Outcome[WebhookDelivery]:
    """Makes a delivery due again at once, whatever became of it."""
    webhook, old = _webhook_and_delivery(context)
    rules.check_enabled(webhook)
    new = rules.repeat(old, context.now)
    refs = {"webhookId": webhook.id, "webhookDeliveryId": old.id}
    event = record_event(context, Event.WEBHOOK_REDELIVERED, refs=refs, details=_subject(webhook))
    writes = [boards.check_exists(context.board.id), webhook_deliveries.replace(old, new), *event]
    return Outcome(to_delivery_resource(new), writes)


def disabling(board: StoredWebhooks, webhook: StoredWebhook, reason: DisabledReason, now: Instant) -> list[Write]:
    """Returns the writes by which the service or an operator disables a webhook; the owner of the board is told."""
    disabled = rules.disable(webhook, reason, now)
    event = record_event(
        Context(now=now),
        Event.WEBHOOK_DISABLED,
        board_id=board.board_id,
        refs={"webhookId": webhook.id},
        details=_subject(webhook),
        data={"title": rules.why_disabled(webhook, reason)},
    )
    return [webhooks.replace(board, rules.replace(board, disabled)), *event]


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


def _subject(webhook: StoredWebhook) -> dict[str, object]:
    return {"id": webhook.id, "title": webhook.name}


def _replace(
    context: Context,
    old: StoredWebhooks,
    new: StoredWebhooks,
    event: Event,
    webhook: StoredWebhook,
    details: Mapping[str, object] | None = None,
) -> list[Write]:
    """Returns the writes that replace the board's webhooks and record what happened to one of them."""
    recorded = record_event(context, event, refs={"webhookId": webhook.id}, details=details or _subject(webhook))
    return [boards.check_exists(context.board.id), webhooks.replace(old, new), *recorded]
