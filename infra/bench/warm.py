"""Warm requests: each contestant in a process of its own, asked in turns, so that all share the machine's load."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import IO, Any, Self

from infra.bench.packages import HERE, Contestant
from infra.build.interpreter import interpreter

Requests = Mapping[str, Mapping[str, Any]]
_WHOAMI_PATH = "/api/v1/whoami"


@dataclass(frozen=True)
class Capacity:
    """The store calls of one request, and their capacity units."""

    calls: Sequence[str]
    read: float
    write: float


@dataclass
class Times:
    """Nanoseconds of many requests."""

    wall: list[int] = field(default_factory=list)
    cpu: list[int] = field(default_factory=list)

    def add(self, answer: Mapping[str, Any]) -> None:
        """Adds the times that a worker reported."""
        self.wall += answer["wall"]
        self.cpu += answer["cpu"]

    @property
    def wall_median(self) -> float:
        """Microseconds."""
        return median(self.wall) / 1000

    @property
    def wall_p99(self) -> float:
        """Microseconds."""
        return quantiles(self.wall, n=100)[98] / 1000

    @property
    def cpu_median(self) -> float:
        """Microseconds."""
        return median(self.cpu) / 1000

    @property
    def cpu_p99(self) -> float:
        """Microseconds."""
        return quantiles(self.cpu, n=100)[98] / 1000


class Worker:
    """A running contestant."""

    def __init__(
        self, contestant: Contestant, environment: Mapping[str, str], requests: Requests, under: Sequence[str] = ()
    ) -> None:
        self.contestant = contestant
        self._file = tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8")  # noqa: SIM115 - closed on exit
        json.dump({name: self._request(event) for name, event in requests.items()}, self._file)
        self._file.flush()
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed on exit
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [*under, str(interpreter()), "-S", str(HERE / "worker.py"), self._file.name],
            env={
                "PATH": os.environ["PATH"],
                **environment,
                "PYTHONPATH": contestant.path,
                "PYTHONDONTWRITEBYTECODE": "1",
                "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.pid = self._process.pid
        self.resident = int(self._answer()["rss"])

    def _request(self, event: Mapping[str, Any]) -> dict[str, Any]:
        of_account = event["rawPath"] == _WHOAMI_PATH
        return {"folder": str(self.contestant.account if of_account else self.contestant.meetings), "event": event}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream(self._process.stdin).close()
        self._process.wait(60)
        self._file.close()
        self._log.close()

    def ask(self, name: str, count: int, store: str) -> dict[str, Any]:
        """Sends a request so many times, with the store live, recorded or canned; raises unless it succeeds."""
        answer = self._ask(name, count, store)
        if answer["status"] not in {200, 201}:
            raise RuntimeError(f"{self.contestant.name}, {name}: {answer['status']} {answer['body']}")
        return answer

    def response(self, name: str) -> tuple[int, str]:
        """Sends a request once; returns status and body of the response."""
        answer = self._ask(name, 1, "live")
        return answer["status"], answer["body"]

    def _ask(self, name: str, count: int, store: str) -> dict[str, Any]:
        question = {"request": name, "count": count, "store": store}
        stdin = self._stream(self._process.stdin)
        stdin.write(json.dumps(question) + "\n")
        stdin.flush()
        answer = self._answer()
        self.resident = int(answer["rss"])
        return answer

    def capacity(self, name: str) -> Capacity:
        """Sends a request once and records its store calls; returns them with their units."""
        calls = self.ask(name, 1, "record")["calls"]
        return Capacity(
            [call["name"] for call in calls],
            sum(call["units"] for call in calls if not call["writes"]),
            sum(call["units"] for call in calls if call["writes"]),
        )

    def _answer(self) -> dict[str, Any]:
        line = self._stream(self._process.stdout).readline()
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"{self.contestant.name} ended with {self._process.wait()}: {self._log.read()[-2000:]}")
        found: dict[str, Any] = json.loads(line)
        return found

    @staticmethod
    def _stream(stream: IO[str] | None) -> IO[str]:
        if stream is None:
            raise ValueError("the worker has no pipe")
        return stream
