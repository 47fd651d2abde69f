"""The tests of the pages' modules, which Node.js runs without a browser."""

import os
import subprocess
from pathlib import Path

from infra.pages.app.build import build
from tests.harness.programs import packages, program

MODULES = Path(__file__).with_name("modules")


def run(folder: Path, *options: str, **environment: str) -> None:
    """Builds the pages in an empty folder and runs the tests; fails with what they say if one fails."""
    build(folder)
    packages(MODULES.parent)
    tests = [str(path) for path in sorted(MODULES.glob("*.test.mjs"))]
    command = [program("node"), *options, "--test", "--test-reporter", "spec", *tests]
    own = {**os.environ, "PAGES_WEB": str(folder), "LC_ALL": "en_GB.UTF-8", **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=own)  # noqa: S603 - ours
    assert done.returncode == 0, done.stdout.rpartition("failing tests:")[2]
