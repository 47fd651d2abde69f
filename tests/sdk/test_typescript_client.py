"""The runtime of the TypeScript client, which Node.js runs against a service that plays a script."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from infra.sdk import build
from tests.harness.programs import packages, program


def test_the_runtime_passes_its_own_tests(tmp_path: Path) -> None:
    packages(build.TYPESCRIPT)
    build.typescript_sources(tmp_path)
    build.compile_typescript(tmp_path, "--noCheck", "--declaration", "false")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    tests = [str(path) for path in sorted(Path(__file__).parent.glob("*.test.mjs"))]
    command = [program("node"), "--test", "--test-reporter", "spec", *tests]
    own = {**os.environ, "SDK": (tmp_path / "dist/index.js").as_uri()}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=own)  # noqa: S603 - ours
    assert done.returncode == 0, done.stdout.rpartition("failing tests:")[2]
