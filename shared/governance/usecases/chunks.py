"""Reads long legacy lists in chunks: the first before the request is authorized, others as the response needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from governance.limits import CHUNK_ROWS
from governance.models.page import LegacyListQuery
from governance.store.paging import Window
from governance.usecases.context import RequestInfo

T = TypeVar("T")
Chunk = tuple[list[T], str | None]
"""Rows of a list in order, and the position of the last one; None if no row follows."""


def first_window(info: RequestInfo, *, descending: bool) -> Window:
    """Returns the first chunk of a list: `limit` rows, but at most `CHUNK_ROWS`."""
    return Window(min(info.query_as(LegacyListQuery).limit or CHUNK_ROWS, CHUNK_ROWS), descending, info.after)


def iter_chunks(first: Chunk[T], read: Callable[[Window], Chunk[T]], *, descending: bool) -> Iterator[list[T]]:
    """Yields the rows of a list: those of the first chunk, then those that `read` returns for a window."""
    rows, position = first
    yield rows
    while position is not None:
        rows, position = read(Window(CHUNK_ROWS, descending, position))
        yield rows
