"""Batches of rows that are written or deleted in one transaction: few enough, and small enough together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from governance.limits import BATCH_BYTES

T = TypeVar("T")


def batches(rows: Iterable[T], bytes_of: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Yields rows in their order, at most `most` at a time, and `BATCH_BYTES` together unless one alone has more."""
    batch: list[T] = []
    size = 0
    for row in rows:
        weight = bytes_of(row)
        if len(batch) == most or (batch and size + weight > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch
