"""Compiles byte code beside the sources, the same for the same sources (ADR build)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from infra.build.interpreter import interpreter

_ARCHIVED_AT = 1_577_836_800  # 2020-01-01: archives hold no time but this one


def compile_all(folder: Path, deployed: str) -> None:
    """Compiles every module with the runtime's Python; tracebacks name the path where it will be deployed."""
    for cache in sorted(folder.rglob("__pycache__")):
        shutil.rmtree(cache)
    command = [str(interpreter()), "-I", "-m", "compileall", "-q", "-s", str(folder), "-p", deployed]
    command += ["--invalidation-mode", "unchecked-hash", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise RuntimeError(f"some modules under {folder.name} do not compile: {done.stdout}{done.stderr}")


def settle(folder: Path) -> None:
    """Gives every file one time and one mode, so that an archive of them depends on their content alone."""
    for path in sorted(folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".so" else 0o644)
        os.utime(path, (_ARCHIVED_AT, _ARCHIVED_AT))
