"""The write units of transactions, computed from the items before and after: DynamoDB Local reports too few.

A write costs a unit for each KB of the item, old or new, whichever is larger; so does each copy in an index that
changes, and a copy that moves is deleted and written. In a transaction all of it counts twice. A check costs what a
write does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import boto3

from governance.settings import settings
from governance.store.schema.keys import INDEXES, PK, SK, Index
from infra.tools.scale.meter import Cost, watching

_KB = 1024
_CHECK = "ConditionCheck"
_OVERHEAD = 3
Typed = Mapping[str, Any]


@contextmanager
def counted_writes(cost: Cost) -> Iterator[None]:
    """Adds the write units of all transactions inside the context to a cost."""
    seen: list[tuple[str, Typed, Typed]] = []

    def remember(_: str, request: dict[str, Any]) -> None:
        for entry in request.get("TransactItems", ()):
            ((kind, write),) = entry.items()
            item = write.get("Item") or write["Key"]
            key = {name: item[name] for name in (PK, SK)}
            seen.append((kind, key, _stored(key)))

    def add(*_: Any) -> None:
        together = sum(max(_size(before), _size(_stored(key))) for _, key, before in seen)
        cost.largest_transaction = max(cost.largest_transaction, together)
        cost.write_units += 2 * sum(
            _kilobytes(_size(before)) if kind == _CHECK else units(before, _stored(key)) for kind, key, before in seen
        )
        seen.clear()

    with watching(remember, add):
        yield


def _stored(key: Typed) -> Typed:
    answer = boto3.client("dynamodb").get_item(TableName=settings().table_name, Key=key, ConsistentRead=True)
    return answer.get("Item", {})


def units(before: Typed, after: Typed) -> int:
    """Returns the units of one write outside of a transaction; an item that does not exist is empty."""
    return _kilobytes(max(_size(before), _size(after))) + sum(_index_units(name, before, after) for name in INDEXES)


def _index_units(index: Index, before: Typed, after: Typed) -> int:
    old, new = _projected(index, before), _projected(index, after)
    if old == new:
        return 0
    if old.get(index) == new.get(index):
        return _kilobytes(max(_size(old), _size(new)))
    return sum(_kilobytes(_size(copy)) for copy in (old, new) if copy)


def _projected(index: Index, item: Typed) -> Typed:
    """Returns the copy of an item in an index; empty if the index does not have the item."""
    if index not in item:
        return {}
    return item if INDEXES[index] == "ALL" else {name: item[name] for name in (PK, SK, index)}


def _kilobytes(size: int) -> int:
    return max(1, -(-size // _KB))


def _size(item: Typed) -> int:
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(typed: Typed) -> int:
    ((kind, value),) = typed.items()
    if kind == "S":
        return len(value.encode())
    if kind == "N":
        return len(value) // 2 + 1
    if kind == "L":
        return _OVERHEAD + sum(1 + _value_size(part) for part in value)
    if kind == "M":
        return _OVERHEAD + len(value) + _size(value)
    return 1
