"""Runs two requests in every possible order of their store calls.

Only one of the two threads runs at any time: it stops before each store call until it may continue. So moto, which is
not thread-safe, is good enough. A schedule is a list of choices, one for each step, and can be repeated. All schedules
are covered by backtracking to the last choice that could have been different.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from governance.store import table
from tests.harness.client import Response
from tests.harness.table_snapshot import TableSnapshot

Call = Callable[[], Response]
Outcome = tuple[tuple[str, ...], frozenset[tuple[str, int]]]
_COUNTERS = "UpdateItem"
"""Writes inexact counters (rates, last uses); no decision depends on when they are written."""


@dataclass
class Runner:
    """One request on a thread of its own, which stops before each store call."""

    call: Call
    permission: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stopped: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    response: Response | None = None
    done: bool = False

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        self.stopped.acquire()

    def _run(self) -> None:
        _current.runner = self
        try:
            self.response = self.call()
        finally:
            self.done = True
            self.stopped.release()

    def pause(self) -> None:
        """Waits for the scheduler. Called on the request's thread, before a store call."""
        self.stopped.release()
        self.permission.acquire()

    def step(self) -> None:
        """Runs the request up to its next store call. Called on the scheduler's thread."""
        self.permission.release()
        self.stopped.acquire()


_current = threading.local()


def _before_call(model: Any, **_: Any) -> None:
    runner = getattr(_current, "runner", None)
    if runner is not None and model.name != _COUNTERS:
        runner.pause()


@contextmanager
def _stopping_at_calls() -> Iterator[None]:
    events = table.client().meta.events
    events.register_first("before-call.dynamodb.*", _before_call)
    try:
        yield
    finally:
        events.unregister("before-call.dynamodb.*", _before_call)


def _run(calls: tuple[Call, Call], choices: list[int]) -> tuple[list[Response], list[tuple[int, list[int]]]]:
    """Runs one schedule. Returns the responses, and each choice with its alternatives.

    Beyond the given choices, the first runner that is not done continues.
    """
    runners = [Runner(call) for call in calls]
    for runner in runners:
        runner.start()
    trace: list[tuple[int, list[int]]] = []
    while waiting := [number for number, runner in enumerate(runners) if not runner.done]:
        chosen = choices[len(trace)] if len(trace) < len(choices) else waiting[0]
        trace.append((chosen, waiting))
        runners[chosen].step()
    for runner in runners:
        runner.thread.join()
    return [runner.response for runner in runners if runner.response is not None], trace


def _following(trace: list[tuple[int, list[int]]]) -> list[int] | None:
    """Returns the choices of the next schedule, or None after the last one."""
    while trace:
        chosen, waiting = trace.pop()
        if chosen != waiting[-1]:
            return [permission for permission, _ in trace] + [waiting[-1]]
    return None


_PLACE_IN_LIST = re.compile(r'("L3": "BOARDS#UPDATED#)[^#"]*')
"""When a board changed, in a member's list: the delivery of the change's event settles it."""


def outcome(responses: list[Response], before: TableSnapshot) -> Outcome:
    """Returns the statuses of both responses and the changes to the table, without random ids and instants."""
    statuses = tuple(f"{response.status} {_error_of(response)}" for response in responses)
    changes = ((_PLACE_IN_LIST.sub(r"\1", text), number) for text, number in before.changes().items())
    return statuses, frozenset(changes)


def _error_of(response: Response) -> str:
    if response.status < 400:
        return ""
    error = response.json.get("error") or response.json
    return f"{error['code']} {(error.get('details') or {}).get('reason', '')}"


def every_interleaving(first: Call, second: Call) -> Iterator[tuple[list[Response], Outcome]]:
    """Runs every schedule of the two calls on the current table, which is restored after each."""
    before, choices = TableSnapshot(), list[int]()
    with _stopping_at_calls():
        while True:
            responses, trace = _run((first, second), choices)
            yield responses, outcome(responses, before)
            before.restore()
            following = _following(trace)
            if following is None:
                return
            choices = following


def serial_outcomes(first: Call, second: Call) -> set[Outcome]:
    """Returns the outcomes of both serial orders, and restores the table."""
    before = TableSnapshot()
    first_then_second = outcome([first(), second()], before)
    before.restore()
    second_response = second()
    second_then_first = outcome([first(), second_response], before)
    before.restore()
    return {first_then_second, second_then_first}
