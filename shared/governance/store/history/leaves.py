"""The rows that the entries of the log stand for.

A row of the audit log has the text of its entry, a salt, and the entry's index in the log. A row with several entries
has all three for each. Salts end with their board; entries that wait for the sealer then keep theirs until it is done.
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
ENDED = "saltsEnded"
"""The attribute of a row whose salts end, or have ended."""
ATTRIBUTES = (TEXT, SALT, INDEX, TOGETHER, ENDED)


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
    for done in [dynamodb.run_async(partial(_mark, mark_)) for mark_ in marks]:
        done.result()


def _mark(mark_: Mark) -> None:
    row = _set(mark_.key, INDEX, mark_.indexes, together=mark_.together)
    if row is not None and ENDED in row:
        _forget_salts(row)


def end_salts(rows: Iterable[Item]) -> None:
    """Ends the salts of rows, at the same time: nobody can open their entries any more.

    Those of a row that is not logged yet end once the sealer has logged it.
    """
    for done in [dynamodb.run_async(partial(_end_salts, row)) for row in rows]:
        done.result()


def _end_salts(row: Item) -> None:
    if not _is_logged(row):
        row = _update(key_of(row), {"#ended": ENDED}, "SET #ended = :ended", {":ended": True}) or row
    if _is_logged(row):
        _forget_salts(row)


def may_be_opened(row: Item) -> bool:
    """Returns whether a row has salts that do not end, or may get them."""
    return ENDED not in row or (_is_logged(row) and any(leaf.salt for leaf in leaves_of(row)))


def _is_logged(row: Item) -> bool:
    return all(leaf.index is not None for leaf in leaves_of(row))


def _forget_salts(row: Item) -> None:
    together = TOGETHER in row
    texts = [_path(SALT, position, together=together) for position, _ in enumerate(leaves_of(row))]
    names = {"#ended": ENDED, **_names(SALT, together=together)}
    _update(key_of(row), names, f"SET #ended = :ended REMOVE {', '.join(texts)}", {":ended": True})


def give_back_salts(row: Item) -> None:
    """Gives today's row the salts that it had when it was as given: for a board that was deleted and is restored."""
    salts = [(position, leaf.salt) for position, leaf in enumerate(leaves_of(row)) if leaf.salt is not None]
    if salts and _set(key_of(row), SALT, salts, together=TOGETHER in row) is not None:
        _update(key_of(row), {"#ended": ENDED}, "REMOVE #ended")


def _set(key: Key, name: str, values: Sequence[tuple[int, Any]], *, together: bool) -> Item | None:
    """Sets an attribute of entries that lack it, and returns the row; None if it is gone."""
    paths = [_path(name, position, together=together) for position, _ in values]
    texts = [f"{path} = if_not_exists({path}, :v{at})" for path, (at, _) in zip(paths, values, strict=True)]
    given = {f":v{at}": value for at, value in values}
    return _update(key, _names(name, together=together), f"SET {', '.join(texts)}", given)


def _path(name: str, position: int, *, together: bool) -> str:
    return f"#entries[{position}].#{name}" if together else f"#{name}"


def _names(name: str, *, together: bool) -> dict[str, str]:
    return {f"#{name}": name} | ({"#entries": TOGETHER} if together else {})


def _update(key: Key, names: Mapping[str, str], expression: str, values: Item | None = None) -> Item | None:
    """Updates a row that exists, and returns it; None if it is gone."""
    try:
        answer = dynamodb.raw_call(
            "update_item",
            TableName=settings().table_name,
            Key=marshal(key.attributes),
            UpdateExpression=expression,
            ConditionExpression="attribute_exists(#pk)",
            ExpressionAttributeNames={"#pk": PK, **names},
            ReturnValues="ALL_NEW",
            **({"ExpressionAttributeValues": marshal(values)} if values else {}),
        )
    except RefusedError as error:
        if error.code == "ConditionalCheckFailedException":
            return None
        raise failures.failed("update_item", error) from None
    return unmarshal(answer["Attributes"])
