"""The file with the environment of the last `make run`."""

import shutil
import subprocess
from pathlib import Path

from infra.stack import env_file


def test_the_file_can_be_read_and_sourced(tmp_path: Path) -> None:
    file, values = tmp_path / "env", {"A": "with space", "B": "quote's $HOME", "C": ""}
    env_file.write(file, values)
    assert env_file.read(file) == values
    assert file.stat().st_mode & 0o077 == 0
    shell = shutil.which("bash") or "bash"
    done = subprocess.run([shell, "-c", f'set -a; . {file}; printf %s "$A|$B|$C"'], capture_output=True, check=True)  # noqa: S603 - our own command
    assert done.stdout == b"with space|quote's $HOME|"


def test_there_is_no_environment_without_a_file(tmp_path: Path) -> None:
    assert env_file.read(tmp_path / "env") == {}
