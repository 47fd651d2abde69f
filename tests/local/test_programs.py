"""`make programs` installs what the machine lacks, if it may; where it may not, tests name what they lacked."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from infra.stack.template import ROOT

PROGRAMS = ROOT / "infra/local/programs.sh"
TOOLS = ("bash", "env", "grep", "head")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH with a shell and nothing else."""
    for name in TOOLS:
        (tmp_path / name).symlink_to(Path("/usr/bin") / name)
    return tmp_path


def stub(machine: Path, *names: str, script: str = "") -> None:
    """Adds programs that write down how they were called."""
    for name in names:
        (machine / name).write_text(f'#!/bin/bash\necho "{name} $*" >>"{machine}/called"\n{script}\n')
        (machine / name).chmod(0o755)


def call(machine: Path, *wanted: str) -> tuple[list[str], str]:
    """Returns what was called, and the last line that was said. The script never fails."""
    environment = {"PATH": str(machine), "HOME": os.environ["HOME"]}
    command = ["/bin/bash", str(PROGRAMS), *wanted]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    called = machine / "called"
    said = done.stderr.strip().splitlines()
    return called.read_text().splitlines() if called.exists() else [], said[-1] if said else ""


def run_as(machine: Path, user: int) -> None:
    (machine / "id").write_text(f"#!/bin/bash\necho {user}\n")
    (machine / "id").chmod(0o755)


@pytest.mark.parametrize("node", ["v20.19.0", "v22.12.0", "v24.1.0"])
def test_a_machine_that_has_everything_is_left_alone(machine: Path, node: str) -> None:
    stub(machine, "chromium", "chromedriver", "npm")
    stub(machine, "node", script=f"echo {node}")
    stub(machine, "java", script="echo 'openjdk version \"17.0.15\"' >&2")
    assert call(machine, "node", "java", "chromium") == (["node --version", "java -version"], "")


@pytest.mark.parametrize("node", ["v18.20.8", "v20.18.3", "v21.7.3", "v22.11.0"])
def test_a_node_that_the_bundler_does_not_run_on_is_as_none(machine: Path, node: str) -> None:
    stub(machine, "npm")
    stub(machine, "node", script=f"echo {node}")
    _, said = call(machine, "node")
    assert said == "Not installed: node npm. Node.js 20.19 or 22.12 and Java 17 or newer will do."


def test_root_installs_a_missing_browser_from_debian(machine: Path) -> None:
    run_as(machine, 0)
    stub(machine, "apt-get")
    called, said = call(machine, "chromium")
    assert called == ["apt-get update -qq", "apt-get install -y -qq chromium chromium-driver"]
    assert said == "Installing chromium chromium-driver with apt-get (once) ..."


@pytest.mark.parametrize("programs", [("apt-get",), ("sudo",), ()])
def test_a_user_who_may_install_nothing_is_told_the_command(machine: Path, programs: Iterable[str]) -> None:
    run_as(machine, 1000)
    stub(machine, *programs, script="exit 1")
    _, said = call(machine, "chromium")
    assert said == "Not installed: chromium chromium-driver. On Debian: sudo apt-get install chromium chromium-driver"
