"""The curl commands that `boardctl demo` prints: every one works in a shell without changes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.operator.demo import demo_text
from tests.local.conftest import Starter

_STATUS_ONLY = "curl() { command curl -s -o /dev/null -w '%{http_code}\\n' \"$@\"; }\n"


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_every_command_works_in_order(run: Starter, state: Path) -> None:
    running = run()
    demo = json.loads((state / "demo.json").read_text())
    said = demo_text(f"http://127.0.0.1:{running.port}", demo)
    commands = said.partition("Decide on the date of a meeting:\n")[2].partition("\nConnect an agent")[0]
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", _STATUS_ONLY + commands], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["200"] * 5 + ["409"] + ["200"] * 4
