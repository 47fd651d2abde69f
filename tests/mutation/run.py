"""Tries mutants: changes one thing at a time in the live code and expects a test to fail.

Run it with `make mutants FILES="shared/governance/domain/meetings/meeting.py …"`; without FILES it tries the modules
that differ from the branch BASE (main). `make mutants-all` tries domain, usecases and store whole, PROCESSES (2) side
by side.

With AGAIN=1 it tries only what survived the last run, once tests were added.

The tests run once to see which of them call which function (`calls.py`); until a file changes, that is kept. Then each
mutant runs in a fork of one process, against the tests that call its function. The command prints what survives: a
person decides whether a rule lacks a test or nobody can tell the difference.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutation.calls import ROOT, SOURCES, calls_of_tests
from tests.mutation.selection import selected_tests

PACKAGES = ("domain", "usecases", "store")
_REPORTS = ROOT / ".local" / "mutants"
TRIAL = ("-m", "pytest", "-q", "-s", "-p", "no:xdist", "-p", "tests.mutation.trial", "-m", "not slow")


def changed_files(base: str) -> list[Path]:
    """Returns the modules of the tried packages that differ from a branch."""
    command = ["git", "diff", "--name-only", base, "--", *(str(SOURCES / package) for package in PACKAGES)]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
    return [ROOT / name for name in names if name.endswith(".py") and (ROOT / name).exists()]


def all_files() -> list[Path]:
    """Returns the modules of the tried packages."""
    return sorted(
        file for package in PACKAGES for file in (SOURCES / package).rglob("*.py") if file.name != "__init__.py"
    )


def try_file(file: Path) -> tuple[int, list[str]]:
    """Returns how many mutants of a module were tried, and the names of those that survived."""
    module = file.relative_to(SOURCES)
    report = _REPORTS / module.with_suffix(".json")
    report.parent.mkdir(parents=True, exist_ok=True)
    again = json.loads(report.read_text())["survivors"] if os.environ.get("AGAIN") and report.exists() else None
    report.unlink(missing_ok=True)
    tests = selected_tests(str(module), calls_of_tests())
    selected = report.with_suffix(".tests")
    selected.write_text(json.dumps(tests))
    environment = os.environ | {
        "MUTATED": str(file),
        "MUTANTS_REPORT": str(report),
        "MUTANTS_TESTS": str(selected),
        "MUTANTS_TRIED": json.dumps(again),
        "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}",
    }
    files = sorted({test.partition("::")[0] for found in tests.values() for test in found})
    run = subprocess.run(  # noqa: S603 - our own tests
        [sys.executable, *TRIAL, *files], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if not report.exists():
        raise SystemExit(f"{file}: the tests did not run\n{run.stdout}{run.stderr}")
    found = json.loads(report.read_text())
    return found["tried"], found["survivors"]


def main(arguments: Sequence[str]) -> None:
    """Tries the mutants of the files and prints those that survive."""
    if arguments == ["all"]:
        files = all_files()
    else:
        files = [Path(argument).resolve() for argument in arguments] or changed_files(os.environ.get("BASE", "main"))
    for file in files:
        started = time.monotonic()
        tried, survivors = try_file(file)
        figures = f"{tried} tried, {len(survivors)} survived"
        print(f"{file.relative_to(SOURCES)}: {figures} ({time.monotonic() - started:.0f} s)")
        print("".join(f"    {name}\n" for name in survivors), end="", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
