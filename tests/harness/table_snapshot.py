"""The whole table as it is: kept, put back, and compared without what is new by chance (ids, instants, digests)."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from functools import cached_property
from typing import Any

import boto3
from moto.dynamodb.models import dynamodb_backends

from governance.settings import settings
from governance.store.attributes import marshal, unmarshal
from governance.store.schema import PK, SK, TTL

Items = dict[tuple[str, str], dict[str, Any]]
_COUNTED_FREELY = ("RATE#",)
_USED = "USED"
_ACCOUNT = "123456789012"  # moto's
_CHANCE = re.compile(
    r"\b[0-9a-f]{64}\b|\b[0-9a-f]{24}\b|\b[0-9a-f]{16}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\d{10}(?=[0-9a-f]{14}\b)"
)


class TableSnapshot:
    """What the table holds at a moment; figures that may err (rates, last uses) are left out."""

    def __init__(self) -> None:
        self._client = boto3.client("dynamodb")
        self.items = self._read()

    @cached_property
    def _known(self) -> set[str]:
        """Ids, instants and digests that were there."""
        return set(_CHANCE.findall(json.dumps([*map(list, self.items), *self.items.values()], default=str)))

    def _read(self) -> Items:
        items = [unmarshal(raw) for raw in (self._scanned() if "AWS_ENDPOINT_URL" in os.environ else _in_process())]
        return {
            (item[PK], item[SK]): item
            for item in items
            if not item[PK].startswith(_COUNTED_FREELY) and item[SK] != _USED
        }

    def _scanned(self) -> list[Any]:
        pages = self._client.get_paginator("scan").paginate(TableName=settings().table_name, ConsistentRead=True)
        return [raw for page in pages for raw in page["Items"]]

    def restore(self) -> None:
        """The table is again as it was."""
        name, now = settings().table_name, self._read()
        for key in now.keys() - self.items.keys():
            self._client.delete_item(TableName=name, Key=marshal({PK: key[0], SK: key[1]}))
        for key, item in self.items.items():
            if now.get(key) != item:
                self._client.put_item(TableName=name, Item=marshal(item))

    def changes(self, *ignored: str) -> Counter[str]:
        """What was added, changed or removed since, apart from partitions that begin with what is `ignored`."""
        now = self._read()
        put = [{**item, TTL: None} for key, item in now.items() if self.items.get(key) != item]
        gone = [{"gone": list(key)} for key in self.items.keys() - now.keys()]
        texts = [json.dumps(item, sort_keys=True, default=str) for item in put + gone if not _is(item, ignored)]
        return Counter(_CHANCE.sub(self._masked, text) for text in texts)

    def _masked(self, found: re.Match[str]) -> str:
        return found[0] if found[0] in self._known else "new"


def _in_process() -> list[Any]:
    """Past moto's wire, which takes most of the time of a scan."""
    backend = dynamodb_backends[_ACCOUNT][os.environ["AWS_REGION"]]
    return [item.to_json()["Attributes"] for item in backend.get_table(settings().table_name).all_items()]


def _is(item: dict[str, Any], prefixes: tuple[str, ...]) -> bool:
    return bool(prefixes) and str(item.get(PK) or item["gone"][0]).startswith(prefixes)
