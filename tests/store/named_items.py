"""Items of one partition, by the names of their sort keys."""

from __future__ import annotations

from typing import Any

from governance.store.schema.keys import SK, Item, Key
from governance.store.writes import Put

BOARD = "BOARD#1"


def key(name: str) -> Key:
    return Key(BOARD, name)


def put(*names: str, **members: Any) -> list[Put]:
    return [Put({**key(name).attributes, **members}) for name in names]


def names(items: list[Item]) -> list[str]:
    return [item[SK] for item in items]
