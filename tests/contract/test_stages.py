"""The stages of `.ci/run` that seldom find anything: each names what it covers, and runs when that has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.stages import COVERED, NARROWED, ROOT, base_commit, changed_stages, narrowed


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=CI", "-c", "user.email=ci@example.com")
    run = subprocess.run(["git", *identity, *arguments], cwd=root, capture_output=True, text=True, check=True)  # noqa: S603, S607
    return run.stdout.strip()


def commit(root: Path, **files: str) -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "a change")
    return git(root, "rev-parse", "HEAD")


def test_a_stage_covers_what_exists_is_a_target_and_is_explained() -> None:
    targets = {line.partition(":")[0] for line in (ROOT / "Makefile").read_text().splitlines()}
    explained = (ROOT / "tests/README.md").read_text()
    for stage, paths in COVERED.items():
        assert [path for path in paths if not (ROOT / path).exists()] == []
        assert stage in targets
        assert f"`{stage}`" in explained


def test_changes_are_counted_from_the_commit_that_changed_the_version_or_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI_BASE", raising=False)
    git(tmp_path, "init", "--quiet")
    first = commit(tmp_path, **{"pyproject.toml": 'name = "a"\nversion = "0.1"\n'})
    second = commit(tmp_path, **{"pyproject.toml": 'name = "a"\nversion = "0.2"\n'})
    commit(tmp_path, **{"pyproject.toml": 'name = "b"\nversion = "0.2"\n'})
    assert base_commit(tmp_path) == second
    assert changed_stages(second, tmp_path) == []
    commit(tmp_path, **{"tests/large/new.py": "new"})
    assert changed_stages(second, tmp_path) == ["test-large"]
    for named, base in ((first, first), ("none", None)):
        monkeypatch.setenv("CI_BASE", named)
        assert base_commit(tmp_path) == base


def test_words_alone_make_no_stage_due(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    module = 'def get() -> str:\n    """Returns a."""\n    return "a"\n'
    base = commit(tmp_path, **{"tests/large/old.py": module})
    commit(
        tmp_path, **{"tests/large/old.py": module.replace("Returns a.", "Returns the first letter.") + "# the end\n"}
    )
    assert changed_stages(base, tmp_path) == []
    commit(tmp_path, **{"tests/large/old.py": module.replace('"a"', '"b"')})
    assert changed_stages(base, tmp_path) == ["test-large"]
    (tmp_path / "tests/large/old.py").unlink()
    assert changed_stages(base, tmp_path) == ["test-large"]


def test_a_stage_runs_the_tests_of_what_changed_where_they_are_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    base = commit(tmp_path, **{"pyproject.toml": "first"})
    commit(tmp_path, **{"shared/governance/calendars/new.py": "1", "tests/large/new.py": "1"})
    commit(tmp_path, **{"shared/governance/webhooks/client.py": "1"})
    stages = changed_stages(base, tmp_path)
    assert stages == ["test-versions", "test-large"]
    assert [*narrowed(base, stages, tmp_path)] == ["VERSION_TESTS=calendars,domain/calendars,mail,webhooks"]
    commit(tmp_path, **{"shared/governance/instants.py": "1"})
    assert [*narrowed(base, stages, tmp_path)] == []


def test_a_change_of_packs_needs_no_other_large_test_than_theirs(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    base = commit(tmp_path, **{"pyproject.toml": "first"})
    commit(tmp_path, **{"shared/governance/packs/new.py": "1"})
    stages = changed_stages(base, tmp_path)
    assert stages == ["test-large"]
    assert [*narrowed(base, stages, tmp_path)] == ["LARGE_TESTS=large/test_packs.py"]
    commit(tmp_path, **{"shared/governance/store/paging.py": "1"})
    assert [*narrowed(base, stages, tmp_path)] == []


def test_what_is_enough_for_a_covered_path_is_among_the_tests_of_its_stage() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for stage, (variable, enough) in NARROWED.items():
        assert {*enough} <= {*COVERED[stage]}
        assert f"$({variable})" in makefile
        named = {name for tests in enough.values() for name in tests}
        assert [name for name in named if not (ROOT / "tests" / name).exists()] == []


def test_all_stages_run_where_the_history_is_cut_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI_BASE", raising=False)
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    for folder in (whole, shallow):
        folder.mkdir()
    assert base_commit(shallow) is None
    git(whole, "init", "--quiet")
    for version in ("0.1", "0.2"):
        commit(whole, **{"pyproject.toml": f'version = "{version}"\n'})
    git(shallow, "clone", "--quiet", "--depth", "1", whole.as_uri(), ".")
    assert base_commit(shallow) is None
