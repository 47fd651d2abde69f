"""Two requests, run in every order of their store calls that there is.

Only one of the two threads runs at any time: it stops before each store call and waits for its turn. So the engine in
this process is good enough, and a schedule is a list of turns, which can be run again. All of them are tried by going
back to the last turn that could have been the other's.
"""

from __future__ import annotations

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
"""Figures that may err (rates, last uses): nothing that is decided depends on when they are counted."""


@dataclass
class Runner:
    """One request on its thread, which goes as far as its next store call."""

    call: Call
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
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
        """Called on its own thread, before a store call."""
        self.stopped.release()
        self.turn.acquire()

    def go_on(self) -> None:
        """Called on the scheduler's thread: one store call, and on to the next."""
        self.turn.release()
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


def _run(calls: tuple[Call, Call], turns: list[int]) -> tuple[list[Response], list[tuple[int, list[int]]]]:
    """The answers, and each turn with those that it might have been; beyond `turns` the first goes first."""
    runners = [Runner(call) for call in calls]
    for runner in runners:
        runner.start()
    trace: list[tuple[int, list[int]]] = []
    while waiting := [number for number, runner in enumerate(runners) if not runner.done]:
        chosen = turns[len(trace)] if len(trace) < len(turns) else waiting[0]
        trace.append((chosen, waiting))
        runners[chosen].go_on()
    for runner in runners:
        runner.thread.join()
    return [runner.response for runner in runners if runner.response is not None], trace


def _following(trace: list[tuple[int, list[int]]]) -> list[int] | None:
    """The turns of the next schedule; None after the last."""
    while trace:
        chosen, waiting = trace.pop()
        if chosen != waiting[-1]:
            return [turn for turn, _ in trace] + [waiting[-1]]
    return None


def outcome(responses: list[Response], before: TableSnapshot) -> Outcome:
    """What both were told, and what is left: ids and instants of chance apart."""
    told = tuple(f"{response.status} {_why(response)}" for response in responses)
    return told, frozenset(before.changes().items())


def _why(response: Response) -> str:
    if response.status < 400:
        return ""
    error = response.json.get("error") or response.json
    return f"{error['code']} {(error.get('details') or {}).get('reason', '')}"


def every_interleaving(first: Call, second: Call) -> Iterator[tuple[list[Response], Outcome]]:
    """Each schedule of the two over the table as it is now; it is put back after each."""
    before, turns = TableSnapshot(), list[int]()
    with _stopping_at_calls():
        while True:
            responses, trace = _run((first, second), turns)
            yield responses, outcome(responses, before)
            before.restore()
            following = _following(trace)
            if following is None:
                return
            turns = following


def serial(first: Call, second: Call) -> set[Outcome]:
    """What comes of the one after the other, either way; the table is put back."""
    before = TableSnapshot()
    forth = outcome([first(), second()], before)
    before.restore()
    later = second()
    back = outcome([first(), later], before)
    before.restore()
    return {forth, back}
