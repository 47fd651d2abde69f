"""Kills `make run` and its engine at a change of a file: Python imports this at its start if the folder is on its path.

KILL_AT says at which change of this process below LOCAL_STATE, counted from the moment that the file KILL_ARMED exists.
The instant of the kill is written into that file, on the clock that processes share.
"""

import itertools
import os
import signal
import sys
import time
from pathlib import Path

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"}
_STATE = os.environ.get("LOCAL_STATE", "\0")
_ARMED = os.environ.get("KILL_ARMED", "")
_at = int(os.environ.get("KILL_AT", "0"))
_changes = itertools.count(1)
_parent = os.getppid()


def _is_change(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "open":
        path, mode, flags = arguments
        written = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))
        return written and str(path).startswith(_STATE) and mode != "r"
    return event in _CHANGES and str(arguments[0]).startswith(_STATE)


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _is_change(event, arguments) and Path(_ARMED).exists() and next(_changes) == _at:
        _kill_all()


def _kill_all() -> None:
    """Kills the service and its engine, whichever of them this is, or a copy of the engine that saves."""
    Path(_ARMED).write_text(str(time.monotonic()))
    if "infra.local.run" in " ".join(sys.orig_argv):
        for children in Path("/proc/self/task").glob("*/children"):
            for child in children.read_text().split():
                os.killpg(int(child), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    os.kill(_parent, signal.SIGKILL)
    os.killpg(0, signal.SIGKILL)


if _at:
    sys.addaudithook(_hook)
