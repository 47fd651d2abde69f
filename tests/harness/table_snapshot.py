"""Snapshots of the whole table, to restore it and to compare it without random values (ids, instants, digests)."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cached_property
from typing import Any

from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table

from governance.settings import settings
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import PK, SK, TTL
from tests.harness import sdk

Items = dict[tuple[str, str], dict[str, Any]]
_INEXACT = ("RATE#", "USE#")
"""Partitions of counters that are not exact, and of last uses."""
_ACCOUNT = "123456789012"  # moto's
_RANDOM = re.compile(
    r"[A-Za-z0-9+/]{120,}={0,2}"  # what is encrypted
    r"|[A-Za-z0-9+/]{43}="  # a salt
    r"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{39}=|\b[0-9a-f]{32}\b"  # a sealed choice, and its name
    r"|\b[0-9a-f]{64}\b|\b[0-9a-f]{24}\b|\b[0-9a-f]{16}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\d{10}(?=[0-9a-f]{14}\b)"
)
_MONTH = re.compile(r"((?:AUDIT|EVENTS)#[0-9a-f]{24}#)\d{4}-\d\d")
"""Of a partition: two requests that are compared may be on both sides of midnight."""
_SHARD = re.compile(r'("PK": "(?:DUE#|SYSTEM_AUDIT#\d{4}-\d\d-\d\d#))\w+')
"""Of a partition of what is due, or of a day's entries without a board: it follows from a random id."""


class TableSnapshot:
    """The table's items at one moment, without the inexact counters (rates, last uses)."""

    def __init__(self) -> None:
        self._client = sdk.dynamodb()
        self.items = self._read()

    @cached_property
    def _known(self) -> set[str]:
        """The ids, instants and digests in the snapshot."""
        return set(_RANDOM.findall(json.dumps([*map(list, self.items), *self.items.values()], default=str)))

    def _read(self) -> Items:
        items = [unmarshal(raw) for raw in (self._scanned() if settings().table_endpoint else _in_process())]
        return {(item[PK], item[SK]): item for item in items if not item[PK].startswith(_INEXACT)}

    def _scanned(self) -> list[Any]:
        pages = self._client.get_paginator("scan").paginate(TableName=settings().table_name, ConsistentRead=True)
        return [raw for page in pages for raw in page["Items"]]

    def restore(self) -> None:
        """Writes the snapshot back to the table."""
        name, now = settings().table_name, self._read()
        for key in now.keys() - self.items.keys():
            self._client.delete_item(TableName=name, Key=marshal({PK: key[0], SK: key[1]}))
        for key, item in self.items.items():
            if now.get(key) != item:
                self._client.put_item(TableName=name, Item=marshal(item))

    def changes(self, *ignored: str) -> Counter[str]:
        """Returns what was added, changed or removed since, except in partitions with an `ignored` prefix."""
        now = self._read()
        put = [{**item, TTL: None} for key, item in now.items() if self.items.get(key) != item]
        removed = [{"removed": list(key)} for key in self.items.keys() - now.keys()]
        changed = [item for item in put + removed if not _is_in(item, ignored)]
        texts = [json.dumps(item, sort_keys=True, default=self._in_order) for item in changed]
        return Counter(self.masked(_SHARD.sub(r"\1n", _MONTH.sub(r"\1month", text))) for text in texts)

    def masked(self, text: str) -> str:
        """Returns a text without the random values that the snapshot does not have."""
        return _RANDOM.sub(self._masked, text)

    def _in_order(self, value: Any) -> Any:
        """Returns a set as a list whose order does not depend on the random values in it."""
        if not isinstance(value, frozenset | set):
            return str(value)
        return sorted(self.masked(str(member)) for member in value)

    def _masked(self, match: re.Match[str]) -> str:
        return match[0] if match[0] in self._known else "new"


def _in_process() -> list[Any]:
    """Reads moto's table directly: serializing the responses takes most of the time of a scan."""
    partitions: Any = moto_table().items
    return [item.to_json()["Attributes"] for items in partitions.values() for item in items.values()]


def moto_table() -> Table:
    """Returns the table of the test as moto has it in this process."""
    return dynamodb_backends[_ACCOUNT][settings().region].get_table(settings().table_name)


def _is_in(item: dict[str, Any], prefixes: tuple[str, ...]) -> bool:
    return bool(prefixes) and str(item.get(PK) or item["removed"][0]).startswith(prefixes)
