"""A mutant that a test notices does not survive, and one that no test runs over does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.mutation.calls import ROOT, SOURCES
from tests.mutation.mutants import mutants
from tests.mutation.run import TRIAL

_FILE = SOURCES / "domain/calendars/calendar_feed.py"
_TESTS = "tests/domain/test_calendar_feed.py"
_TRIED, _UNTESTED = "may_be_current", "entity_tag"


def test_only_what_no_test_notices_survives(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", _TESTS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    near = [line for line in listed.splitlines() if line.startswith(_TESTS)]
    of_function = {
        function: [mutant.name for mutant in mutants(_FILE, SOURCES) if mutant.function == function]
        for function in (_TRIED, _UNTESTED)
    }
    chosen, report = tmp_path / "tests.json", tmp_path / "report.json"
    chosen.write_text(json.dumps({"": [], _TRIED: near, _UNTESTED: []}))
    environment = os.environ | {
        "MUTATED": str(_FILE),
        "MUTANTS_REPORT": str(report),
        "MUTANTS_TESTS": str(chosen),
        "MUTANTS_TRIED": json.dumps([*of_function[_TRIED], *of_function[_UNTESTED]]),
        "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}",
    }
    run = subprocess.run([sys.executable, *TRIAL, _TESTS], cwd=ROOT, env=environment, capture_output=True, check=False)  # noqa: S603
    assert report.exists(), run.stdout
    tried = len(of_function[_TRIED]) + len(of_function[_UNTESTED])
    assert json.loads(report.read_text()) == {"tried": tried, "survivors": sorted(of_function[_UNTESTED])}
    assert all(of_function.values())
