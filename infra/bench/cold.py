"""Cold starts in the real Lambda runtime: the emulator and the runtime client that AWS publishes, no container."""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.bench.packages import Contestant, interpreter
from infra.local.engine import free_port
from infra.local.template import ROOT

_REPORT = re.compile(r"INIT REPORT\(durationMs: ([\d.]+)\)")
_START_SECONDS = 20


@dataclass(frozen=True)
class Start:
    """Milliseconds of one cold start: until the handler is ready, and until the first answer is there."""

    init: float
    first_answer: float


def start(contestant: Contestant, environment: Mapping[str, str], event: Mapping[str, Any]) -> Start:
    """Start a new environment and send it one event; raises where it does not answer with success."""
    port, runtime_port = free_port(), free_port()
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(  # noqa: S603 - ours
            _command(port, runtime_port),
            cwd=contestant.meetings,
            env=_environment(contestant, environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            _wait(port, process)
            started = time.perf_counter()
            answer = _invoke(port, event)
            first = (time.perf_counter() - started) * 1000
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.seek(0)
        text = log.read()
    found = _REPORT.search(text)
    if answer.get("statusCode") != 200 or found is None:
        raise RuntimeError(f"{contestant.name} did not start: {answer} {text[-2000:]}")
    return Start(float(found[1]), first)


def _command(port: int, runtime_port: int) -> list[str]:
    kind = "arm64" if platform.machine() in {"aarch64", "arm64"} else "x86_64"
    (emulator,) = ROOT.glob(f".venv-sam/lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-{kind}")
    return [
        str(emulator),
        "--runtime-interface-emulator-address",
        f"127.0.0.1:{port}",
        "--runtime-api-address",
        f"127.0.0.1:{runtime_port}",
        *(interpreter(), "-S", "-m", "awslambdaric", "handler.lambda_handler"),
    ]


def _environment(contestant: Contestant, environment: Mapping[str, str]) -> dict[str, str]:
    """The functions' variables and those of the runtime; deployed code cannot be written to, so neither can this."""
    return {
        **environment,
        "PATH": os.environ["PATH"],
        "PYTHONPATH": contestant.path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LAMBDA_TASK_ROOT": str(contestant.meetings),
        "AWS_LAMBDA_FUNCTION_NAME": "bench",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "30",
    }


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    """Until the emulator listens; the function itself begins with the first event."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeError("the runtime emulator did not start")


def _invoke(port: int, event: Mapping[str, Any]) -> dict[str, Any]:
    url = f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations"
    request = urllib.request.Request(url, json.dumps(event).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own child
            found: dict[str, Any] = json.loads(answer.read())
    except OSError as error:
        return {"error": str(error)}
    return found


def emulator_present() -> bool:
    """Whether `make build` has fetched the runtime emulator."""
    return any(Path(ROOT / ".venv-sam").glob("lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-*"))
