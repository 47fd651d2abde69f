"""Proves that the tests notice bugs: breaks one rule at a time in a copy of the project and expects a test to fail.

Run it with `make proof`, or with `python -m tests.seeded_bugs.run [part of a bug's name]`. PROCESSES (2 by default) run
side by side, each in a copy of its own, so the working tree is never changed. The results are printed in the order of
the bugs. The command fails if a bug survives or no longer fits the code.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.seeded_bugs.bug import ROOT, Bug, StaleBug
from tests.seeded_bugs.bugs import BUGS

_COPIED = ("shared", "functions", "infra", "tests", "events")
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+(?: [^-]\S*)*)", re.MULTILINE)


def copy_project(tree: Path) -> Path:
    """Copies the parts of the project that the tests need."""
    for part in _COPIED:
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, tree)
    return tree


def first_failure(tree: Path, bug: Bug) -> str | None:
    """Runs the bug's tests in the copy. Returns the first test that fails, None if all of them pass."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "--tb=no"]
    selection = [bug.tests] if "::" in bug.tests else ["-m", "not slow", *bug.tests.split()]
    run = subprocess.run(  # noqa: S603 - our own tests
        [*pytest, *selection], cwd=tree, capture_output=True, text=True, check=False
    )
    failure = _FAILURE.search(run.stdout)
    if failure is None and run.returncode != 0:
        raise SystemExit(f"{bug.name}: the tests did not run\n{run.stdout}{run.stderr}")
    return failure[1] if failure else None


def try_bug(tree: Path, bug: Bug) -> str | None:
    """Seeds the bug in the copy, returns the first test that fails, and restores the file."""
    path = tree / bug.file
    original = path.read_text()
    path.write_text(bug.seed())
    try:
        return first_failure(tree, bug)
    finally:
        path.write_text(original)


def try_all(bugs: Sequence[Bug], processes: int) -> Iterator[tuple[Bug, str | None]]:
    """Tries the bugs in that many processes. Returns each bug, in the given order, with the first test that fails."""
    copies: SimpleQueue[Path] = SimpleQueue()

    def try_in_free_copy(bug: Bug) -> str | None:
        tree = copies.get()
        try:
            return try_bug(tree, bug)
        finally:
            copies.put(tree)

    with TemporaryDirectory() as folder, ThreadPoolExecutor(processes) as executor:
        for number in range(processes):
            copies.put(copy_project(Path(folder) / f"copy-{number}"))
        yield from zip(bugs, executor.map(try_in_free_copy, bugs), strict=True)


def main(words: str) -> int:
    """Tries the bugs whose names contain the words, prints the test that noticed each, and counts the survivors."""
    bugs = [bug for bug in BUGS if words in bug.name]
    processes = max(1, min(len(bugs), int(os.environ.get("PROCESSES", "2"))))
    survivors = 0
    try:
        for bug, noticed in try_all(bugs, processes):
            survivors += noticed is None
            print(f"{bug.name}\n    {noticed or 'SURVIVED'}", flush=True)
    except StaleBug as error:
        raise SystemExit(str(error)) from None
    return survivors


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
