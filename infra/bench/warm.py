"""Warm requests: each contestant in a process of its own, asked in turns, so that the machine's moods are shared."""

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
from infra.bench.scenario import WHOAMI
from infra.build.interpreter import interpreter

Routes = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Capacity:
    """What one request takes from the store."""

    calls: Sequence[str]
    read: float
    write: float


@dataclass
class Times:
    """Nanoseconds of many requests to one route."""

    wall: list[int] = field(default_factory=list)
    cpu: list[int] = field(default_factory=list)

    def add(self, answer: Mapping[str, Any]) -> None:
        """Take in what a worker answered."""
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
        self, contestant: Contestant, environment: Mapping[str, str], routes: Routes, under: Sequence[str] = ()
    ) -> None:
        self.contestant = contestant
        self._file = tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8")  # noqa: SIM115 - closed on exit
        json.dump({name: {"folder": self._folder(name), "event": event} for name, event in routes.items()}, self._file)
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

    def _folder(self, route: str) -> str:
        return str(self.contestant.account if route == WHOAMI else self.contestant.meetings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream(self._process.stdin).close()
        self._process.wait(60)
        self._file.close()
        self._log.close()

    def ask(self, route: str, count: int, store: str) -> dict[str, Any]:
        """So many requests to a route, with the store live, recorded or canned."""
        question = {"route": route, "count": count, "store": store}
        stdin = self._stream(self._process.stdin)
        stdin.write(json.dumps(question) + "\n")
        stdin.flush()
        answer = self._answer()
        self.resident = int(answer["rss"])
        return answer

    def capacity(self, route: str) -> Capacity:
        """The store calls of one request, and their units; the body too is compared by whoever asks."""
        calls = self.ask(route, 1, "record")["calls"]
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
