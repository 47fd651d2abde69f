"""Setup on an incomplete machine: one sentence on standard error and a non-zero exit code."""

import os
import subprocess
from pathlib import Path

import pytest

from infra.stack.template import ROOT

SETUP = ROOT / "infra/local/setup.sh"


def program(folder: Path, name: str, script: str) -> Path:
    """Creates a shell script with this name and content."""
    file = folder / name
    file.write_text(f"#!/bin/bash\n{script}\n")
    file.chmod(0o755)
    return file


def setup(folder: Path, python: Path) -> tuple[int, str]:
    """Exit code and what was said, where only this Python is to be had."""
    done = subprocess.run(  # noqa: S603 - the script under test
        [str(SETUP), str(folder / "venv"), "requirements-dev.lock"],
        env={"PATH": os.environ["PATH"], "PYTHON": str(python)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.strip().splitlines()[-1]


def test_an_old_python_is_reported(tmp_path: Path) -> None:
    code, said = setup(tmp_path, program(tmp_path, "python", "exit 1"))
    assert (code, said) == (
        1,
        "Python 3.11 or newer is needed, and none was found; name one with PYTHON=/path/to/python3.",
    )


@pytest.mark.parametrize(
    ("pip", "said"),
    [
        ("Could not find: NewConnectionError('refused')", "no package index is reachable from here."),
        ("ERROR: No matching distribution found for x", "no package index is reachable from here."),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"),
    ],
)
def test_packages_that_cannot_be_installed_are_reported(tmp_path: Path, pip: str, said: str) -> None:
    inner = f'echo "{pip}" >&2; exit 1'
    make_venv = f"mkdir -p {tmp_path}/venv/bin && cp {tmp_path}/pip {tmp_path}/venv/bin/python"
    program(tmp_path, "pip", inner)
    code, last = setup(tmp_path, program(tmp_path, "python", f'[ "$2" = venv ] && {make_venv}; exit 0'))
    assert (code, last) == (1, f"The packages cannot be installed: {said}")
    assert not (tmp_path / "venv/.ready").exists()
