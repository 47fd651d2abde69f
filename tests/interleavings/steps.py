"""What a step of a request reads and writes in the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from governance.store.schema.keys import PK, SK

_Key = tuple[str, str]


@dataclass(frozen=True)
class Items:
    """Items by their keys, and partitions of which a range is read."""

    keys: frozenset[_Key] = frozenset()
    partitions: frozenset[str] = frozenset()

    def __or__(self, other: Items) -> Items:
        return Items(self.keys | other.keys, self.partitions | other.partitions)

    def __bool__(self) -> bool:
        return bool(self.keys or self.partitions)

    def meets(self, written: Items) -> bool:
        """Returns whether any of these is among the items that are written."""
        return not self.keys.isdisjoint(written.keys) or any(pk in self.partitions for pk, _ in written.keys)


@dataclass(frozen=True)
class Step:
    """One store call of a request."""

    read: Items = field(default_factory=Items)
    written: Items = field(default_factory=Items)

    def meets(self, other: Step) -> bool:
        """Returns whether the order of two steps may make a difference."""
        return (self.read | self.written).meets(other.written) or other.read.meets(self.written)


def step_of(operation: str, params: Mapping[str, Any], masked: Callable[[str], str]) -> Step:
    """Returns a store call as a step. `params` are those of the SDK's event before the call.

    Keys are `masked`, for a new item has another id in each schedule.
    """
    body = json.loads(masked(params["body"].decode()))
    if operation == "BatchGetItem":
        return Step(Items(frozenset(_key(key) for batch in body["RequestItems"].values() for key in batch["Keys"])))
    if operation == "Query":
        return Step(Items(partitions=frozenset([body["ExpressionAttributeValues"][":pk"]["S"]])))
    if operation == "TransactWriteItems":
        parts = [part for write in body["TransactItems"] for part in write.items()]
        checked = (_key(part["Key"]) for kind, part in parts if kind == "ConditionCheck")
        written = (_key(part.get("Item") or part["Key"]) for kind, part in parts if kind != "ConditionCheck")
        return Step(Items(frozenset(checked)), Items(frozenset(written)))
    raise AssertionError(f"The schedules do not know this call: {operation}")


def _key(members: Mapping[str, Any]) -> _Key:
    return members[PK]["S"], members[SK]["S"]
