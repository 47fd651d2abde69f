"""A service of its own for a test: `make run` with a folder and a port that nobody else has."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from infra.local.engine import free_port
from infra.local.template import ROOT

LAST_LINE = "Ctrl-C stops"


@dataclass
class Run:
    """A `make run` in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    said: str = ""

    def wait_until_it_serves(self) -> None:
        """Read on until it says so, or ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if LAST_LINE in line:
                return

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(how)
        rest, _ = self.process.communicate(timeout=60)
        self.said += rest
        return self.process.returncode


Starter = Callable[..., Run]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The folder for the data of a run."""
    return tmp_path / "state"


@pytest.fixture
def run(state: Path) -> Iterator[Starter]:
    """Start `make run` on the test's own folder; what is still running in the end is stopped."""
    runs: list[Run] = []

    def start(**environment: str) -> Run:
        port = free_port()
        settings = {"PORT": str(port), "LOCAL_STATE": str(state), "PATH": os.environ["PATH"], **environment}
        process = subprocess.Popen(
            [sys.executable, "-m", "infra.local.run"],
            cwd=ROOT,
            env=settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        runs.append(Run(process, port))
        runs[-1].wait_until_it_serves()
        return runs[-1]

    yield start
    for each in runs:
        if each.process.poll() is None:
            each.end()
        each.process.communicate()
