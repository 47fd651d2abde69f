"""The environment on this machine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from governance.settings import settings
from infra.local import environment
from infra.local.template import Template


def test_every_variable_of_the_template_has_a_local_value() -> None:
    local = environment.functions_environment("http://127.0.0.1:8000", {})
    assert set(Template().environment()) <= set(local)


def test_the_callers_shell_wins() -> None:
    local = environment.functions_environment("http://x", {"RATE_LIMIT_ADDRESS": "7", "HOME": "/"})
    assert local["RATE_LIMIT_ADDRESS"] == "7"
    assert "HOME" not in local


def test_what_is_written_is_read_and_can_be_sourced(tmp_path: Path) -> None:
    file, values = tmp_path / "env", {"A": "with space", "B": "quote's $HOME", "C": ""}
    environment.write(file, values)
    assert environment.read(file) == values
    assert file.stat().st_mode & 0o077 == 0
    shell = shutil.which("bash") or "bash"
    done = subprocess.run([shell, "-c", f'set -a; . {file}; printf %s "$A|$B|$C"'], capture_output=True, check=True)  # noqa: S603 - our own words
    assert done.stdout == b"with space|quote's $HOME|"


def test_no_file_is_no_environment(tmp_path: Path) -> None:
    assert environment.read(tmp_path / "env") == {}


def test_the_local_environment_is_enough_for_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    local = environment.functions_environment("http://127.0.0.1:8000", {})
    monkeypatch.setattr(os, "environ", local)
    assert settings.__wrapped__().root_url == "http://127.0.0.1:8000"
