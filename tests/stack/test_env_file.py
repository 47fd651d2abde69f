"""The file with the environment of the last `make run`."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from infra.stack import env_file
from infra.stack.template import ROOT


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


@contextmanager
def running(state: Path) -> Iterator[Path]:
    """Holds the lock of a folder, as a service does that began after it was made."""
    state.mkdir(exist_ok=True)
    with (state / env_file.LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield state


def test_commands_find_the_service_that_runs_wherever_its_data_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = tmp_path / "usual"
    monkeypatch.delenv("LOCAL_STATE", raising=False)
    assert env_file.state_of_service(usual) == usual
    with running(tmp_path / "first") as first:
        env_file.note_service(first, usual)
        assert env_file.state_of_service(usual) == first
        with running(tmp_path / "second") as second:
            env_file.note_service(second, usual)
            assert env_file.state_of_service(usual) == second
            with running(usual):
                assert env_file.state_of_service(usual) == usual
            monkeypatch.setenv("LOCAL_STATE", str(first))
            assert env_file.state_of_service(usual) == first
            monkeypatch.delenv("LOCAL_STATE")
        assert env_file.state_of_service(usual) == first
    assert env_file.state_of_service(usual) == usual


def test_a_damaged_note_of_services_is_no_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = tmp_path / "usual"
    monkeypatch.setenv("LOCAL_STATE", "")
    with running(usual):
        (usual / "elsewhere").write_bytes(b"\xff\0\n\n/no/where")
        assert env_file.state_of_service(usual) == usual
    assert env_file.state_of_service(usual) == usual
    with running(tmp_path / "first") as first:
        env_file.note_service(first, usual)
        assert env_file.state_of_service(usual) == first


@pytest.mark.parametrize(("named", "folder"), [("here/./state", "{cwd}/here/state"), ("", "{root}/.local")])
def test_the_folder_is_the_same_for_a_process_that_runs_elsewhere(tmp_path: Path, named: str, folder: str) -> None:
    shown = [sys.executable, "-c", "from infra.stack.env_file import STATE; print(STATE)"]
    known = os.environ | {"LOCAL_STATE": named, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(shown, cwd=tmp_path, env=known, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == folder.format(cwd=tmp_path, root=ROOT)


def test_a_service_in_the_usual_folder_and_one_that_ended_are_not_noted(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    with running(usual):
        env_file.note_service(usual, usual)
        assert not (usual / "elsewhere").exists()
    for name in ("first", "second"):
        with running(tmp_path / name) as state:
            env_file.note_service(state, usual)
    assert (usual / "elsewhere").read_text() == f"{tmp_path / 'second'}\n"
