"""Counts store calls: which were made one after the other, and which beside another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from governance.store import table

T = TypeVar("T")


class InlinePool:
    """Runs at once what would have run beside: moto is no engine for threads."""

    def __init__(self) -> None:
        self.depth = threading.local()

    def submit(self, call: Callable[[], T]) -> Future[T]:
        self.depth.value = self.concurrent + 1
        future: Future[T] = Future()
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - handed on, as a pool does
            future.set_exception(error)
        finally:
            self.depth.value -= 1
        return future

    @property
    def concurrent(self) -> int:
        return int(getattr(self.depth, "value", 0))


@dataclass
class StoreCalls:
    """The operations seen."""

    sequential: list[str] = field(default_factory=list)
    concurrent: list[str] = field(default_factory=list)


@contextmanager
def count_store_calls(pool: InlinePool) -> Iterator[StoreCalls]:
    """Count the store calls made within."""
    seen = StoreCalls()

    def note(model: Any, **_: Any) -> None:
        (seen.concurrent if pool.concurrent else seen.sequential).append(model.name)

    events = table.client().meta.events
    events.register("before-call.dynamodb.*", note)
    try:
        yield seen
    finally:
        events.unregister("before-call.dynamodb.*", note)
