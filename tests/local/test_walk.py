"""The walk that `make run` prints: every line works as it stands, in a shell."""

from __future__ import annotations

import shutil
import signal
import subprocess

import pytest

from tests.local.conftest import Starter

_STATUS_ALONE = "curl() { command curl -s -o /dev/null -w '%{http_code}\\n' \"$@\"; }\n"


@pytest.mark.slow
def test_a_meeting_gets_decided_line_by_line(run: Starter) -> None:
    running = run()
    walk = running.output.partition("A meeting that gets decided:\n")[2].partition("\nCtrl-C")[0]
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", _STATUS_ALONE + walk], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["200"] * 5 + ["409"] + ["200"] * 4
    assert running.end(signal.SIGINT) == 0
