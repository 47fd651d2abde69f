"""The stages of `.ci/run` that seldom find anything: each names what it covers, and runs when that has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.stages import COVERED, ROOT, base_commit, changed_stages

_COVERED_PATHS = sorted({path for paths in COVERED.values() for path in paths})


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=CI", "-c", "user.email=ci@example.com")
    run = subprocess.run(["git", *identity, *arguments], cwd=root, capture_output=True, text=True, check=True)  # noqa: S603, S607
    return run.stdout.strip()


def commit(root: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        (root / name).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", message)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of which the version was changed once and the description since."""
    monkeypatch.delenv("CI_BASE", raising=False)
    git(tmp_path, "init", "--quiet")
    for path in _COVERED_PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).is_dir():
            (tmp_path / path).mkdir(exist_ok=True)
            (tmp_path / path / "file").touch()
        else:
            (tmp_path / path).touch()
    commit(tmp_path, "0.1", **{"pyproject.toml": 'name = "a"\nversion = "0.1"\n'})
    commit(tmp_path, "0.2", **{"pyproject.toml": 'name = "a"\nversion = "0.2"\n'})
    commit(tmp_path, "name", **{"pyproject.toml": 'name = "b"\nversion = "0.2"\n'})
    return tmp_path


@pytest.mark.parametrize("path", _COVERED_PATHS)
def test_what_a_stage_covers_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_a_stage_is_a_target_that_a_developer_types() -> None:
    targets = {line.partition(":")[0] for line in (ROOT / "Makefile").read_text().splitlines()}
    assert COVERED.keys() <= targets


def test_every_stage_is_explained() -> None:
    explained = (ROOT / "tests/README.md").read_text()
    assert [stage for stage in COVERED if f"`{stage}`" not in explained] == []


def test_changes_are_counted_from_the_commit_that_changed_the_version(released: Path) -> None:
    assert base_commit(released) == git(released, "rev-parse", "HEAD~1")
    assert changed_stages(base_commit(released) or "", released) == []


@pytest.mark.parametrize("stage", COVERED)
def test_a_stage_runs_when_what_it_covers_has_changed(released: Path, stage: str) -> None:
    file = released / COVERED[stage][-1]
    (file / "file" if file.is_dir() else file).write_text("changed")
    assert stage in changed_stages("HEAD", released)


def test_what_no_stage_covers_starts_none(released: Path) -> None:
    before = commit(released, "covered", **{"template.yaml": "changed"})
    commit(released, "other", **{"CHANGELOG.md": "changed"})
    assert changed_stages(before, released) == []


def test_a_base_can_be_named(released: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_BASE", "HEAD~2")
    assert base_commit(released) == git(released, "rev-parse", "HEAD~2")


def test_all_stages_run_where_the_base_does_not_exist(released: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_BASE", "none")
    assert base_commit(released) is None


def test_all_stages_run_where_the_history_is_cut_or_absent(
    released: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shallow, absent = tmp_path_factory.mktemp("shallow"), tmp_path_factory.mktemp("absent")
    git(shallow, "clone", "--quiet", "--depth", "1", released.as_uri(), ".")
    assert base_commit(shallow) is None
    assert base_commit(absent) is None


def test_a_new_file_of_what_a_stage_covers_starts_it(released: Path) -> None:
    commit(released, "new", **{"tests/large/new.py": "new"})
    assert changed_stages("HEAD~1", released) == ["test-large"]
