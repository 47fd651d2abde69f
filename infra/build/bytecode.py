"""Byte code beside the sources, the same for the same sources: without it every cold start compiles anew (ADR 0080)."""

from __future__ import annotations

import compileall
import os
import shutil
from pathlib import Path
from py_compile import PycInvalidationMode

_MOMENT = 1_577_836_800  # 2020-01-01: archives hold no time but this one


def compile_all(folder: Path, deployed: str) -> None:
    """Compile every module; the code says that it lies where it will be deployed, not where it was built."""
    for cache in sorted(folder.rglob("__pycache__")):
        shutil.rmtree(cache)
    done = compileall.compile_dir(
        folder,
        quiet=1,
        maxlevels=20,
        stripdir=str(folder),
        prependdir=deployed,
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    if not done:
        raise RuntimeError(f"some modules under {folder.name} do not compile")


def settle(folder: Path) -> None:
    """Give every file one time and one mode, so that an archive of them depends on their content alone."""
    for path in sorted(folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".so" else 0o644)
        os.utime(path, (_MOMENT, _MOMENT))
