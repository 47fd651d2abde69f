"""Runs two requests in every order of their store calls that can make a difference.

Only one of the two threads runs at any time: it stops before each store call until it may continue. So moto, which is
not thread-safe, is good enough. A schedule is a list of choices, one for each step, and can be repeated. All schedules
are covered by backtracking to the last choice that could have been different.

A thread does not stop before a read of items that neither request writes: its answer is the same at any time. Once a
schedule has written an item that was read without a stop, all schedules are run from the start, with stops there.
Of two neighbouring steps that touch nothing in common, only one order is run.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.harness.client import Response
from tests.harness.observed_table import events as table_events
from tests.harness.steps import COUNTERS, Items, Step, noted_steps, step_of, together
from tests.harness.table_snapshot import TableSnapshot

Call = Callable[[], Response]
Outcome = tuple[tuple[str, ...], frozenset[tuple[str, int]]]
"""The answers to both requests, and the changes to the table."""


@dataclass
class Runner:
    """One request on a thread of its own, which stops before each store call."""

    call: Call
    permission: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stopped: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    response: Response | None = None
    done: bool = False
    next_step: Step = field(default_factory=Step)

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

    def pause(self, step: Step) -> None:
        """Waits for the scheduler. Called on the request's thread, before a store call."""
        self.next_step = step
        self.stopped.release()
        self.permission.acquire()

    def run_step(self) -> Step:
        """Runs the request up to its next store call. Called on the scheduler's thread."""
        step = self.next_step
        self.permission.release()
        self.stopped.acquire()
        return step


_current = threading.local()


@dataclass
class _Calls:
    """The store calls of two requests. They stop before writes, and before reads of what is `contended`."""

    before: TableSnapshot
    contended: Items = field(default_factory=Items)
    written: Items = field(default_factory=Items)
    passed: Items = field(default_factory=Items)
    """What was read without a stop."""

    def before_call(self, model: Any, params: dict[str, Any], **_: Any) -> None:
        runner = getattr(_current, "runner", None)
        if runner is None or model.name == COUNTERS:
            return
        step = step_of(model.name, params, self.before.masked)
        self.written |= step.written
        if step.written or step.read.meets(self.contended):
            runner.pause(step)
        else:
            self.passed |= step.read

    def missed_a_stop(self) -> bool:
        """Returns whether an item that was read without a stop is written, too; from now on there is a stop."""
        missed = self.passed.meets(self.written)
        if missed:
            self.contended, self.passed = self.written, Items()
        return missed

    @contextmanager
    def observed(self) -> Iterator[None]:
        table_events.register_first("before-call.dynamodb.*", self.before_call)
        try:
            yield
        finally:
            table_events.unregister("before-call.dynamodb.*", self.before_call)


def _run(calls: tuple[Call, Call], choices: list[int]) -> tuple[list[Response], list[tuple[int, list[int]]]]:
    """Runs one schedule. Returns the responses, and each choice with its alternatives.

    Beyond the given choices, the first runner that is not done continues.
    """
    runners = [Runner(call) for call in calls]
    for runner in runners:
        runner.start()
    trace: list[tuple[int, list[int]]] = []
    last = Step()
    while waiting := [number for number, runner in enumerate(runners) if not runner.done]:
        if trace and trace[-1][0] > waiting[0] and len(waiting) > 1 and not runners[waiting[0]].next_step.meets(last):
            waiting = waiting[1:]
        chosen = choices[len(trace)] if len(trace) < len(choices) else waiting[0]
        trace.append((chosen, waiting))
        last = runners[chosen].run_step()
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
_SECRETS = re.compile(
    r"req_[0-9a-f]{16}"
    r"|(?<=X-Amz-Date=)\w+|(?<=\"x-amz-date\":\")\w+|(?<=\"policy\":\")[^\"]+"
    r"|whsec_[^\"]+|svc_[a-z]{3}_\w{53}|(?<=\")[\w-]{64}(?=\")|(?<=/guest/)[\w-]{64}"
)
"""Of an answer: the id of its request, the instant of a signature, and tokens that it makes."""


def outcome(responses: list[Response], before: TableSnapshot) -> Outcome:
    """Returns the answers to both requests and the changes to the table, without random ids, instants and secrets."""
    answers = tuple(f"{response.status} {_SECRETS.sub('new', before.masked(response.text))}" for response in responses)
    changes = ((_PLACE_IN_LIST.sub(r"\1", text), number) for text, number in before.changes().items())
    return answers, frozenset(changes)


def every_interleaving(first: Call, second: Call) -> Iterator[tuple[list[Response], Outcome]]:
    """Runs every schedule of the two calls on the current table, which is restored after each."""
    before = TableSnapshot()
    calls = _Calls(before)
    choices: list[int] | None = []
    with calls.observed():
        while choices is not None:
            responses, trace = _run((first, second), choices)
            yield responses, outcome(responses, before)
            before.restore()
            choices = [] if calls.missed_a_stop() else _following(trace)


def serial_outcomes(first: Call, second: Call) -> set[Outcome]:
    """Returns the outcomes of both serial orders, and restores the table."""
    before = TableSnapshot()
    first_then_second = outcome([first(), second()], before)
    before.restore()
    second_response = second()
    second_then_first = outcome([first(), second_response], before)
    before.restore()
    return {first_then_second, second_then_first}


def rows_around(request: Call, other: Call, before: TableSnapshot) -> tuple[list[Step], Step]:
    """Returns the steps of a request, and what another one reads and writes before it and after it.

    Restores the table.
    """
    with noted_steps(before.masked) as first:
        other()
    before.restore()
    with noted_steps(before.masked) as steps:
        request()
    with noted_steps(before.masked) as last:
        other()
    before.restore()
    return steps, together([*first, *last])
