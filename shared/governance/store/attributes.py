"""Values as the store writes them, and back: text, whole numbers, booleans, null, lists, maps and sets of text.

The SDK's own converters also handle other sets, bytes and decimals, which are not used here, and take several times as
long (ADR build).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.store.schema.keys import Item

_INTEGER = re.compile(r"-?\d+")


@dataclass(frozen=True)
class Opaque:
    """A value of a type that this release does not write, such as bytes or a fraction: it is written back as it is."""

    typed: Mapping[str, Any]


def marshal(members: Mapping[str, Any]) -> dict[str, Any]:
    """Returns fields as typed attributes. Raises `TypeError` for a value that the store cannot hold, like a float."""
    return {name: {"S": value} if type(value) is str else _typed(value) for name, value in members.items()}


def unmarshal(raw: Mapping[str, Any]) -> Item:
    """Returns typed attributes as plain values; numbers are integers."""
    return {
        name: value["S"] if "S" in value else None if "NULL" in value else _plain(value) for name, value in raw.items()
    }


def _typed(value: Any) -> dict[str, Any]:
    if value is None:
        return {"NULL": True}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, int):
        return {"N": str(value)}
    if isinstance(value, list | tuple):
        return {"L": [_typed(part) for part in value]}
    if isinstance(value, dict):
        return {"M": marshal(value)}
    return _rarely_typed(value)


def _rarely_typed(value: Any) -> dict[str, Any]:
    if isinstance(value, frozenset) and value and all(isinstance(part, str) for part in value):
        return {"SS": sorted(value)}
    if isinstance(value, Opaque):
        return dict(value.typed)
    raise TypeError(f"the store cannot hold a {type(value).__name__}")


def _plain(typed: Mapping[str, Any]) -> Any:
    ((kind, value),) = typed.items()
    if kind in {"S", "BOOL"}:
        return value
    if kind == "NULL":
        return None
    if kind == "N":
        return int(value) if _INTEGER.fullmatch(value) else Opaque(typed)
    if kind == "L":
        return [part["S"] if "S" in part else _plain(part) for part in value]
    if kind == "M":
        return unmarshal(value)
    if kind == "SS":
        return frozenset(value)
    return Opaque(typed)
