"""Counts store calls, separated into sequential calls and calls that run on the thread pool."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from governance.store import dynamodb

T = TypeVar("T")


class InlinePool:
    """Replaces the store's thread pool: runs each submitted call at once, because moto is not thread-safe."""

    def __init__(self) -> None:
        self.depth = threading.local()

    def submit(self, call: Callable[[], T]) -> Future[T]:
        self.depth.value = self._current_depth + 1
        future: Future[T] = Future()
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - a pool hands every exception to the future
            future.set_exception(error)
        finally:
            self.depth.value -= 1
        return future

    @property
    def is_running(self) -> bool:
        """Whether this thread is inside a call that was submitted to the pool."""
        return self._current_depth > 0

    @property
    def _current_depth(self) -> int:
        return int(getattr(self.depth, "value", 0))


@dataclass
class StoreCalls:
    """The names of the store operations that were called, in order."""

    sequential: list[str] = field(default_factory=list)
    concurrent: list[str] = field(default_factory=list)


@contextmanager
def count_store_calls(pool: InlinePool) -> Iterator[StoreCalls]:
    """Counts the store calls that are made inside the context."""
    calls = StoreCalls()

    def record(model: Any, **_: Any) -> None:
        (calls.concurrent if pool.is_running else calls.sequential).append(model.name)

    events = dynamodb.client().meta.events
    events.register("before-call.dynamodb.*", record)
    try:
        yield calls
    finally:
        events.unregister("before-call.dynamodb.*", record)
