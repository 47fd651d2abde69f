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
        self.depth.value = self.beside + 1
        future: Future[T] = Future()
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - handed on, as a pool does
            future.set_exception(error)
        finally:
            self.depth.value -= 1
        return future

    @property
    def beside(self) -> int:
        return int(getattr(self.depth, "value", 0))


@dataclass
class Calls:
    """The operations seen."""

    sequential: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)


@contextmanager
def counted(pool: InlinePool) -> Iterator[Calls]:
    """Count the store calls made within."""
    seen = Calls()

    def note(model: Any, **_: Any) -> None:
        (seen.beside if pool.beside else seen.sequential).append(model.name)

    events = table.client().meta.events
    events.register("before-call.dynamodb.*", note)
    try:
        yield seen
    finally:
        events.unregister("before-call.dynamodb.*", note)
