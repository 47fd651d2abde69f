"""What a newer release would have stored: members, enumerated values and events that this release does not know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import boto3

from governance.settings import settings
from governance.store.attributes import marshal
from governance.store.schema.keys import PK, SK, Item
from tests.harness.table_snapshot import TableSnapshot

ADDED = {"addedLater": {"number": 5}}
_OBJECTS = ("poll", "due", "uniform", "event")
"""Members that are objects of their own, with members that this release may not know either."""
_ENUMERATED = (
    *("status", "locationType", "accessType", "adminRole", "createdVia", "reviewStatus", "vote", "kind", "type"),
    *("disabledReason", "dashboardType", "mail"),
)
_KEYS_ONLY = ("IDEMPOTENCY", "RATE", "ALLOWANCE", "GUARD", "TOKEN", "EMAIL", "CODE", "AUDIT", "DUE")
"""Partitions of rows that are counters, or lead to others, or are never changed."""


def add_members() -> dict[tuple[str, str], Item]:
    """Adds unknown members to every stored item; returns the items."""
    return _rewrite(_with_members)


def add_values() -> None:
    """Gives every enumerated member a value that this release does not know, but for the status of a user."""
    _rewrite(_with_unknown_values)


def _rewrite(change: Any) -> dict[tuple[str, str], Item]:
    client, changed = boto3.client("dynamodb"), {}
    for key, item in TableSnapshot().items.items():
        if not _is_pointer(item):
            changed[key] = change(item)
            client.put_item(TableName=settings().table_name, Item=marshal(changed[key]))
    return changed


def _is_pointer(item: Item) -> bool:
    return item[PK].split("#")[0] in _KEYS_ONLY or len(item) <= 4


def _with_members(item: Item) -> Item:
    """Returns an item with a member more, in the objects in it too, and in those of its payload."""
    inner: Item = {name: {**item[name], **ADDED} for name in _OBJECTS if isinstance(item.get(name), dict)}
    if "webhooks" in item:
        inner["webhooks"] = [{**webhook, **ADDED} for webhook in item["webhooks"]]
    if item[SK] == "PAYLOAD":
        payload = json.loads(item["text"])
        inner["text"] = json.dumps({**payload, "fields": [{**field, **ADDED} for field in payload["fields"]]})
    return {**item, **inner, **ADDED}


def _with_unknown_values(item: Item) -> Item:
    changed: Item = {name: "unheard_of" for name in _ENUMERATED if isinstance(item.get(name), str)}
    if item[SK] == "USER":
        return item
    if isinstance(item.get("uniform"), dict):
        changed["uniform"] = {**item["uniform"], "reviewStatus": "unheard_of"}
    return {**item, **changed}


def lost(before: Mapping[tuple[str, str], Item]) -> Iterator[tuple[str, str]]:
    """Yields the keys of the items that are still stored, with less of the unknown members than before."""
    now = TableSnapshot().items
    for key, item in before.items():
        if key in now and _number_of_added(now[key]) < _number_of_added(item):
            yield key


def _number_of_added(item: Item) -> int:
    return json.dumps(item, default=str).count("addedLater")
