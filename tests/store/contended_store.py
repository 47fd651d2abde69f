"""A simulation of the store's documented rule: transactions that overlap in time and share an item conflict.

Time is virtual. Each request is a thread that runs the real retry code; one of them runs at a time, and waits whenever
it would sleep or call the store, so that a seed decides everything.
"""

from __future__ import annotations

import heapq
import itertools
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from governance.errors import ApiError
from governance.store import transactions
from governance.store.client.errors import RefusedError
from governance.store.client.table_client import Reply
from governance.store.writes import Write

_MILLISECONDS = (0.005, 0.015)
"""How long a transaction takes: of some ten items, as measured on the real store's side of the network."""


class Process:
    """A thread that runs only while the simulation waits for it."""

    def __init__(self, clock: VirtualTime, call: Callable[[], None]) -> None:
        self._clock = clock
        self._call = call
        self._permission = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._permission.acquire()
        self._clock.current.process = self
        try:
            self._call()
        finally:
            self._clock.turn.release()

    def resume(self) -> None:
        """Runs the process until it waits or ends. Called by the simulation."""
        self._permission.release()
        self._clock.turn.acquire()

    def wait(self, seconds: float) -> None:
        """Stops the process for a time. Called by the process."""
        self._clock.schedule(seconds, self)
        self._clock.turn.release()
        self._permission.acquire()


class VirtualTime:
    """The clock of the simulation, in place of the `time` module of the code under test."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turn = threading.Semaphore(0)
        self.current = threading.local()
        self._queue: list[tuple[float, int, Process]] = []
        self._numbers = itertools.count()

    def schedule(self, seconds: float, process: Process) -> None:
        """Resumes a process after this time."""
        heapq.heappush(self._queue, (self.now + seconds, next(self._numbers), process))

    def sleep(self, seconds: float) -> None:
        """Makes the current process wait."""
        self.current.process.wait(seconds)

    def perf_counter(self) -> float:
        return self.now

    def run(self) -> None:
        while self._queue:
            self.now, _, process = heapq.heappop(self._queue)
            process.resume()


@dataclass
class ContendedStore:
    """A store without items, in place of the table's client: all conditions hold, but transactions may conflict."""

    time: VirtualTime
    random: random.Random
    held: Counter[tuple[str, str]] = field(default_factory=Counter)
    conflicts: int = 0

    def __call__(self) -> Self:
        return self

    def call(self, operation: str, request: dict[str, Any]) -> Reply:
        """Holds the items for as long as the transaction takes; fails if another holds one of them at its start."""
        assert operation == "transact_write_items"
        items = {_item(entry) for entry in request["TransactItems"]}
        conflicting = any(self.held[item] for item in items)
        held = () if conflicting else items
        self.held.update(held)
        self.time.sleep(self.random.uniform(*_MILLISECONDS))
        self.held.subtract(held)
        if conflicting:
            self.conflicts += 1
            raise RefusedError("TransactionCanceledException", reasons=[{"Code": "TransactionConflict"}])
        return Reply({})


def _item(entry: dict[str, Any]) -> tuple[str, str]:
    ((_, body),) = entry.items()
    key = body.get("Key") or body["Item"]
    return key["PK"]["S"], key["SK"]["S"]


@dataclass
class Result:
    """What became of the writes: how many were made, and how many ended in a 503."""

    writes: int = 0
    failures: int = 0
    conflicts: int = 0

    @property
    def failed_share(self) -> float:
        return self.failures / self.writes


def simulate(
    new_writes: Callable[[], Sequence[Write]], *, per_second: float, seconds: float, seed: int, store: ContendedStore
) -> Result:
    """Sends writes at random moments, at this rate, and returns what became of them."""
    arrivals, result, at = random.Random(seed), Result(), 0.0  # noqa: S311 - a simulation

    def send() -> None:
        result.writes += 1
        try:
            transactions.transact(new_writes())
        except ApiError:
            result.failures += 1

    while (at := at + arrivals.expovariate(per_second)) < seconds:
        store.time.schedule(at, Process(store.time, send))
    store.time.run()
    result.conflicts = store.conflicts
    return result
