"""Warm requests: each contestant in a process of its own, asked in turns, so that all share the machine's load."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self

from infra.build.interpreter import interpreter
from infra.tools.bench.contestants import HERE, Contestant


class Worker:
    """A running contestant."""

    def __init__(self, contestant: Contestant, environment: Mapping[str, str], events: Mapping[str, Any]) -> None:
        self.contestant = contestant
        own = {"PYTHONPATH": contestant.path, "PYTHONDONTWRITEBYTECODE": "1"}
        own["AWS_LAMBDA_INITIALIZATION_TYPE"] = "on-demand"
        self._environment = {"PATH": os.environ["PATH"], **environment, **own}
        self._events = events
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8"))
            json.dump(self._events, file)
            file.flush()
            self._log = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            command = [str(interpreter()), "-S", str(HERE / "worker.py"), str(self.contestant.folder), file.name]
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._log}
            self._process = stack.enter_context(subprocess.Popen(command, env=self._environment, text=True, **pipes))  # noqa: S603 - ours
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def serves(self, name: str) -> bool:
        """Returns whether the contestant has the route of a request."""
        return name.startswith(self.contestant.routes)

    def spent(self, name: str, count: int) -> list[float]:
        """Sends a request `count` times; returns the microseconds of each. Raises `RuntimeError` for no success."""
        return [nanoseconds / 1000 for nanoseconds in self._ask(name, count)["spent"]]

    def response(self, name: str) -> tuple[int, str]:
        """Sends a request once; returns status and body of the response. Raises `RuntimeError` for no success."""
        answer = self._ask(name, 1)
        return answer["status"], answer["body"]

    def calls(self, name: str) -> int:
        """Sends a request once; returns how many functions it called. Raises `RuntimeError` for no success."""
        calls: int = self._ask(name, 1, profiled=True)["calls"]
        return calls

    def _ask(self, name: str, count: int, **options: bool) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("the worker has no pipe")
        stdin.write(json.dumps({"request": name, "count": count, **options}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"{self.contestant.name} ended with {self._process.wait()}: {self._log.read()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        if answer["status"] not in {200, 201}:
            raise RuntimeError(f"{self.contestant.name}, {name}: {answer['status']} {answer['body']}")
        return answer
