"""What calls return beside plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Value(dict[str, Any]):
    """A resource as the service sent it, with its entity tag."""

    def __init__(self, members: Mapping[str, Any], etag: str | None) -> None:
        super().__init__(members)
        self.etag = etag


class Page(NamedTuple, Generic[T]):
    """One page of a list: pass `next_cursor` as `cursor` for the next; it is None on the last."""

    data: list[T]
    next_cursor: str | None


def etag(value: Mapping[str, object]) -> str | None:
    """Returns the entity tag of a value for `if_match`; None where the service sent none."""
    return getattr(value, "etag", None)
