"""Starts `make run` in a process of its own, with its own folder and port."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.local.engine import free_port
from infra.stack import env_file
from infra.stack.template import ROOT

LAST_LINE = "Documentation  "
_MODULE = "infra.local.run"
_COUNTS = tuple(f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed"))


_KEPT = ("PATH", "PYTHONPATH", "HOME", "PYENV_ROOT")
"""What the process takes from this environment; the last two lead to the Python of the functions."""


@dataclass
class Run:
    """A running `make run` process and its output so far."""

    process: subprocess.Popen[str]
    port: int
    state: Path
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


def start(state: Path, module: str = _MODULE, **environment: str) -> Run:
    """Starts the service and returns once it accepts requests or has exited.

    `state` is the folder of its data. The module `infra.local.run_lambda` serves the built artefacts.
    """
    port = free_port()
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    settings = {"PORT": str(port), "LOCAL_STATE": str(state), **kept, **environment}
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    run = Run(process, port, state)
    run.wait_until_it_serves()
    return run


def start_seeded(temporary: pytest.TempPathFactory, module: str = _MODULE, **environment: str) -> Run:
    """Starts the service with a copy of the demo data, all of whose events have been delivered."""
    state = temporary.mktemp("service")
    copy_seeded(temporary, state)
    return start(state, module, **environment)


def copy_seeded(temporary: pytest.TempPathFactory, state: Path) -> None:
    """Copies the data of a service that has been seeded and stopped, once for all processes that run tests."""
    base = temporary.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (root / "seeded.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "seeded").exists():
            _seed(root / "seeding")
            (root / "seeding").rename(root / "seeded")
    shutil.copytree(root / "seeded", state, dirs_exist_ok=True)


def _seed(state: Path) -> None:
    """Runs a service twice: its first stop hands all events to the queues, which the second run delivers."""
    start(state).end()
    run = start(state)
    urllib.request.urlopen(f"http://127.0.0.1:{run.port}/api/ontology/index.json").close()  # once it is published
    names = env_file.read(state / "env")
    while waiting(names) or waiting(names):  # a message may move to a queue that was counted before it
        time.sleep(0.1)
    run.end()


def waiting(names: dict[str, str]) -> int:
    """Returns how many messages wait in the queues of a service, or are being handled."""
    client: Any = boto3.client(
        "sqs",
        endpoint_url=names["AWS_ENDPOINT_URL"],
        region_name=names["AWS_REGION"],
        aws_access_key_id=names["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=names["AWS_SECRET_ACCESS_KEY"],
    )
    urls = [value for name, value in names.items() if name.endswith("_QUEUE_URL")]
    counts = [client.get_queue_attributes(QueueUrl=url, AttributeNames=_COUNTS)["Attributes"] for url in urls]
    return sum(int(count[name]) for count in counts for name in _COUNTS)


def stop(run: Run) -> None:
    """Kills the process and its engine, for nobody looks at the data of a test that has ended; closes its pipe."""
    run.process.kill()
    run.output += run.process.communicate()[0]
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for pid in json.loads((run.state / "engine.json").read_text())["pids"]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
