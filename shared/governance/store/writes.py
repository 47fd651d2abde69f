"""The parts of a transaction: writes, their conditions, and the error if a condition fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from governance.errors import ApiError, TriedAgain, unavailable
from governance.instants import Instant
from governance.store import dynamodb
from governance.store.attributes import marshal
from governance.store.schema.keys import PK, TTL, Item, Key, key_of


class StaleRead(TriedAgain):
    """Optimistic concurrency failed: an item has changed since it was read. Read and decide again."""


T = TypeVar("T")
_ATTEMPTS = 40
"""Many editors of one report, whose figures are checked together, follow each other; mostly, a deadline comes first."""


def retry_stale_reads(attempt: Callable[[], T]) -> T:
    """Returns the result of the first attempt that does not end in `StaleRead`; raises 503 after forty.

    Each attempt reads, decides and writes again. It waits before, with full jitter: attempts that follow at once meet
    each other again.
    """
    for number in range(_ATTEMPTS):
        with suppress(StaleRead):
            return attempt()
        dynamodb.back_off(number)
    raise unavailable()


FailureHandler = Callable[[Item | None], Exception]
"""Returns the error for a failed condition, given the item that is stored (None: there is none)."""


def stale_read(_: Item | None) -> Exception:
    """Returns `StaleRead`: the error for a failed condition that reading again may settle."""
    return StaleRead()


def fail_with(error: Callable[[], ApiError]) -> FailureHandler:
    """Returns a handler that turns a failed condition into this error, whatever item is stored."""
    return lambda _: error()


@dataclass(frozen=True)
class Condition:
    """A condition expression with its names and values."""

    expression: str
    names: dict[str, str] = field(default_factory=dict)
    values: Item = field(default_factory=dict)


ABSENT = Condition("attribute_not_exists(#pk)", {"#pk": PK})
EXISTS = Condition("attribute_exists(#pk)", {"#pk": PK})


def equals(**members: Any) -> Condition:
    """Returns the condition that the item exists and has these attributes."""
    names = {f"#c{i}": name for i, name in enumerate(members)}
    values = {f":c{i}": value for i, value in enumerate(members.values())}
    return Condition(" AND ".join(f"#c{i} = :c{i}" for i in range(len(members))), names, values)


@dataclass(frozen=True)
class Put:
    """A write that stores an item, replacing an earlier one, if the condition holds for the latter."""

    item: Item
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read
    commit_by: Instant | None = None
    """No attempt to store the item ends later; None: it may be stored at any time."""
    reserve: str | None = None
    """The partition that takes the item if its own is full (ADR history); None: the transaction fails then."""


@dataclass(frozen=True)
class Delete:
    """A write that deletes an item, if the condition holds for it."""

    key: Key
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read


@dataclass(frozen=True)
class Update:
    """A write that changes attributes of an item by an update expression, if the condition holds for the item."""

    key: Key
    expression: str
    names: dict[str, str]
    values: Item
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read


@dataclass(frozen=True)
class Check:
    """A write that changes nothing, but fails the transaction unless the condition holds for the item."""

    key: Key
    condition: Condition
    on_failure: FailureHandler = stale_read


Write = Put | Delete | Update | Check


def in_reserve(write: Write) -> Write | None:
    """Returns the write of the same item in the reserve of its partition; None if it has none."""
    if not isinstance(write, Put) or write.reserve is None:
        return None
    return replace(write, item={**write.item, PK: write.reserve}, reserve=None)


def key_of_write(write: Write) -> Key:
    """Returns the key of the item that a write stores, deletes, changes or checks."""
    return key_of(write.item) if isinstance(write, Put) else write.key


def to_transact_item(write: Write, table_name: str) -> dict[str, Any]:
    """Returns a write as TransactWriteItems takes it."""
    body: dict[str, Any] = {"TableName": table_name}
    values: Item = {}
    names: dict[str, str] = {}
    if isinstance(write, Put):
        body["Item"] = marshal(write.item)
    else:
        body["Key"] = marshal(write.key.attributes)
    if isinstance(write, Update):
        body["UpdateExpression"] = write.expression
        names, values = dict(write.names), dict(write.values)
    if write.condition is not None:
        body |= {
            "ConditionExpression": write.condition.expression,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        names |= write.condition.names
        values |= write.condition.values
    if names:
        body["ExpressionAttributeNames"] = names
    if values:
        body["ExpressionAttributeValues"] = marshal(values)
    return {{Put: "Put", Delete: "Delete", Update: "Update", Check: "ConditionCheck"}[type(write)]: body}


def if_unchanged(write: Write, read: Item | None) -> Write:
    """Returns the write, which fails with `StaleRead` unless its item is stored as it was read (None: absent)."""
    own, unchanged = write.condition, ABSENT if read is None else _unchanged(read)
    if own is not None:
        expression = f"({own.expression}) AND ({unchanged.expression})"
        unchanged = Condition(expression, {**own.names, **unchanged.names}, {**own.values, **unchanged.values})
    on_failure = write.on_failure
    return replace(
        write,
        condition=unchanged,
        on_failure=lambda stored: on_failure(stored) if stored == read else StaleRead(),
    )


def _unchanged(item: Item) -> Condition:
    """Returns the condition that an item has the version that was read; without versions, the same attributes."""
    held = {"version": item["version"]} if "version" in item else item
    members = {name: value for name, value in held.items() if name != TTL}
    names = {f"#u{i}": name for i, name in enumerate(members)}
    values = {f":u{i}": value for i, value in enumerate(members.values())}
    return Condition(" AND ".join(f"#u{i} = :u{i}" for i in range(len(members))), names, values)
