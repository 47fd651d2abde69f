"""Deliveries to webhooks: a partition for each webhook, with the state that its deliveries share (ADR 0114)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.ids import BoardId
from governance.instants import Instant, shift
from governance.limits import WEBHOOK_DELIVERY_DAYS
from governance.models.webhook import StoredDelivery
from governance.store.paging import Window, page
from governance.store.schema import PK, SK, WEBHOOK_DELIVERY, WEBHOOK_STATE, Item, Key, Range, key_of, make_item, ranges
from governance.store.table import iter_range, read
from governance.store.writes import ABSENT, Put, Write, equals


def key(delivery: StoredDelivery) -> Key:
    """Returns the key of a delivery."""
    return WEBHOOK_DELIVERY.key_for(boardId=delivery.board_id, webhookId=delivery.webhook_id, deliveryId=delivery.id)


def _item(delivery: StoredDelivery) -> Item:
    return make_item(key(delivery), delivery.item(), ttl=shift(delivery.created_at, days=WEBHOOK_DELIVERY_DAYS))


def create(delivery: StoredDelivery) -> Write:
    """Returns the write of a new delivery. It fails with `StaleRead` if the delivery exists."""
    return Put(_item(delivery), ABSENT)


def replace(old: StoredDelivery, new: StoredDelivery) -> Write:
    """Returns the write that changes a delivery. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def from_item(item: Item) -> StoredDelivery:
    """Returns the delivery in an item."""
    return StoredDelivery.model_validate(item)


def existing(deliveries: Iterable[StoredDelivery]) -> dict[str, StoredDelivery]:
    """Returns those of the deliveries that are stored, as they are stored, by id, with one batch."""
    items = read(key(delivery) for delivery in deliveries)
    return {item["id"]: from_item(item) for item in items.values()}


def list_of_webhook(board_id: BoardId, webhook_id: str, window: Window) -> tuple[list[StoredDelivery], str | None]:
    """Returns a page of the deliveries to a webhook, by the time of their events, and the position of the last."""
    items, last = page(_partition(board_id, webhook_id), [ranges.DELIVERIES], window)
    return [from_item(item) for item in items], last


def keys_of_webhook(board_id: BoardId, webhook_id: str) -> Iterable[Key]:
    """Yields the keys of all deliveries to a webhook and of their shared state."""
    return (key_of(item) for item in iter_range(Range(_partition(board_id, webhook_id)), PK, SK))


def oldest_event(now: Instant) -> Instant:
    """Returns the instant before which deliveries are no longer shown, though the store may delete them later."""
    return shift(now, days=-WEBHOOK_DELIVERY_DAYS)


def _partition(board_id: BoardId, webhook_id: str) -> str:
    return WEBHOOK_STATE.key_for(boardId=board_id, webhookId=webhook_id).pk
