"""The data that the engine saves while it runs: numbered copies in a folder, each complete or absent (ADR local).

A copy is written to a temporary folder and gets its number by a rename. The newest copy and the one before it are kept.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_KEPT = 2
_UNFINISHED = "unfinished"
ASIDE = "damaged-"
"""How the names of copies begin that were set aside, beside the folder of the copies."""
_SIZES = "sizes"
"""The file that says how many bytes each file of a copy has: one may be lost or cut short later."""


@dataclass(frozen=True)
class Recovery:
    """The copy that the engine starts from, None if there is none, and the damaged copies that were set aside."""

    copy: Path | None
    damaged: tuple[Path, ...]

    def report(self, *, stopped_cleanly: bool) -> list[str]:
        """Returns what the user should know about the recovered data, one sentence each."""
        said = [f"The saved data were damaged and are set aside in {folder}." for folder in self.damaged]
        saved = self.copy and datetime.fromtimestamp(self.copy.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        if self.damaged:
            said.append(f"The copy of {saved} is used." if saved else "There is no other copy; the data are new.")
        elif saved and not stopped_cleanly:
            said.append(f"The last run did not stop cleanly; its data as of {saved} are recovered.")
        return said


def recover(root: Path) -> Recovery:
    """Returns the newest copy that can be read, and moves damaged ones out of the folder."""
    damaged: list[Path] = []
    for copy in reversed(_copies(root)):
        if _is_intact(copy):
            return Recovery(copy, tuple(damaged))
        aside = root.parent / f"{ASIDE}{copy.name}-{datetime.now(UTC):%Y%m%dT%H%M%S}"
        damaged.append(copy.rename(aside))
    return Recovery(None, tuple(damaged))


def begin(root: Path) -> Path:
    """Returns an empty folder for a new copy."""
    folder = root / _UNFINISHED
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def complete(folder: Path) -> Path:
    """Makes a copy the newest one once it is on the disk, and deletes those that are no longer kept."""
    root = folder.parent
    (folder / _SIZES).write_text(json.dumps(_sizes(folder)), encoding="utf-8")
    for file in folder.iterdir():
        _sync(file)
    _sync(folder)
    copies = _copies(root)
    newest = folder.rename(root / str(int(copies[-1].name) + 1 if copies else 1))
    _sync(root)
    for copy in copies[: 1 - _KEPT]:
        shutil.rmtree(copy.rename(folder))  # what is left of it after a kill is no copy
    return newest


def _copies(root: Path) -> list[Path]:
    """Returns the complete copies, the oldest first."""
    paths = root.iterdir() if root.is_dir() else iter(())
    return sorted((path for path in paths if path.name.isdecimal()), key=lambda path: int(path.name))


def _is_intact(copy: Path) -> bool:
    """Returns whether a copy has all of its files, whole. One of an older release does not say which it had."""
    sizes = _sizes(copy)
    try:
        for name in sizes:
            json.loads((copy / name).read_bytes())
        saved = json.loads((copy / _SIZES).read_bytes()) if (copy / _SIZES).exists() else sizes
    except ValueError:
        return False
    return bool(sizes) and sizes == saved


def _sizes(copy: Path) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in copy.glob("*.json")}


def _sync(path: Path) -> None:
    """Waits until a file or the names in a folder are on the disk: a power cut must not leave an empty copy."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
