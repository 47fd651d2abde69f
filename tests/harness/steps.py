"""What a step of a request reads and writes in the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from governance.store.schema.keys import PK, SK
from tests.harness.fault_injection import hooked

RowKey = tuple[str, str]
COUNTERS = "UpdateItem"
"""Writes inexact counters (rates, last uses); no decision depends on when they are written."""


@dataclass(frozen=True)
class Items:
    """Items by their keys, partitions of which a range is read, or the whole table."""

    keys: frozenset[RowKey] = frozenset()
    partitions: frozenset[str] = frozenset()
    everything: bool = False

    def __or__(self, other: Items) -> Items:
        everything = self.everything or other.everything
        return Items(self.keys | other.keys, self.partitions | other.partitions, everything)

    def __bool__(self) -> bool:
        return bool(self.keys or self.partitions or self.everything)

    def meets(self, written: Items) -> bool:
        """Returns whether any of these is among the items that are written."""
        if self.everything:
            return bool(written)
        return not self.keys.isdisjoint(written.keys) or any(pk in self.partitions for pk, _ in written.keys)


@dataclass(frozen=True)
class Step:
    """One store call of a request, or several."""

    read: Items = field(default_factory=Items)
    written: Items = field(default_factory=Items)

    def __or__(self, other: Step) -> Step:
        return Step(self.read | other.read, self.written | other.written)

    def meets(self, other: Step) -> bool:
        """Returns whether the order of two steps may make a difference."""
        return (self.read | self.written).meets(other.written) or other.read.meets(self.written)


def step_of(operation: str, params: Mapping[str, Any], masked: Callable[[str], str]) -> Step:
    """Returns a store call as a step. `params` are those of the SDK's event before the call.

    Keys are `masked`, for a new item has another id in each schedule.
    """
    body = json.loads(params["body"])

    def keys(members: Iterable[Mapping[str, Any]]) -> frozenset[RowKey]:
        return frozenset(row_key(member, masked) for member in members)

    if operation == "BatchGetItem":
        return Step(Items(keys(key for batch in body["RequestItems"].values() for key in batch["Keys"])))
    if operation == "Query":
        return Step(Items(partitions=frozenset([masked(body["ExpressionAttributeValues"][":pk"]["S"])])))
    if operation == "Scan":
        return Step(Items(everything=True))
    if operation == "TransactWriteItems":
        parts = [part for write in body["TransactItems"] for part in write.items()]
        checked = keys(part["Key"] for kind, part in parts if kind == "ConditionCheck")
        written = keys(part.get("Item") or part["Key"] for kind, part in parts if kind != "ConditionCheck")
        return Step(Items(checked), Items(written))
    raise AssertionError(f"The schedules do not know this call: {operation}")


@contextmanager
def noted_steps(masked: Callable[[str], str]) -> Iterator[list[Step]]:
    """Yields the steps of what is called inside the context."""
    steps: list[Step] = []

    def note(model: Any, params: dict[str, Any], **_: Any) -> None:
        if model.name != COUNTERS:
            steps.append(step_of(model.name, params, masked))

    with hooked("before-call.dynamodb.*", note):
        yield steps


def together(steps: Iterable[Step]) -> Step:
    """Returns what all of these steps read and write."""
    return reduce(or_, steps, Step())


def row_key(members: Mapping[str, Any], masked: Callable[[str], str]) -> RowKey:
    """Returns the masked key in the members of a row, as the store's protocol writes them."""
    return masked(members[PK]["S"]), masked(members[SK]["S"])
