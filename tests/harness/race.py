"""Sends several requests at the same moment, in rounds, and keeps what came of those that overlapped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from fractions import Fraction
from itertools import count
from typing import Any

from tests.harness.client import Response
from tests.harness.observed_table import events as table_events

Call = Callable[[], Any]
_MOST_TIMES = 20
"""A race that needs more rounds than this many times what it asked for fails."""
_HEAD_STARTS = 5
"""One call of a round has a head start of none to four store requests; with four, most calls are about to write."""
_TOLERATED_BUSY = Fraction(1, 20)
"""The share of responses that may be 503: a transaction gives up after ten conflicts, which must stay rare."""
_caller: ContextVar[int | None] = ContextVar("caller", default=None)


class Race:
    """Rounds of calls from threads that start together.

    Calls overlap if each sends its first store request before the other has the answer to its last one. In each round
    another call has a head start, by another number of store requests, so that each call can be the first to write.
    """

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._round = self._overlapping = self._responses = self._busy = 0
        self._overlapped = False
        self._allowed: set[Any] = set()
        self._missing: set[Any] = set()
        self._moments = count()
        self._sent: dict[int, list[int]] = {}
        self._answered: dict[int, int] = {}
        self._leader, self._head_start, self._others_start = 0, 0, threading.Event()
        table_events.register("before-call.dynamodb.*", self._note_request)
        table_events.register("after-call.dynamodb.*", self._note_answer)

    def stop(self) -> None:
        """Stops watching the store's client."""
        table_events.unregister("before-call.dynamodb.*", self._note_request)
        table_events.unregister("after-call.dynamodb.*", self._note_answer)

    def rounds(self, number: int, *outcomes: Any) -> Iterator[int]:
        """Yields the numbers of rounds until that many overlapped, and each outcome was seen in calls that overlapped.

        Fails if the rounds are too many for that, or if too many responses were 503.
        """
        self._allowed, self._missing = set(outcomes), set(outcomes)
        for self._round in range(_MOST_TIMES * number):
            if self._overlapping >= number and not self._missing:
                break
            yield self._round
        assert self._overlapping >= number, f"only {self._overlapping} of {self._round + 1} rounds overlapped"
        assert not self._missing, f"never seen in calls that overlapped: {self._missing}"
        assert self._busy <= _TOLERATED_BUSY * self._responses, f"{self._busy} of {self._responses} responses were 503"

    def run(self, *calls: Call) -> list[Any]:
        """Returns what the calls of this round return, in the order of the calls."""
        self._leader, self._head_start = self._round % len(calls), self._round % _HEAD_STARTS
        self._sent, self._answered = {}, {}
        self._others_start.clear()
        ready = threading.Barrier(len(calls))
        futures = [self._threads.submit(self._call, ready, caller, call) for caller, call in enumerate(calls)]
        results = [future.result() for future in futures]
        callers = range(len(calls))
        self._overlapped = all(any(self._overlap(a, b) for b in callers if b != a) for a in callers)
        self._overlapping += self._overlapped
        return results

    def saw(self, outcome: Any) -> None:
        """Notes an outcome of this round if each of its calls overlapped with another one."""
        assert outcome in self._allowed, f"{outcome} is the result of no order of the calls"
        if self._overlapped:
            self._missing.discard(outcome)

    def without_busy(self, responses: Iterable[Response]) -> list[Response]:
        """Returns the responses other than 503, and counts these: the race fails if they are too many."""
        received = list(responses)
        others = [response for response in received if response.status != 503]
        self._responses += len(received)
        self._busy += len(received) - len(others)
        return others

    def _overlap(self, one: int, other: int) -> bool:
        return all(
            a in self._sent and b in self._answered and self._sent[a][0] < self._answered[b]
            for a, b in ((one, other), (other, one))
        )

    def _call(self, ready: threading.Barrier, caller: int, call: Call) -> Any:
        ready.wait()
        if caller != self._leader:
            self._others_start.wait()
        elif self._head_start == 0:
            self._others_start.set()
        _caller.set(caller)
        try:
            return call()
        finally:
            if caller == self._leader:
                self._others_start.set()

    def _note_request(self, **_: Any) -> None:
        if (caller := _caller.get()) is None:
            return
        self._sent.setdefault(caller, []).append(next(self._moments))
        if caller == self._leader and len(self._sent[caller]) >= self._head_start:
            self._others_start.set()

    def _note_answer(self, **_: Any) -> None:
        if (caller := _caller.get()) is not None:
            self._answered[caller] = next(self._moments)
