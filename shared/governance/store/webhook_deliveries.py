"""Deliveries to webhooks: a partition for each webhook, with the state that its deliveries share (ADR 0114)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from governance.ids import BoardId
from governance.instants import Instant, shift
from governance.limits import WEBHOOK_CONCURRENCY, WEBHOOK_DELIVERY_DAYS
from governance.models.webhook import StoredDelivery
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    WEBHOOK_DELIVERY,
    WEBHOOK_STATE,
    WEBHOOK_WAITING,
)
from governance.store.schema.keys import PK, SK, Item, Key, Range, make_item
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, EXISTS, Condition, Delete, Put, Update, Write, equals


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
    return {each.id: each for each in decode_all(StoredDelivery, items.values())}


def list_of_webhook(board_id: BoardId, webhook_id: str, window: Window) -> tuple[list[StoredDelivery], str | None]:
    """Returns a page of the deliveries to a webhook, by the time of their events, and the position of the last."""
    items, last = page(_partition(board_id, webhook_id), [ranges.DELIVERIES], window)
    return decode_all(StoredDelivery, items), last


def rows_of_webhook(board_id: BoardId, webhook_id: str) -> Iterator[Item]:
    """Yields the keys of all deliveries to a webhook and of their shared state, read page by page."""
    return iter_range(Range(_partition(board_id, webhook_id)), PK, SK)


def oldest_event(now: Instant) -> Instant:
    """Returns the instant before which deliveries are no longer shown, though the store may delete them later."""
    return shift(now, days=-WEBHOOK_DELIVERY_DAYS)


def _partition(board_id: BoardId, webhook_id: str) -> str:
    return WEBHOOK_STATE.key_for(boardId=board_id, webhookId=webhook_id).pk


# -- what the deliveries to one webhook share: since when it fails, and which attempts are being made


def state_key(board_id: BoardId, webhook_id: str) -> Key:
    """Returns the key of the state that the deliveries to a webhook share."""
    return WEBHOOK_STATE.key_for(boardId=board_id, webhookId=webhook_id)


@dataclass(frozen=True)
class WebhookState:
    """Since when no delivery has succeeded, and until when each attempt that is being made has its permit."""

    key: Key
    item: Item

    @property
    def failing_since(self) -> Instant | None:
        """The first failure after the last success; None if the latest attempt succeeded."""
        return self.item.get(_FAILING)

    def free_permits(self, limit: int, now: Instant) -> list[str]:
        """Returns the permits in which an attempt may begin; none while `limit` attempts are being made."""
        return [permit for permit in _PERMITS[:limit] if self.item.get(permit, "") <= now]

    def take(self, permit: str, now: Instant, until: Instant) -> Write:
        """Returns the write that takes a permit. It fails with `StaleRead` if another attempt has it."""
        is_free = Condition("attribute_not_exists(#p) OR #p <= :now", {"#p": permit}, {":now": now})
        return Update(self.key, "SET #p = :until", {"#p": permit}, {":until": until}, is_free)

    def release(self, permit: str, *, accepted: bool, now: Instant) -> Write:
        """Returns the write that gives a permit back and notes whether the receiver accepts deliveries."""
        names = {"#p": permit, "#f": _FAILING}
        if accepted:
            return Update(self.key, "REMOVE #p, #f", names, {})
        return Update(self.key, "SET #f = if_not_exists(#f, :now) REMOVE #p", names, {":now": now})


_FAILING = "failingSince"
_PERMITS = tuple(f"s{number}" for number in range(WEBHOOK_CONCURRENCY))


def read_state(board_id: BoardId, webhook_id: str) -> WebhookState:
    """Returns the state that the deliveries to a webhook share."""
    key = state_key(board_id, webhook_id)
    return WebhookState(key, read_one(key) or {})


# -- deliveries that wait until a permit is free


def put_waiting(delivery: StoredDelivery) -> Write:
    """Returns the write that notes that a delivery waits for a permit."""
    waiting = _waiting_key(delivery.board_id, delivery.webhook_id, delivery.id)
    return Put(
        make_item(waiting, {"deliveryId": delivery.id}, ttl=shift(delivery.created_at, days=WEBHOOK_DELIVERY_DAYS))
    )


def first_waiting(board_id: BoardId, webhook_id: str, limit: int) -> list[str]:
    """Returns the ids of the first deliveries that wait for a permit, the oldest event first."""
    span = Range(_partition(board_id, webhook_id), ranges.WAITING_DELIVERIES.prefix)
    return [item["deliveryId"] for item in query(span, limit)]


def remove_waiting(board_id: BoardId, webhook_id: str, delivery_id: str) -> Write:
    """Returns the write that ends the wait of a delivery. It fails with `StaleRead` if another worker did so."""
    return Delete(_waiting_key(board_id, webhook_id, delivery_id), EXISTS)


def _waiting_key(board_id: BoardId, webhook_id: str, delivery_id: str) -> Key:
    return WEBHOOK_WAITING.key_for(boardId=board_id, webhookId=webhook_id, deliveryId=delivery_id)
