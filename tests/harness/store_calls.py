"""Which calls of the store are made, on the thread pool or one after the other, and what they request."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from governance.store import dynamodb
from tests.harness.fault_injection import hooked

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


class _Joined(Future[T]):
    """The result of a submitted call, whose reader goes on no earlier than it ended."""

    def __init__(self, done: Future[T], join: Callable[[], None]) -> None:
        super().__init__()
        self._done, self._join = done, join

    def result(self, timeout: float | None = None) -> T:
        self._join()
        return self._done.result(timeout)


class RoundsPool(InlinePool):
    """Counts how many store calls follow one another at least, where those that were submitted run side by side.

    Calls of a thread of the pool follow one another, those that it submits too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rounds = 0

    def submit(self, call: Callable[[], T]) -> Future[T]:
        begun, is_nested = self.rounds, self.is_running
        done = super().submit(call)
        if is_nested:
            return done
        ended, self.rounds = self.rounds, begun
        return _Joined(done, lambda: self._join(ended))

    def _join(self, ended: int) -> None:
        self.rounds = max(self.rounds, ended)


@contextmanager
def count_rounds(monkeypatch: pytest.MonkeyPatch) -> Iterator[RoundsPool]:
    """Yields a pool that counts the rounds of the store calls inside the context."""
    counting = RoundsPool()

    def count(**_: Any) -> None:
        counting.rounds += 1

    with monkeypatch.context() as patched, hooked("before-call.dynamodb.*", count):
        patched.setattr(dynamodb, "_pool", counting)
        yield counting


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

    with hooked("before-call.dynamodb.*", record):
        yield calls


@contextmanager
def requests_to(operation: str, client: Any = None) -> Iterator[list[dict[str, Any]]]:
    """Yields the requests of an operation (`dynamodb.Query`), in order: by the store's client or another one."""
    requests: list[dict[str, Any]] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        requests.append(json.loads(params["body"]))

    with hooked(f"before-call.{operation}", note, client):
        yield requests
