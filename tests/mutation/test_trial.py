"""A mutant that a test notices does not survive, and one that none can notice does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.mutation.calls import ROOT, SOURCES
from tests.mutation.run import TRIAL

_FILE = SOURCES / "domain/calendars/calendar_feed.py"
_TESTS = "tests/domain/test_calendar_feed.py"
_NOTICED = [
    "domain/calendars/calendar_feed.py:-: _SETTLING_SECONDS = 60 -> _SETTLING_SECONDS = 61",
    "domain/calendars/calendar_feed.py:may_be_current: return named is not None -> return named is None",
]
_EQUIVALENT = "domain/calendars/calendar_feed.py:entity_tag: digest = hashlib.sha256(' '.join(parts).encode()).hexdig"
_EQUIVALENT += " -> digest = hashlib.sha256(' ~'.join(parts).encode()).hexdig"


def test_only_what_no_test_notices_survives(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", _TESTS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    near = [line for line in listed.splitlines() if line.startswith(_TESTS)]
    chosen, report = tmp_path / "tests.json", tmp_path / "report.json"
    chosen.write_text(json.dumps(dict.fromkeys(("", "may_be_current", "entity_tag"), near)))
    environment = os.environ | {
        "MUTATED": str(_FILE),
        "MUTANTS_REPORT": str(report),
        "MUTANTS_TESTS": str(chosen),
        "MUTANTS_TRIED": json.dumps([*_NOTICED, _EQUIVALENT]),
        "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}",
    }
    run = subprocess.run([sys.executable, *TRIAL, _TESTS], cwd=ROOT, env=environment, capture_output=True, check=False)  # noqa: S603
    assert report.exists(), run.stdout
    assert json.loads(report.read_text()) == {"tried": 3, "survivors": [_EQUIVALENT]}
