"""Warm requests: each contestant in a process of its own, asked in turns, so that all share the machine's load."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Self

from infra.bench.contestants import HERE, Contestant
from infra.build.interpreter import interpreter


@dataclass(frozen=True)
class Capacity:
    """The store calls of one request, and their capacity units."""

    calls: Sequence[str]
    read: float
    write: float


@dataclass
class Times:
    """Nanoseconds of many requests; the medians are microseconds."""

    wall: list[int] = field(default_factory=list)
    cpu: list[int] = field(default_factory=list)

    def add(self, answer: Mapping[str, Any]) -> None:
        """Adds the times that a worker reported."""
        self.wall += answer["wall"]
        self.cpu += answer["cpu"]

    @property
    def wall_median(self) -> float:
        """Microseconds from the event to the response."""
        return median(self.wall) / 1000

    @property
    def cpu_median(self) -> float:
        """Microseconds of processor time, of all threads."""
        return median(self.cpu) / 1000


class Worker:
    """A running contestant."""

    def __init__(self, contestant: Contestant, environment: Mapping[str, str], events: Mapping[str, Any]) -> None:
        self.contestant = contestant
        self._environment = {
            "PATH": os.environ["PATH"],
            **environment,
            "PYTHONPATH": contestant.path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        }
        self._events = events
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8"))
            json.dump(self._events, file)
            file.flush()
            self._log = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            command = [str(interpreter()), "-S", str(HERE / "worker.py"), str(self.contestant.folder), file.name]
            self._process = stack.enter_context(
                subprocess.Popen(  # noqa: S603 - ours
                    command,
                    env=self._environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._log,
                    text=True,
                )
            )
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, name: str, count: int) -> dict[str, Any]:
        """Sends a request `count` times; raises unless it succeeds."""
        return self._success(name, self._ask(name, count))

    def response(self, name: str) -> tuple[int, str]:
        """Sends a request once; returns status and body of the response."""
        answer = self._ask(name, 1)
        return answer["status"], answer["body"]

    def capacity(self, name: str) -> Capacity:
        """Sends a request once; returns its store calls with their units."""
        calls = self._success(name, self._ask(name, 1, units=True))["calls"]
        return Capacity(
            [call["name"] for call in calls],
            sum(call["units"] for call in calls if not call["writes"]),
            sum(call["units"] for call in calls if call["writes"]),
        )

    def _success(self, name: str, answer: dict[str, Any]) -> dict[str, Any]:
        if answer["status"] not in {200, 201}:
            raise RuntimeError(f"{self.contestant.name}, {name}: {answer['status']} {answer['body']}")
        return answer

    def _ask(self, name: str, count: int, *, units: bool = False) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("the worker has no pipe")
        stdin.write(json.dumps({"request": name, "count": count, "units": units}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"{self.contestant.name} ended with {self._process.wait()}: {self._log.read()[-2000:]}")
        found: dict[str, Any] = json.loads(line)
        return found
