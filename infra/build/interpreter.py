"""The Python of the functions' runtime on this machine: Lambda ignores byte code that another version compiled."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from infra.stack.template import ROOT, Template

_FIND = ROOT / "infra/local/find_python.sh"
_BASE = "import sys; print(sys.base_prefix)"


@lru_cache(maxsize=1)
def runtime() -> str:
    """Returns the runtime that the template names, such as `python3.13`."""
    return str(Template().document["Globals"]["Function"]["Runtime"])


def version() -> str:
    """Returns the runtime's version of Python, such as `3.13`."""
    return runtime().removeprefix("python")


@lru_cache(maxsize=1)
def interpreter() -> Path:
    """Returns the interpreter itself, outside of any virtual environment; raises `SystemExit` if there is none."""
    result = subprocess.run([str(_FIND), runtime()], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if result.returncode:
        raise SystemExit(f"The functions run on {runtime()}, and it is neither on the PATH nor installed by pyenv.")
    command = [result.stdout.strip(), "-c", _BASE]
    base = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return Path(base.stdout.strip()) / "bin" / runtime()
