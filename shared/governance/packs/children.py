"""Child processes that read what strangers made: without credentials, and bounded in time, memory and disk."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
"""Of prctl(2)."""
_PASSED_ON = {"LANG", "LD_LIBRARY_PATH", "PATH", "TMPDIR"}
"""The environment variables that a child process gets: no credentials."""


def command(package: str, seconds: int, memory: int, file_bytes: int) -> list[str]:
    """Returns the command that runs a package as a child, which bounds itself by these numbers."""
    return [sys.executable, "-m", package, str(seconds), str(memory), str(file_bytes)]


def environment() -> dict[str, str]:
    """Returns the environment of a child."""
    passed_on = {name: value for name, value in os.environ.items() if name in _PASSED_ON}
    return passed_on | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def bound(seconds: int, memory: int, file_bytes: int) -> None:
    """Ends this process when it takes more time or writes a larger file; fails allocations beyond the memory."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    with suppress(ValueError, OSError):  # a system that knows no such limit
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


@contextmanager
def unreadable() -> Iterator[None]:
    """Keeps other processes of this user from the memory and the environment of this one, where credentials are."""
    control = getattr(ctypes.CDLL(None), "prctl", None)  # a system that is not Linux has none, and no /proc either
    if control is None:
        yield
        return
    before = control(_GET_DUMPABLE)
    control(_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        control(_SET_DUMPABLE, before)
