"""Which functions of the library each test calls: measured once for a state of the code, by a plugin of pytest."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "shared" / "governance"
_NOTES = ROOT / ".local" / "mutants" / "calls"
_TOOL = 4
"""Any number that no debugger, profiler or coverage tool uses."""


class Calls(NamedTuple):
    """What one test calls."""

    test: str
    functions: set[str]
    """Each is `package/module.py:Class.method`; an inner function counts as the outer one."""


def calls_of_tests() -> list[Calls]:
    """Returns what each test of the quick group calls, those that call least first. Runs the group if it changed."""
    notes = _NOTES / _digest()
    if not (notes / "complete").exists():
        if not hasattr(sys, "monitoring"):
            raise SystemExit("What tests call is noted on Python 3.12 or newer only.")
        notes.mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "auto",
            "-m",
            "not slow",
            "-p",
            "infra.tools.mutation.calls",
        ]
        environment = os.environ | {"CALLS_NOTED": str(notes), "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}"}
        run = subprocess.run(command, cwd=ROOT, env=environment, check=False)  # noqa: S603 - our own tests
        if run.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit("The tests did not run to their end.")
        (notes / "complete").touch()
    lines = [line for file in notes.glob("*.jsonl") for line in file.read_text().splitlines()]
    return sorted((Calls(test, set(called)) for test, called in map(json.loads, lines)), key=_least_first)


def _least_first(calls: Calls) -> tuple[int, str]:
    return len(calls.functions), calls.test


def _digest() -> str:
    """Returns a name of the state of all code and tests."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
    state = hashlib.sha256()
    for file in (ROOT / name for name in names if (ROOT / name).exists()):
        state.update(f"{file}\n".encode() + file.read_bytes())
    return state.hexdigest()[:16]


_called: set[CodeType] = set()
_worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
_file = Path(os.environ.get("CALLS_NOTED", "")) / f"{_worker}.jsonl"  # some tests empty the environment


def pytest_sessionstart() -> None:
    """Has every call of a function reported."""
    monitoring: Any = vars(sys)["monitoring"]
    monitoring.use_tool_id(_TOOL, "calls")
    monitoring.register_callback(_TOOL, monitoring.events.PY_START, _note)
    monitoring.set_events(_TOOL, monitoring.events.PY_START)


def _note(code: CodeType, _offset: int) -> Any:
    if code.co_filename.startswith(str(SOURCES)):
        _called.add(code)
    return vars(sys)["monitoring"].DISABLE  # until the next test


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forgets what was called before."""
    _called.clear()
    vars(sys)["monitoring"].restart_events()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Notes what a test called that passed."""
    result = yield
    functions = {f"{Path(code.co_filename).relative_to(SOURCES)}:{_outermost(code)}" for code in _called.copy()}
    with _file.open("a") as notes:
        notes.write(json.dumps([item.nodeid, sorted(functions)]) + "\n")
    return result


def _outermost(code: CodeType) -> str:
    return code.co_qualname.partition(".<locals>")[0]
