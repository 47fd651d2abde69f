"""The vocabulary of the table: attributes, indexes, primary keys, entities, lists and ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from governance.ids import is_id
from governance.instants import Instant, epoch

Item = dict[str, Any]
Index = Literal["L1", "L2", "L3", "L4"]

PK, SK, TTL = "PK", "SK", "ttl"
INDEXES: dict[Index, Literal["ALL", "KEYS_ONLY"]] = {"L1": "ALL", "L2": "ALL", "L3": "KEYS_ONLY", "L4": "KEYS_ONLY"}
"""The local indexes, each with what it projects; its sort key is the attribute of the same name."""
SEPARATOR = "#"
"""Separates the parts of a composed key."""


_PARAMETER = re.compile(r"\{(\w+)")
_PLACE = re.compile(r"\{(\w+)(:[^{}]*)?\}", re.ASCII)


def index_name(index: Index) -> str:
    """Returns the name that the template gives the index."""
    return f"by-{index}"


class Key(NamedTuple):
    """A primary key."""

    pk: str
    sk: str

    @property
    def attributes(self) -> dict[str, str]:
        """The key as attributes of an item."""
        return {PK: self.pk, SK: self.sk}


def key_of(item: Mapping[str, Any]) -> Key:
    """Returns the primary key of an item."""
    return Key(item[PK], item[SK])


def make_item(key: Key, members: Item, *, ttl: str | None = None, **index_keys: str) -> Item:
    """Returns an item made of its key, its attributes and its keys in the indexes.

    `ttl` is the instant after which the store may delete the item.
    """
    expiry = {} if ttl is None else {TTL: epoch(Instant(ttl))}
    return {**members, **key.attributes, **index_keys, **expiry}


@dataclass(frozen=True)
class Kind:
    """A kind of item: the templates of its key over named parameters, and the model of what it holds.

    A parameter whose name ends in `Id` is an id. `model` is the path of a class in `governance.models`, not the class,
    because a function loads only the models that it needs. It is None for a row that counts, leads to another, or holds
    an instant or a text: nothing reads it as a model.
    """

    pk: str
    sk: str
    model: str | None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the templates."""
        return tuple(dict.fromkeys(_PARAMETER.findall(self.pk + self.sk)))

    @property
    def sk_prefix(self) -> str:
        """The beginning of the sort keys of all items of this kind."""
        return self.sk.partition("{")[0]

    def key(self, **values: str) -> Key:
        """Returns the key for these parameters, whatever their text is."""
        return Key(self.pk.format(**values), self.sk.format(**values))

    def ids_of(self, key: Key) -> dict[str, str]:
        """Returns the parameters by which this key was built. Raises `ValueError` for a key of another kind."""
        match = self._pattern.fullmatch("\n".join(key))
        if match is None:
            raise ValueError(f"{key} is not a key of {self.pk} {self.sk}")
        return match.groupdict()

    def is_kind_of(self, key: Key) -> bool:
        """Returns whether this kind has such a key: the words between its parameters are those of the templates."""
        return self._pattern.fullmatch("\n".join(key)) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """What the partition key and the sort key match, a line each. A parameter's part has no separator.

        A parameter that is there shortened, or twice, is read where it is whole, or first.
        """
        return _pattern_of(f"{self.pk}\n{self.sk}")


@dataclass(frozen=True)
class Entity(Kind):
    """A kind of item that ids name: all parameters must be ids."""

    def key_or_none(self, **values: str | None) -> Key | None:
        """Returns the key for these parameters; None if one of them is malformed, and so names nothing."""
        for name in self.parameters:
            if not is_id(values.get(name)):
                return None
        return Key(self.pk.format(**values), self.sk.format(**values))

    def key_for(self, **values: str) -> Key:
        """Returns the key for parameters that are known to be valid ids. Raises `ValueError` for any other."""
        key = self.key_or_none(**values)
        if key is None:
            raise ValueError(f"no key of {self.pk} {self.sk}")
        return key


def _pattern_of(template: str) -> re.Pattern[str]:
    seen, pattern, end = set[str](), "", 0
    for place in _PLACE.finditer(template):
        name, is_part = place[1], place[2] is not None
        is_named = not is_part and name not in seen
        seen |= {name} if is_named else set()
        part = rf"[^{SEPARATOR}\n]+"
        pattern += re.escape(template[end : place.start()]) + (f"(?P<{name}>{part})" if is_named else part)
        end = place.end()
    return re.compile(pattern + re.escape(template[end:]))


def is_of_kind(entity: Kind, item: Mapping[str, Any]) -> bool:
    """Returns whether an item is of this kind, and not one below an item of this kind, by its sort key."""
    sk: str = item[SK]
    return sk.startswith(entity.sk_prefix) and sk.count(SEPARATOR) == entity.sk.count(SEPARATOR)


@dataclass(frozen=True)
class Range:
    """A run of sort keys in one partition, of the table or of a local index.

    It contains every key with the prefix that is strictly between `above` and `below`, if they are given.
    """

    pk: str
    prefix: str = ""
    index: Index | None = None
    above: str | None = None
    below: str | None = None


@dataclass(frozen=True)
class SortedList:
    """A list that is kept in order: the prefix that its sort keys share, in an index or in the table itself (None).

    The part behind the prefix is an item's position in the list.
    """

    index: Index | None
    prefix: str

    @property
    def attribute(self) -> str:
        """The attribute that holds the sort key."""
        return self.index or SK

    def entry(self, position: str) -> dict[str, str]:
        """Returns the index key that puts an item at this position of the list."""
        return {self.attribute: self.prefix + position}

    def position_of(self, item: Mapping[str, str]) -> str:
        """Returns the position of an item of the list."""
        return item[self.attribute].removeprefix(self.prefix)

    def within(self, pk: str) -> Range:
        """Returns the range that the list takes up in a partition."""
        return Range(pk, self.prefix, self.index)


def position(sort_value: str, item_id: str) -> str:
    """Returns the position of an item in a list: by the sort value, among equal ones by id."""
    return f"{sort_value}{SEPARATOR}{item_id}"
