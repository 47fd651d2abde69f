"""Items as models. A list leaves out an item that cannot be read, and returns the others (ADR table)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from governance import telemetry
from governance.models.base import Stored
from governance.store.schema.entities import partition_subject
from governance.store.schema.keys import PK, SEPARATOR, SK, Item, Key, key_of
from governance.store.table import read
from governance.store.writes import StaleRead
from governance.telemetry import Metric

S = TypeVar("S", bound=Stored)


def decode_all(model: type[S], items: Iterable[Mapping[str, Any]]) -> list[S]:
    """Returns the items as models, in their order; items that cannot be read are left out, counted and logged."""
    decoded = (decode_or_none(model, item) for item in items)
    return [instance for instance in decoded if instance is not None]


def decode_or_none(model: type[S], item: Mapping[str, Any] | None) -> S | None:
    """Returns an item as a model; None if it is absent or cannot be read. The latter is counted and logged."""
    if item is None:
        return None
    try:
        return model.model_validate(item)
    except ValidationError:
        report_unreadable(item)
        return None


def report_unreadable(item: Mapping[str, Any]) -> None:
    """Counts and logs an item that cannot be read; `boardctl doctor` shows it."""
    telemetry.count(Metric.ITEMS_UNREADABLE)
    partition, kind = partition_subject(item[PK]), str(item[SK]).partition(SEPARATOR)[0]
    telemetry.logger().error("item unreadable", partition=partition, kind=kind)


def check_settled(rows: Iterable[Item], absent: Collection[Key] = ()) -> None:
    """Reports rows that do not fit together. Raises `StaleRead` if one of them has changed since it was read.

    Rows that are written together may be read at different instants. If they still are as they were read, they will
    never fit: one was restored without the others. A row may be given as an index projects it.
    """
    seen = {key_of(row): row for row in rows}
    stored = read([*seen, *absent])
    if any(_differs(row, stored.get(key)) for key, row in seen.items()) or any(key in stored for key in absent):
        raise StaleRead
    report_unreadable(next(iter(seen.values())))


def _differs(seen: Item, stored: Item | None) -> bool:
    return stored is None or any(stored.get(name) != value for name, value in seen.items())
