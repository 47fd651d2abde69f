"""`make run` beside FastAPI on uvicorn, over the same engine, data and load; requests carry a personal token."""

from __future__ import annotations

import asyncio
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

from infra.build.interpreter import interpreter
from infra.local.engine import free_port
from infra.stack import env_file
from infra.stack.template import ROOT
from infra.tools.bench.contestants import FASTAPI
from infra.tools.bench.issuer import Issuer
from infra.tools.bench.scenario import GET, TOKEN, Scenario
from infra.tools.scale.engine import NO_LIMITS

_START_SECONDS = 60
_CLIENTS = 32


def compare(seconds: float, rounds: int, issuer: Issuer) -> dict[str, list[float]]:
    """Returns the requests per second of both servers, measured in turns, `rounds` times."""
    with tempfile.TemporaryDirectory() as folder, make_run(Path(folder)) as port:
        started = env_file.read(Path(folder) / "env")
        os.environ.update(started | NO_LIMITS | {"ORIGIN_SECRETS": ""} | issuer.environment)
        request = _raw(Scenario(issuer))
        with _uvicorn() as other:
            ports = {"make run": port, FASTAPI.name: other}
            rates: dict[str, list[float]] = {name: [] for name in ports}
            for at in ports.values():
                asyncio.run(_rate(at, seconds, request))  # what a service does once after its start is not measured
            for _ in range(rounds):
                for name, at in ports.items():
                    rates[name].append(asyncio.run(_rate(at, seconds, request)))
    return rates


def _raw(scenario: Scenario) -> bytes:
    method, target, _ = scenario.requests()[GET]
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {scenario.credentials[TOKEN]}"]
    return "\r\n".join([*lines, "", ""]).encode()


async def _rate(port: int, seconds: float, request: bytes) -> float:
    """Returns the requests per second of clients on persistent connections."""
    end = time.perf_counter() + seconds
    answered = await asyncio.gather(*(_client(port, request, end) for _ in range(_CLIENTS)))
    return sum(answered) / seconds


async def _client(port: int, request: bytes, end: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    while time.perf_counter() < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode("latin-1"))
        await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
        answered += 1
    writer.close()
    return answered


@contextmanager
def make_run(state: Path) -> Iterator[int]:
    """Runs the service with data of its own until the block ends; yields its port."""
    port = free_port()
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    given = {**inherited, **NO_LIMITS, "PORT": str(port), "HOST": "127.0.0.1", "LOCAL_STATE": str(state)}
    with _running([sys.executable, "-m", "infra.local.run"], given, port, ROOT):
        yield port


@contextmanager
def _uvicorn() -> Iterator[int]:
    port = free_port()
    given = {**os.environ, "PYTHONPATH": FASTAPI.path, "PYTHONDONTWRITEBYTECODE": "1"}
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
