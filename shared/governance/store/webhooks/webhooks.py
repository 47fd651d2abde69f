"""Webhooks: one item for all of a board, so that one key brings them, and a row that finds the board of each."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.webhooks.webhook import StoredWebhooks
from governance.store.schema.entities import WEBHOOK_LOCATION, WEBHOOKS
from governance.store.schema.keys import Item, Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def key(board_id: BoardId) -> Key:
    """Returns the key of a board's webhooks."""
    return WEBHOOKS.key_for(boardId=board_id)


def from_item(board_id: BoardId, item: Item | None) -> StoredWebhooks:
    """Returns the webhooks in an item; none without one."""
    return StoredWebhooks.model_validate(item) if item else StoredWebhooks(board_id=board_id)


def of_board(board_id: BoardId) -> StoredWebhooks:
    """Returns the webhooks of a board."""
    return from_item(board_id, read_one(key(board_id)))


def board_of(webhook_id: str) -> BoardId | None:
    """Returns the board of a webhook, as an operator names it by its id alone; None if there is no such webhook."""
    location = WEBHOOK_LOCATION.key_or_none(webhookId=webhook_id)
    item = read_one(location) if location else None
    return BoardId(item["boardId"]) if item else None


def replace(old: StoredWebhooks, new: StoredWebhooks) -> Write:
    """Returns the write of a board's webhooks. It fails with `StaleRead` if they changed since they were read."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(key(new.board_id), new.item()), condition)


def add_location(board_id: BoardId, webhook_id: str) -> Write:
    """Returns the write of the row that finds the board of a new webhook."""
    return Put(make_item(location_key(webhook_id), {"boardId": board_id}))


def remove_location(webhook_id: str) -> Write:
    """Returns the write that deletes the row that finds the board of a webhook."""
    return Delete(location_key(webhook_id))


def location_key(webhook_id: str) -> Key:
    """Returns the key of the row that finds the board of a webhook."""
    return WEBHOOK_LOCATION.key_for(webhookId=webhook_id)
