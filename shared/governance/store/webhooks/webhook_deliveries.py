"""Deliveries to webhooks: a partition for each webhook, with the state that its deliveries share (ADR webhooks)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from governance.ids import BoardId
from governance.instants import Instant, shift
from governance.limits import WEBHOOK_DELIVERY_DAYS
from governance.models.webhooks.webhook import StoredDelivery
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import WEBHOOK_DELIVERY, WEBHOOK_STATE
from governance.store.schema.keys import PK, SK, Item, Key, Range, make_item
from governance.store.table import iter_range, read
from governance.store.writes import ABSENT, Condition, Put, Update, Write, equals


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


def stored_among(deliveries: Iterable[StoredDelivery]) -> dict[str, StoredDelivery]:
    """Returns the deliveries that are stored already, as they are stored, by id, with one batch."""
    items = read(key(delivery) for delivery in deliveries)
    return {delivery.id: delivery for delivery in decode_all(StoredDelivery, items.values())}


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


# -- the state that deliveries to one webhook share: since when it fails, if it is slow, if it is being probed


def state_key(board_id: BoardId, webhook_id: str) -> Key:
    """Returns the key of the state that the deliveries to a webhook share."""
    return WEBHOOK_STATE.key_for(boardId=board_id, webhookId=webhook_id)


@dataclass(frozen=True)
class WebhookState:
    """The result of the latest attempts at a webhook. While it fails, one attempt at a time probes it."""

    key: Key
    item: Item

    @property
    def failing_since(self) -> Instant | None:
        """The first failure after the last success; None if the latest attempt succeeded."""
        return self.item.get(_FAILING)

    @property
    def slow(self) -> bool:
        """Whether the latest attempt took long."""
        return bool(self.item.get(_SLOW))

    def is_probed(self, now: Instant) -> bool:
        """Returns whether the webhook fails and another attempt finds out if it still does."""
        return self.failing_since is not None and self.item.get(_PROBED, "") > now

    def probe(self, now: Instant, until: Instant) -> list[Write]:
        """Returns the write that begins a probe, if the webhook fails. It fails with `StaleRead` if another began."""
        if self.failing_since is None:
            return []
        is_free = Condition("attribute_not_exists(#p) OR #p <= :now", {}, {":now": now})
        return [Update(self.key, "SET #p = :until", {"#p": _PROBED}, {":until": until}, is_free)]

    def note(self, *, accepted: bool, slow: bool, probed: bool, now: Instant) -> list[Write]:
        """Returns the write of an attempt's result, if that is new; it ends the probe if the attempt was one."""
        noted: Item = {_FAILING: None if accepted else self.failing_since or now, _SLOW: slow or None}
        if accepted or probed:
            noted[_PROBED] = None
        changed = {name: value for name, value in noted.items() if value != self.item.get(name)}
        if not changed:
            return []
        put = [name for name, value in changed.items() if value is not None]
        removed = [name for name in changed if name not in put]
        clauses = [f"SET {', '.join(f'#{name} = :{name}' for name in put)}"] if put else []
        clauses += [f"REMOVE {', '.join(f'#{name}' for name in removed)}"] if removed else []
        names, values = {f"#{name}": name for name in changed}, {f":{name}": changed[name] for name in put}
        return [Update(self.key, " ".join(clauses), names, values)]


_FAILING, _SLOW, _PROBED = "failingSince", "slow", "probedUntil"
