"""Tries mutants: changes one thing at a time in the live code and expects a test to fail.

Run it with `make mutants FILES="shared/governance/domain/meetings/meeting.py …"`; without FILES it tries the lines
that differ from the branch BASE (main). `make mutants-all` tries domain, usecases and store whole, PROCESSES (2) in
parallel.

The tests run once to see which of them call which function (`calls.py`); until a file changes, that is kept. Then each
mutant runs in a fork of one process, against the tests that call its function. The command prints what survives: a
person decides whether a rule lacks a test or nobody can tell the difference.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from infra.tools.mutation.calls import ROOT, SOURCES, Calls, calls_of_tests

_PACKAGES = [SOURCES / package for package in ("domain", "usecases", "store")]
_TRIAL = ("-m", "pytest", "-q", "-s", "-p", "no:xdist", "-p", "infra.tools.mutation.trial", "-m", "not slow")
_NEAREST = 200
"""Tests at most: thousands call a function of the store; a rule that only a remote one would notice needs its own."""
_KEYS = "tests/store/test_stored_keys.py::"
"""The tests of the schema: how each key is spelled."""
_HUNK = re.compile(r"^\+\+\+ b/(?P<file>.*)$|^@@ \S+ \+(?P<start>\d+)(?:,(?P<length>\d+))? @@", re.MULTILINE)


def changed_lines(base: str) -> dict[Path, list[int] | None]:
    """Returns the lines of each module of the tried packages that differ from a branch."""
    command = ["git", "diff", "--unified=0", "--no-ext-diff", base, "--", *map(str, _PACKAGES)]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    lines_of_files: dict[Path, list[int] | None] = {}
    lines: list[int] = []
    for hunk in _HUNK.finditer(text):
        if hunk["file"]:
            lines = []
            lines_of_files[ROOT / hunk["file"]] = lines
        else:
            lines += range(int(hunk["start"]), int(hunk["start"]) + int(hunk["length"] or 1))
    return {file: changed for file, changed in lines_of_files.items() if file.suffix == ".py" and changed}


def selected_tests(module: str, calls: list[Calls]) -> dict[str, list[str]]:
    """Returns the tests of each function of `package/name.py`; of what runs at import, under the name ``.

    First come its own in `tests/package/subject/test_name.py`, then those that call least. A module of values that
    nothing calls, such as a table of limits, has all tests.
    """
    file = Path(module)
    own = (f"tests/{file.parent}/test_{file.stem}.py::", *([_KEYS] if "schema" in file.parts else []))
    tests: dict[str, list[str]] = {"": []}
    for entry in sorted(calls, key=lambda entry: not entry.test.startswith(own)):
        called = [function.partition(":")[2] for function in entry.functions if function.startswith(f"{module}:")]
        for function in ["", *called] if called or entry.test.startswith(own) else ():
            tests.setdefault(function, []).append(entry.test)
    nearest = {function: nearest_first[:_NEAREST] for function, nearest_first in tests.items()}
    return nearest if tests[""] else {"": [entry.test for entry in calls]}


def try_file(file: Path, lines: list[int] | None) -> str:
    """Returns how many mutants of a module (of these lines) were tried, and those that survived, a line each."""
    tests = selected_tests(str(file.relative_to(SOURCES)), calls_of_tests())
    files = sorted({test.partition("::")[0] for names in tests.values() for test in names})
    with tempfile.TemporaryDirectory() as folder:
        plan, report = Path(folder) / "plan.json", Path(folder) / "report"
        plan.write_text(json.dumps({"file": str(file), "lines": lines, "tests": tests, "report": str(report)}))
        environment = os.environ | {"MUTANTS_PLAN": str(plan), "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}"}
        command = [sys.executable, *_TRIAL, *files]
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        if not report.exists():
            raise SystemExit(f"{file}: the tests did not run\n{run.stdout}{run.stderr}")
        return report.read_text()


def main(arguments: Sequence[str]) -> None:
    """Tries the mutants of the files and prints those that survive."""
    files: dict[Path, list[int] | None]
    if arguments == ["all"]:
        files = dict.fromkeys(sorted(file for folder in _PACKAGES for file in folder.rglob("*.py")))
    elif arguments:
        files = dict.fromkeys(Path(argument).resolve() for argument in arguments)
    else:
        files = changed_lines(os.environ.get("BASE", "main"))
    for file, lines in files.items():
        print(f"{file.relative_to(SOURCES)}: {try_file(file, lines)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
