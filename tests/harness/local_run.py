"""Starts `make run` in a process of its own, with its own folder and port."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.local.engine import free_port
from infra.stack.template import ROOT

LAST_LINE = "Documentation  "


_KEPT = ("PATH", "PYTHONPATH", "HOME", "PYENV_ROOT")
"""What the process takes from this environment; the last two lead to the Python of the functions."""


@dataclass
class Run:
    """A running `make run` process and its output so far."""

    process: subprocess.Popen[str]
    port: int
    output: str = ""

    def wait_until_it_serves(self) -> None:
        """Reads the output until the service accepts requests or the process ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if LAST_LINE in line:
                return

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal and returns the exit code."""
        self.process.send_signal(how)
        rest, _ = self.process.communicate(timeout=60)
        self.output += rest
        return self.process.returncode


def start(state: Path, module: str = "infra.local.run", **environment: str) -> Run:
    """Starts the service and returns once it accepts requests or has exited.

    `state` is the folder of its data. The module `infra.local.run_lambda` serves the built artefacts.
    """
    port = free_port()
    found = {name: os.environ[name] for name in _KEPT if name in os.environ}
    settings = {"PORT": str(port), "LOCAL_STATE": str(state), **found, **environment}
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    run = Run(process, port)
    run.wait_until_it_serves()
    return run


def stop(run: Run) -> None:
    """Ends the process if it still runs, and closes its pipe."""
    if run.process.poll() is None:
        run.end()
    run.process.communicate()
