"""Sends several requests at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

Call = Callable[[], Any]


class Racers:
    """A pool of threads that wait for one another before they call."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="racer")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown()

    def run(self, *calls: Call) -> list[Any]:
        """Returns what the calls return, in the order of the calls. No call starts before every thread is ready."""
        barrier = threading.Barrier(len(calls))
        futures = [self._pool.submit(self._start, barrier, call) for call in calls]
        return [future.result() for future in futures]

    def run_round(self, number: int, first: Call, second: Call) -> list[Any]:
        """Runs two calls in the first round one after the other, in the second in the other order, then at once.

        So a test can require that each of both outcomes occurred, whatever the machine does.
        """
        if number == 0:
            return [first(), second()]
        if number == 1:
            answer = second()
            return [first(), answer]
        return self.run(first, second)

    @staticmethod
    def _start(barrier: threading.Barrier, call: Call) -> Any:
        barrier.wait()
        return call()
