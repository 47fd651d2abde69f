"""`.local/env`: the environment of the last `make run`, for shells, `boardctl` and the catalog's commands."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from infra.stack.template import ROOT

STATE = Path(os.environ.get("LOCAL_STATE", ROOT / ".local"))
ENV_FILE = STATE / "env"


def write(file: Path, values: Mapping[str, str]) -> None:
    """Writes the environment so that a shell can source it (`set -a; . .local/env`) and only its owner can read it."""
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in sorted(values.items()))
    replace(file, lines)


def replace(file: Path, text: str) -> None:
    """Writes a file that only its owner can read. Whoever is killed meanwhile leaves the old one or the new one."""
    part = file.with_name(f"{file.name}.part")
    part.touch(mode=0o600)
    part.chmod(0o600)
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def read(file: Path = ENV_FILE) -> dict[str, str]:
    """Returns the environment of the last `make run`, or nothing if there was none."""
    if not file.exists():
        return {}
    words = shlex.split(file.read_text(encoding="utf-8"))
    return dict(word.split("=", 1) for word in words)
