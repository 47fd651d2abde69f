"""A row of every kind, made of the examples of what is written."""

from __future__ import annotations

from governance.store.schema.keys import Item, Key, key_of
from governance.store.writes import Put
from tests.store.test_stored_keys import WRITTEN


def whole_rows() -> dict[Key, Item]:
    """Returns what the examples write whole; where two kinds of writes make the same row, the first."""
    writes = [write for make in WRITTEN.values() for write in make()]
    return {key_of(write.item): write.item for write in reversed(writes) if isinstance(write, Put)}


def all_rows() -> dict[Key, Item]:
    """Returns these rows, and those that the examples only change or delete, with their keys alone."""
    writes = [write for make in WRITTEN.values() for write in make()]
    keys_alone: dict[Key, Item] = {
        write.key: dict(write.key.attributes) for write in writes if not isinstance(write, Put)
    }
    return keys_alone | whole_rows()
