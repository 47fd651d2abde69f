"""`make run` beside FastAPI on uvicorn, over the same engine, data and load; requests carry a personal token."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.bench.contestants import FASTAPI, HERE, RUNTIME, SERVER
from infra.bench.issuer import Issuer
from infra.bench.scenario import GET, TOKEN, Scenario
from infra.build.interpreter import interpreter
from infra.local.engine import free_port
from infra.scale.engine import NO_LIMITS
from infra.stack import env_file
from infra.stack.template import ROOT

_START_SECONDS = 60
_WITHOUT_CDN = {"ORIGIN_SECRETS": ""}


def compare(seconds: float, rounds: int, issuer: Issuer) -> dict[str, list[float]]:
    """Returns the requests per second of both servers, measured in turns, `rounds` times."""
    with tempfile.TemporaryDirectory() as folder, _ours(Path(folder), issuer) as port:
        os.environ.update(env_file.read(Path(folder) / "env") | NO_LIMITS | _WITHOUT_CDN | issuer.environment)
        scenario = Scenario(issuer)
        request = Path(folder) / "request"
        request.write_bytes(_raw(scenario))
        with _uvicorn() as other:
            ports = {"make run": port, "FastAPI + uvicorn": other}
            rates: dict[str, list[float]] = {name: [] for name in ports}
            for at in ports.values():
                _load(at, seconds, request)  # what a service does once after its start is not measured
            for _ in range(rounds):
                for name, at in ports.items():
                    rates[name].append(_load(at, seconds, request))
    return rates


def _raw(scenario: Scenario) -> bytes:
    method, target, _ = scenario.requests()[GET]
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {scenario.credentials[TOKEN]}"]
    return "\r\n".join([*lines, "", ""]).encode()


def _load(port: int, seconds: float, request: Path) -> float:
    command = [sys.executable, str(HERE / "load.py"), str(port), str(seconds), str(request)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return float(done.stdout)


@contextmanager
def _ours(state: Path, issuer: Issuer) -> Iterator[int]:
    port = free_port()
    given = {**os.environ, **NO_LIMITS, "PORT": str(port), "HOST": "127.0.0.1", "LOCAL_STATE": str(state)}
    for name in ("AWS_ENDPOINT_URL", "TABLE_NAME", "ORIGIN_SECRETS", "ROOT_URL", *issuer.environment):
        given.pop(name, None)
    with _running([sys.executable, "-m", "infra.local.run"], given, port, ROOT):
        yield port


@contextmanager
def _uvicorn() -> Iterator[int]:
    port = free_port()
    given = {**os.environ, "PYTHONPATH": f"{FASTAPI.folder}:{SERVER}:{RUNTIME}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(interpreter()), "-S", "-m", "uvicorn", "handler:app", "--port", str(port), "--no-access-log"]
    with _running(command, given, port, FASTAPI.folder):
        yield port


@contextmanager
def _running(command: list[str], given: Mapping[str, str], port: int, folder: Path) -> Iterator[None]:
    with tempfile.TemporaryFile() as log:
        process: subprocess.Popen[Any] = subprocess.Popen(command, env=given, cwd=folder, stdout=log, stderr=log)  # noqa: S603
        try:
            _wait(port, process)
            yield
        finally:
            process.terminate()
            process.wait(30)


def _wait(port: int, process: subprocess.Popen[Any]) -> None:
    """Returns once it answers with an error of its own; raises `RuntimeError` if it does not start."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/whoami", timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing answers on port {port}")
