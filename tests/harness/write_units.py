"""The write units of a transaction, computed from its items and the indexes by the rules of the store's documentation.

Local engines report other figures for transactions. A unit is a write of up to a kilobyte; a transaction takes two for
each. A write of an item counts the larger of its sizes before and after, whatever attributes it changes. An index takes
a write where an entry appears, disappears or changes, and two where its sort key changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from governance.store.attributes import unmarshal
from governance.store.schema.keys import INDEXES, PK, SK, Item, Key
from tests.harness.fault_injection import hooked
from tests.harness.table_snapshot import TableSnapshot

_KILOBYTE = 1024
_IN_TRANSACTION = 2


@dataclass
class WriteUnits:
    """The units of the transactions inside the context, by the sort key of each item."""

    by_item: dict[Key, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.by_item.values())


@contextmanager
def count_write_units() -> Iterator[WriteUnits]:
    """Counts the write units of all transactions that succeed inside the context."""
    units, held = WriteUnits(), set[Key]()
    before = TableSnapshot().items

    def note(params: dict[str, Any], **_: Any) -> None:
        for entry in json.loads(params["body"])["TransactItems"]:
            ((_, body),) = entry.items()
            key = unmarshal(body.get("Key") or {name: body["Item"][name] for name in (PK, SK)})
            held.add(Key(key[PK], key[SK]))

    with hooked("before-call.dynamodb.TransactWriteItems", note):
        yield units
    after = TableSnapshot().items
    units.by_item |= {key: _units(before.get(key), after.get(key)) for key in held}


def _units(old: Item | None, new: Item | None) -> int:
    own = max(1, _kilobytes(old), _kilobytes(new))
    return _IN_TRANSACTION * (own + sum(_index_writes(index, old or {}, new or {}) for index in INDEXES))


def _index_writes(index: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> int:
    entries = [_entry(index, old), _entry(index, new)]
    if entries[0] == entries[1]:
        return 0
    moved = old.get(index) != new.get(index)
    sizes = [_kilobytes(entry) for entry in entries]
    return sum(sizes) if moved else max(sizes)


def _entry(index: Any, item: Mapping[str, Any]) -> Item | None:
    if index not in item:
        return None
    return dict(item) if INDEXES[index] == "ALL" else {name: item[name] for name in (PK, SK, index)}


def _kilobytes(item: Mapping[str, Any] | None) -> int:
    size = sum(len(name.encode()) + _size(value) for name, value in (item or {}).items())
    return ceil(size / _KILOBYTE)


def _size(value: Any) -> int:
    """Returns the bytes of a value as the store counts them."""
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, Mapping):
        return 3 + sum(1 + len(name.encode()) + _size(part) for name, part in value.items())
    if isinstance(value, list | tuple):
        return 3 + sum(1 + _size(part) for part in value)
    if isinstance(value, bool) or value is None:
        return 1
    return len(str(value)) // 2 + 2
