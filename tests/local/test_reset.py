"""`make reset` deletes the data of one service: those in the folder that LOCAL_STATE names."""

from pathlib import Path

import pytest

from infra.local import reset
from infra.local.run import StartError, exclusive_lock

DATA = (
    *("lock", "engine/table", "bucket/object", "outbox/1.eml", "demo.json", "streams/events.json", "engine.log", "env"),
    *("secrets", "damaged-7-20300101T000000/dynamodb.json"),
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


def test_a_folder_that_is_not_there_is_not_created(tmp_path: Path) -> None:
    reset.reset(tmp_path / "state")
    assert not (tmp_path / "state").exists()
