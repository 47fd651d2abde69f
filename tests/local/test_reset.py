"""`make reset` deletes the data of one service: those in the folder that LOCAL_STATE names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local import reset
from infra.local.run import StartError, exclusive_lock
from infra.stack.template import ROOT

DATA = (
    "lock",
    "engine/table",
    "bucket/object",
    "outbox/1.eml",
    "demo.json",
    "events.json",
    "engine.log",
    "env",
    "secrets",
)
OTHERS = ("package.json", "notes.log", "folder/file")


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("data")


def test_the_data_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    fill(tmp_path, *DATA, *OTHERS)
    reset.reset(tmp_path)
    left = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert left == {*OTHERS, "lock"}


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    fill(tmp_path, *DATA)
    with exclusive_lock(tmp_path), pytest.raises(StartError, match="stop it first"):
        reset.reset(tmp_path)
    assert all((tmp_path / name).exists() for name in DATA)


def test_a_folder_of_another_project_is_left_alone(tmp_path: Path) -> None:
    foreign = [name for name in DATA if name != "lock"]
    fill(tmp_path, *foreign)
    with pytest.raises(StartError, match="not a folder of `make run`"):
        reset.reset(tmp_path)
    assert all((tmp_path / name).exists() for name in foreign)
    assert not (tmp_path / "lock").exists()


def test_the_folder_is_the_one_of_the_setting(tmp_path: Path) -> None:
    fill(tmp_path / "one", *DATA)
    fill(tmp_path / "other", *DATA)
    environment = {**os.environ, "LOCAL_STATE": str(tmp_path / "one")}
    subprocess.run([sys.executable, "-m", "infra.local.reset"], cwd=ROOT, env=environment, check=True)
    assert not any((tmp_path / "one" / name).exists() for name in DATA if name != "lock")
    assert all((tmp_path / "other" / name).exists() for name in DATA)
