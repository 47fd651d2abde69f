"""The sender as the cloud runs it: many invocations at the same time, in virtual time.

Each invocation has a thread, but only one of them runs at a time: it runs until its next call to the store or to a
receiver, which takes some virtual time. So an hour takes seconds, and invocations interleave as they do in the cloud.
"""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import Any

from governance.domain.webhooks.webhook_delivery import AttemptResult
from tests.harness import queue
from tests.harness.observed_table import events as table_events
from tests.webhooks.sending import DOWN, OK, Sender, Sent

CONCURRENCY = {"webhooks": 50, "slow_webhooks": 50}
"""The invocations at a time for each queue, as the runbook advises them for an installation in use."""
_MANY = 20_000
STORE_SECONDS = 0.005
QUEUE_SECONDS = 0.03
"""From the sending of a message to its invocation."""


@dataclass
class Simulation:
    """Runs the sender's queue; counts what it does.

    `receiver_seconds` says how long the receiver of a URL takes to answer, `is_up` whether it accepts events.
    """

    sender: Sender
    receiver_seconds: Callable[[str], float]
    concurrency: Mapping[str, int]
    is_up: Callable[[str], bool] = lambda _: True
    invocations: int = 0
    most_at_once: dict[str, int] = field(default_factory=dict)
    """The most requests that were being made at the same time, for each URL; for all of them under `*`."""
    began: list[tuple[float, str]] = field(default_factory=list)
    """The virtual time and the URL of each request."""
    lanes: list[str] = field(default_factory=list)
    """The queue that each request came from."""
    _open: dict[str, int] = field(default_factory=dict)
    _sleeping: list[tuple[float, int, threading.Event]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _paused: threading.Event = field(default_factory=threading.Event)
    _worker: threading.local = field(default_factory=threading.local)
    _running: Counter[str] = field(default_factory=Counter)
    _errors: list[BaseException] = field(default_factory=list)

    @property
    def now(self) -> float:
        """The virtual time in seconds, by the clock of the queue."""
        return queue.current.now

    def run(self, seconds: float) -> None:
        """Lets this many seconds of virtual time pass."""
        end = self.now + seconds
        while True:
            while (message := self._next_message()) is not None:
                self._start(message)
            following = min(self._events(), default=math.inf)
            if following > end:
                break
            self._advance(following)
        self.sender.clock.move(max(0.0, end - self.now))
        assert not self._errors, self._errors

    def _events(self) -> Iterator[float]:
        """Yields the times of what comes next: the end of a call, a message that becomes visible."""
        if self._sleeping:
            yield self._sleeping[0][0]
        yield from (message.visible_at + QUEUE_SECONDS for message in self._messages())

    def _advance(self, moment: float) -> None:
        self.sender.clock.move(max(0.0, moment - self.now))
        while self._sleeping and self._sleeping[0][0] <= self.now + 1e-9:
            _, _, awake = heapq.heappop(self._sleeping)
            self._go_on(awake.set)

    def _messages(self) -> list[queue.QueuedMessage]:
        """Returns the messages of the queues that may have another invocation."""
        free = [name for name, most in self.concurrency.items() if self._running[name] < most]
        return [message for message in queue.current.messages if message.queue in free]

    def _next_message(self) -> queue.QueuedMessage | None:
        visible = (waiting for waiting in self._messages() if waiting.visible_at + QUEUE_SECONDS <= self.now + 1e-9)
        message = next(visible, None)
        if message is not None:
            message.receives += 1
            message.visible_at = self.now + queue.VISIBILITY_SECONDS
        return message

    def _start(self, message: queue.QueuedMessage) -> None:
        self.invocations += 1
        assert self.invocations < _MANY, "The messages never end."
        self._running[message.queue] += 1
        context = copy_context()
        thread = threading.Thread(target=lambda: context.run(self._invoke, message), daemon=True)
        self._go_on(thread.start)

    def _go_on(self, start: Callable[[], Any]) -> None:
        """Lets one invocation run until it waits or ends."""
        self._paused.clear()
        start()
        assert self._paused.wait(60), "An invocation neither waits nor ends."

    def _invoke(self, message: queue.QueuedMessage) -> None:
        self._worker.queue = message.queue
        try:
            if not queue.invoke_deliveries(message):
                queue.current.messages.remove(message)
        except BaseException as error:  # noqa: BLE001 - raised by `run`
            self._errors.append(error)
        self._running[message.queue] -= 1
        self._paused.set()

    def sleep(self, seconds: float) -> None:
        """Takes virtual time, in an invocation; outside of one nothing takes time."""
        if not getattr(self._worker, "queue", None):
            return
        awake = threading.Event()
        heapq.heappush(self._sleeping, (self.now + seconds, next(self._numbers), awake))
        self._paused.set()
        awake.wait()

    def receive(self, sent: Sent) -> AttemptResult:
        """Answers a request after the time that its receiver takes."""
        self.began.append((self.now, sent.url))
        self.lanes.append(self._worker.queue)
        for name in (sent.url, "*"):
            self._open[name] = self._open.get(name, 0) + 1
            self.most_at_once[name] = max(self.most_at_once.get(name, 0), self._open[name])
        seconds = self.receiver_seconds(sent.url)
        self.sleep(seconds)
        for name in (sent.url, "*"):
            self._open[name] -= 1
        return replace(OK if self.is_up(sent.url) else DOWN, duration_ms=round(seconds * 1000))


@contextmanager
def simulated(
    sender: Sender, receiver_seconds: Callable[[str], float], concurrency: Mapping[str, int] = CONCURRENCY
) -> Iterator[Simulation]:
    """Replaces the receivers, and lets each call to the store take time."""
    simulation = Simulation(sender, receiver_seconds, concurrency)
    sender.receivers.answer = simulation.receive
    sender.clock.stop()

    def take_time(**_: Any) -> None:
        simulation.sleep(STORE_SECONDS)

    table_events.register_first("before-call.dynamodb.*", take_time)
    try:
        yield simulation
    finally:
        table_events.unregister("before-call.dynamodb.*", take_time)
