"""Reads rows of a table that need not be the installation's: one that was restored to a point in time (ADR restore)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import boto3

from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import PK, SK, Item, Key


@dataclass(frozen=True)
class TableReader:
    """Reads rows of a table, which need not be that of the installation."""

    name: str

    def rows(self, pk: str, prefix: str = "") -> list[Item]:
        """Returns the rows of a partition whose sort keys begin with a prefix."""
        pages = (
            boto3.client("dynamodb")
            .get_paginator("query")
            .paginate(
                TableName=self.name,
                ConsistentRead=True,
                KeyConditionExpression="#pk = :pk AND begins_with(#sk, :sk)" if prefix else "#pk = :pk",
                ExpressionAttributeNames={"#pk": PK, **({"#sk": SK} if prefix else {})},
                ExpressionAttributeValues=marshal({":pk": pk, **({":sk": prefix} if prefix else {})}),
            )
        )
        return [unmarshal(raw) for page in pages for raw in page["Items"]]

    def get(self, keys: Iterable[Key]) -> list[Item]:
        """Returns the rows that exist under these keys."""
        client = boto3.client("dynamodb")
        answers = (
            client.get_item(TableName=self.name, Key=cast("Any", marshal(key.attributes)), ConsistentRead=True)
            for key in dict.fromkeys(keys)
        )
        return [unmarshal(answer["Item"]) for answer in answers if "Item" in answer]
