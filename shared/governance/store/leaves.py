"""The rows that the entries of the log stand for.

A row of the audit log has the text of its entry, a salt, and the entry's index in the log. A row with several entries
has all three for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from governance.log.leaves import Leaf, new_salt
from governance.settings import settings
from governance.store import dynamodb, failures
from governance.store.attributes import marshal, unmarshal
from governance.store.client.errors import RefusedError
from governance.store.schema.keys import PK, Item, Key, key_of

TEXT, SALT, INDEX = "entry", "salt", "leaf"
TOGETHER = "entries"
"""The attribute that holds the entries of a row that has several."""
ATTRIBUTES = (TEXT, SALT, INDEX, TOGETHER)


@dataclass(frozen=True)
class Mark:
    """The entries of a row that are logged together: their positions in the row, each with its index in the log."""

    key: Key
    together: bool
    indexes: tuple[tuple[int, int], ...]


def salted(members: Item) -> Item:
    """Returns the attributes of an entry with a salt."""
    return {**members, SALT: new_salt()}


def leaves_of(item: Mapping[str, Any]) -> list[Leaf]:
    """Returns what a row has in the log, or will have, by its positions."""
    entries: Sequence[Mapping[str, Any]] = item.get(TOGETHER) or [item]
    return [_leaf(entry) for entry in entries]


def _leaf(entry: Mapping[str, Any]) -> Leaf:
    index = entry.get(INDEX)
    return Leaf(entry[TEXT], entry.get(SALT), None if index is None else int(index))


def with_salts(item: Item) -> Item:
    """Returns a row whose entries have salts, which are drawn and stored where a release without the log left none.

    A row that is gone is returned as it was read.
    """
    missing = [position for position, leaf in enumerate(leaves_of(item)) if leaf.salt is None]
    if not missing:
        return item
    drawn = [(position, new_salt()) for position in missing]
    return _set(key_of(item), SALT, drawn, together=TOGETHER in item) or item


def mark(marks: Iterable[Mark]) -> None:
    """Stores the indexes of rows' entries in the log, at the same time, unless they have some, or a row is gone."""
    for done in [dynamodb.run_async(partial(_mark, each)) for each in marks]:
        done.result()


def _mark(row: Mark) -> None:
    _set(row.key, INDEX, row.indexes, together=row.together)


def _set(key: Key, name: str, values: Sequence[tuple[int, Any]], *, together: bool) -> Item | None:
    """Sets an attribute of entries that lack it, and returns the row; None if it is gone."""
    path = f"#entries[{{}}].#{name}" if together else f"#{name}"
    texts = [f"{path.format(at)} = if_not_exists({path.format(at)}, :v{at})" for at, _ in values]
    names = {f"#{name}": name, "#pk": PK} | ({"#entries": TOGETHER} if together else {})
    try:
        answer = dynamodb.raw_call(
            "update_item",
            TableName=settings().table_name,
            Key=marshal(key.attributes),
            UpdateExpression="SET " + ", ".join(texts),
            ConditionExpression="attribute_exists(#pk)",
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=marshal({f":v{at}": value for at, value in values}),
            ReturnValues="ALL_NEW",
        )
    except RefusedError as error:
        if error.code == "ConditionalCheckFailedException":
            return None
        raise failures.failed("update_item", error) from None
    return unmarshal(answer["Attributes"])
