"""`make run` in a process of its own, with a folder and a port that nobody else has."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.local.engine import free_port
from infra.stack.template import ROOT

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


def start(state: Path, module: str = "infra.local.run", **environment: str) -> Run:
    """Start on a folder; returns once it serves, or has given up. `infra.local.run_lambda` serves what was built."""
    port = free_port()
    settings = {"PORT": str(port), "LOCAL_STATE": str(state), "PATH": os.environ["PATH"], **environment}
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    made = Run(process, port)
    made.wait_until_it_serves()
    return made


def stop(run: Run) -> None:
    """End it if it still runs, and let go of its pipe."""
    if run.process.poll() is None:
        run.end()
    run.process.communicate()
