"""Proof of the tests: one rule of a copy of the library is broken at a time, and a test must go red.

Run it by `make proof`, or as `python -m tests.seeded_bugs.run [words of a bug's name]`. The working tree is never
touched. A bug that survives, or a patch that no longer fits the code, makes it fail.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.seeded_bugs.bugs import BUGS, Bug

ROOT = Path(__file__).parents[2]
_COPIED = ("shared", "functions", "infra", "tests", "events")
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+(?: [^-]\S*)*)", re.MULTILINE)


def copied(tree: Path) -> Path:
    """The parts of the project that tests need, in another place."""
    for part in _COPIED:
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, tree)
    return tree


def first_failure(tree: Path, bug: Bug) -> str | None:
    """The first of the bug's tests to go red."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "--tb=no"]
    named = [bug.tests] if "::" in bug.tests else ["-m", "not slow", *bug.tests.split()]
    done = subprocess.run(  # noqa: S603 - our own tests
        [*pytest, *named], cwd=tree, capture_output=True, text=True, check=False
    )
    found = _FAILURE.search(done.stdout)
    if found is None and done.returncode != 0:
        raise SystemExit(f"{bug.name}: the tests did not run\n{done.stdout}{done.stderr}")
    return found[1] if found else None


def seeded(tree: Path, bug: Bug) -> str | None:
    """Which test sees the bug; the copy is sound again afterwards."""
    path = tree / ("" if bug.file.startswith("infra/") else "shared/governance") / bug.file
    sound = path.read_text()
    if sound.count(bug.old) != 1:
        raise SystemExit(f"{bug.name}: the text to be broken is not once in {bug.file}")
    path.write_text(sound.replace(bug.old, bug.new))
    try:
        return first_failure(tree, bug)
    finally:
        path.write_text(sound)


def main(words: str) -> int:
    """Try the bugs whose names hold the words, print which test saw each, and count those that nobody saw."""
    survivors = 0
    with TemporaryDirectory() as folder:
        tree = copied(Path(folder) / "copy")
        for bug in (bug for bug in BUGS if words in bug.name):
            seen = seeded(tree, bug)
            survivors += seen is None
            print(f"{bug.name}\n    {seen or 'SURVIVED'}", flush=True)
    return survivors


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
