"""What a transaction is made of: writes, the conditions they hold under, and the answer where one does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from governance.errors import ApiError
from governance.store.schema import PK, Item, Key


class StaleRead(Exception):
    """What was read has changed since: load again, decide again."""


FailureHandler = Callable[[Item | None], Exception]


def stale_read(_: Item | None) -> Exception:
    """The answer to a failed condition that a fresh look may settle."""
    return StaleRead()


def fail_with(error: Callable[[], ApiError]) -> FailureHandler:
    """The answer to a failed condition that is this error whatever stands there."""
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
    """The item is there and has these members."""
    names = {f"#c{i}": name for i, name in enumerate(members)}
    values = {f":c{i}": value for i, value in enumerate(members.values())}
    return Condition(" AND ".join(f"#c{i} = :c{i}" for i in range(len(members))), names, values)


@dataclass(frozen=True)
class Put:
    """Write an item whole, if the condition holds of what is there."""

    item: Item
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read


@dataclass(frozen=True)
class Delete:
    """Remove an item, if the condition holds of it."""

    key: Key
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read


@dataclass(frozen=True)
class Update:
    """Change attributes of an item by an update expression, if the condition holds of it."""

    key: Key
    expression: str
    names: dict[str, str]
    values: Item
    condition: Condition | None = None
    on_failure: FailureHandler = stale_read


@dataclass(frozen=True)
class Check:
    """Write nothing, but let the transaction hold only where the condition does."""

    key: Key
    condition: Condition
    on_failure: FailureHandler = stale_read


Write = Put | Delete | Update | Check
