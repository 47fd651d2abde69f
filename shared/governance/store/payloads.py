"""Payloads: the large part of a resource, in an item of its own, apart from the resource's item (ADR table).

The resource's item names the version at which its payload was written; 0 means that it has none. Both are written in
one transaction, but one batch may read them at different instants. A payload of another version is therefore a stale
read.
"""

from __future__ import annotations

from governance.store.schema.keys import Item, Key, make_item
from governance.store.writes import Delete, Put, StaleRead, Write

_TEXT, _VERSION = "text", "version"


def text_of(item: Item | None, version: int) -> str | None:
    """Returns the text of a payload from its item; None if the resource names none (`version` 0).

    Raises `StaleRead` if the item is not of the version that the resource names.
    """
    if not is_of_version(item, version):
        raise StaleRead
    return item[_TEXT] if item and version else None


def is_of_version(item: Item | None, version: int) -> bool:
    """Returns whether a payload's item has the version that the resource names; True for a resource without payload."""
    return version == 0 or (item is not None and item[_VERSION] == version)


def write(key: Key, text: str | None, before: int, after: int) -> list[Write]:
    """Returns the writes that bring a payload from one version to another: none if they are equal.

    The transaction must also write the resource's item, on the condition that it is unchanged.
    """
    if before == after:
        return []
    return [Delete(key)] if text is None else [Put(make_item(key, {_TEXT: text, _VERSION: after}))]
