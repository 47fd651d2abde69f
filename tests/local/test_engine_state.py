"""The engine's saved copies: the newest intact one is used, damaged ones are set aside."""

import json
import os
from pathlib import Path

import pytest

from infra.local import engine_state


def save(root: Path, text: str) -> Path:
    folder = engine_state.begin(root)
    (folder / "dynamodb.json").write_text(text)
    return engine_state.complete(folder)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "engine"


def test_the_newest_copy_is_recovered_and_two_are_kept(root: Path) -> None:
    for number in range(12):
        save(root, json.dumps(number))
    copy = engine_state.recover(root).copy
    assert copy is not None
    assert (copy / "dynamodb.json").read_text() == "11"
    assert sorted(path.name for path in root.iterdir()) == ["11", "12"]


def test_an_unfinished_copy_is_not_recovered(root: Path) -> None:
    newest = save(root, "1")
    (engine_state.begin(root) / "dynamodb.json").write_text("2")
    assert engine_state.recover(root).copy == newest


@pytest.mark.parametrize("damage", ["", '{"payload": {"tab', "\0\0\0\0"])
def test_a_damaged_copy_is_set_aside_and_the_one_before_it_is_used(root: Path, damage: str) -> None:
    older = save(root, "1")
    save(root, damage)
    recovery = engine_state.recover(root)
    assert recovery.copy == older
    (aside,) = recovery.damaged
    assert (aside / "dynamodb.json").read_text() == damage
    os.utime(older, (0, 0))
    assert recovery.report(stopped_cleanly=True) == [
        f"The saved data were damaged and are set aside in {aside}.",
        "The copy of 1970-01-01 00:00:00 UTC is used.",
    ]


@pytest.mark.parametrize("text", [None, "{}"])
def test_a_copy_that_lost_a_file_or_a_part_of_one_is_damaged(root: Path, text: str | None) -> None:
    older = save(root, "1")
    folder = engine_state.begin(root)
    for name in ("dynamodb.json", "sqs.json"):
        (folder / name).write_text('{"more": 1}')
    newest = engine_state.complete(folder)
    if text is None:
        (newest / "dynamodb.json").unlink()
    else:
        (newest / "dynamodb.json").write_text(text)
    recovery = engine_state.recover(root)
    assert (recovery.copy, len(recovery.damaged)) == (older, 1)


def test_a_copy_of_an_older_release_is_recovered(root: Path) -> None:
    newest = save(root, "1")
    (newest / "sizes").unlink()
    assert engine_state.recover(root).copy == newest


def test_if_every_copy_is_damaged_the_report_says_that_the_data_are_new(root: Path) -> None:
    save(root, "")
    recovery = engine_state.recover(root)
    assert recovery.copy is None
    assert recovery.report(stopped_cleanly=True)[-1] == "There is no other copy; the data are new."
