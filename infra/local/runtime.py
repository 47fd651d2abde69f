"""Built functions in the real Lambda runtime: the emulator and the runtime client that AWS publishes, no container.

Each function is a process with nothing but its own folder, the layer, and what Lambda's runtime brings (ADR build).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from governance.settings import Secret
from infra.build import layer
from infra.build.interpreter import interpreter, runtime
from infra.build.main import BUILD, NATIVE_LAYER
from infra.local.engine import free_port
from infra.stack.template import ROOT, Template

CLIENT = ROOT / ".aws-sam/native/runtime"
"""Lambda's own part of the runtime: the client that fetches events."""
_CLIENT_PACKAGES = ("awslambdaric", "simplejson", "snapshot-restore-py")
_START_SECONDS = 30
_EMULATOR = ".venv-sam/lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-"


class RuntimeFailure(Exception):
    """The function's process could not be started, or ended without an answer."""


def install_client() -> None:
    """Installs the runtime client by the hashes of the lock, unless this very one is already there."""
    lock = (ROOT / "requirements-sam.lock").read_text(encoding="utf-8")
    blocks = [re.search(rf"^{name}==.*(?:\n[ \t].*)*", lock, re.MULTILINE) for name in _CLIENT_PACKAGES]
    wanted = "".join([f"# {runtime()}\n", *(f"{block[0]}\n" for block in blocks if block)])
    part = CLIENT.with_suffix(".lock")
    if CLIENT.exists() and part.exists() and part.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(CLIENT, ignore_errors=True)
    part.write_text(wanted, encoding="utf-8")
    layer.install(part, CLIENT, layer.here())


def command(port: int, runtime_port: int) -> list[str]:
    """The emulator on a port, with the function's process under it; `make build` has fetched it."""
    (emulator,) = ROOT.glob(_EMULATOR + layer.here())
    addresses = ["--runtime-interface-emulator-address", f"127.0.0.1:{port}"]
    addresses += ["--runtime-api-address", f"127.0.0.1:{runtime_port}"]
    return [str(emulator), *addresses, str(interpreter()), "-S", "-m", "awslambdaric", "handler.lambda_handler"]


def environment(folder: Path, given: Mapping[str, str], *, memory: int, timeout: int) -> dict[str, str]:
    """Returns the function's variables and those of the runtime; like deployed code, this cannot be written to."""
    return {
        **given,
        "PATH": os.environ["PATH"],
        "PYTHONPATH": ":".join([*(f"{path}/python" for path in _layers(folder.name)), str(CLIENT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LAMBDA_TASK_ROOT": str(folder),
        "AWS_LAMBDA_FUNCTION_NAME": folder.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(memory),
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout),
    }


def _layers(name: str) -> list[Path]:
    """Returns the layers of a function, by the folder of its build."""
    own = Template().resources("AWS::Serverless::Function").get(name, {}).get("Layers", [])
    return [NATIVE_LAYER, *(NATIVE_LAYER.with_name(layer["Ref"]) for layer in own)]


@dataclass
class Function:
    """One execution environment of a built function; it takes one event at a time, as in the cloud."""

    folder: Path
    environment: dict[str, str]
    log: Path
    _port: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, event: Mapping[str, Any], _: object) -> Any:
        """Returns the function's answer; raises `RuntimeFailure` where it crashes or runs out of time."""
        with self._one_at_a_time:
            if self._process is None or self._process.poll() is not None:
                self.start()
            answer = _invoke(self._port, event, float(self.environment["AWS_LAMBDA_FUNCTION_TIMEOUT"]))
        if isinstance(answer, dict) and "errorType" in answer:
            raise RuntimeFailure(f"{self.folder.name}: {answer['errorType']}")
        return answer

    def start(self) -> None:
        """Starts the emulator; the function itself begins with its first event."""
        self._port, runtime_port = free_port(), free_port()
        with self.log.open("ab") as output:
            self._process = _spawn(command(self._port, runtime_port), self.folder, self.environment, output)
        _wait(self._port, self._process)

    def stop(self) -> None:
        """Ends the process and those under it."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _spawn(words: list[str], folder: Path, given: Mapping[str, str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - ours
        words,
        cwd=folder,
        env=given,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    """Waits until the emulator listens."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeFailure("The runtime emulator did not start.")


def _invoke(port: int, event: Mapping[str, Any], seconds: float) -> Any:
    url = f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations"
    request = urllib.request.Request(url, json.dumps(event).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=seconds + _START_SECONDS) as answer:  # noqa: S310 - our own child
            return json.loads(answer.read())
    except (OSError, ValueError) as error:
        raise RuntimeFailure(f"no answer from the runtime: {error}") from None


class Functions:
    """Every built function by its group, each in a process of its own that starts with its first event."""

    def __init__(self, template: Template, log: Path) -> None:
        self._template = template
        self._names = {group: name for name, group in template.functions().items()}
        self._properties = template.resources("AWS::Serverless::Function")
        self._usual: dict[str, Any] = template.document["Globals"]["Function"]
        self._log = log
        self._running: dict[str, Function] = {}

    def load(self, group: str) -> Function:
        """Returns the function of a group, with the environment of this process."""
        return self._running.setdefault(group, self._made(group))

    def _made(self, group: str) -> Function:
        name = self._names[group]
        settings = {**self._usual, **self._properties[name]}
        folder = BUILD / name
        given = environment(folder, self._variables(group), memory=settings["MemorySize"], timeout=settings["Timeout"])
        return Function(folder, given, self._log)

    def _variables(self, group: str) -> dict[str, str]:
        """Returns this process's environment with those secrets only that the template gives to the function."""
        withheld = set(Secret) - self._template.secrets(group)
        return {name: value for name, value in _own().items() if name not in withheld}

    def stop(self) -> None:
        """Ends them all."""
        for function in self._running.values():
            function.stop()


def _own() -> dict[str, str]:
    """Returns this process's environment without what would lead a function's Python elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
