"""`.local/env`: the environment of a `make run`, for shells, `boardctl` and the catalog's commands.

A service whose data are elsewhere (`LOCAL_STATE`) is noted in `.local/elsewhere`, so that the commands find the one
that runs without being told where it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.stack.template import ROOT

_USUAL = ROOT / ".local"
STATE = Path(os.environ.get("LOCAL_STATE") or _USUAL).resolve()
"""The folder of the data, as it is called in every folder: the engine runs in another."""
LOCK = "lock"
"""The file that a service holds while it uses the folder of its data; it stays there."""
DEMO = "demo.json"
"""The file of the demo data's ids and credentials; it is empty while a start seeds them."""
_ELSEWHERE = "elsewhere"


def state_of_service(usual: Path = _USUAL) -> Path:
    """Returns the folder that LOCAL_STATE names, otherwise that of the service that runs on this machine.

    `usual` is the folder without LOCAL_STATE; it is meant if its service runs, or none does. If several run elsewhere,
    the one that began last is meant.
    """
    if named := os.environ.get("LOCAL_STATE"):
        return Path(named)
    running = [state for state in (usual, *reversed(_noted(usual))) if _is_running(state)]
    return running[0] if running else usual


def note_service(state: Path, usual: Path = _USUAL) -> None:
    """Notes where the data of the service are that begins, if they are not in the usual folder."""
    if state.resolve() == usual.resolve():
        return
    usual.mkdir(parents=True, exist_ok=True)
    others = [other for other in _noted(usual) if other != state.resolve() and _is_running(other)]
    replace(usual / _ELSEWHERE, "".join(f"{path}\n" for path in (*others, state.resolve())))


def _noted(usual: Path) -> list[Path]:
    file = usual / _ELSEWHERE
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else []
    return [Path(line) for line in lines if line]


def _is_running(state: Path) -> bool:
    """Returns whether a service holds the lock of a folder."""
    try:
        with (state / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, ValueError):  # also of a name that can be none
        return False
    return False


def begin_seeding(state: Path) -> None:
    """Notes that the demo data of a folder are not whole yet."""
    replace(state / DEMO, "")


def is_seeding(state: Path) -> bool:
    """Returns whether a start began to seed the demo data of a folder, and did not end."""
    return (state / DEMO).is_file() and not (state / DEMO).stat().st_size


def read_demo(state: Path) -> dict[str, Any]:
    """Returns the ids and credentials of a folder's demo data; nothing where there is no whole file of them."""
    try:
        known: dict[str, Any] = json.loads((state / DEMO).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known


def write(file: Path, values: Mapping[str, str]) -> None:
    """Writes the environment so that a shell can source it (`set -a; . .local/env`) and only its owner can read it."""
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in sorted(values.items()))
    replace(file, lines)


def replace(file: Path, text: str) -> None:
    """Writes a file that only its owner can read. If it is killed meanwhile, the old or the new file is left."""
    part = file.with_name(f"{file.name}.part")
    part.touch(mode=0o600)
    part.chmod(0o600)
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def read(file: Path | None = None) -> dict[str, str]:
    """Returns the environment of the service that runs, or that ran last; nothing if there was none."""
    file = file or state_of_service() / "env"
    if not file.exists():
        return {}
    words = shlex.split(file.read_text(encoding="utf-8"))
    return dict(word.split("=", 1) for word in words)
