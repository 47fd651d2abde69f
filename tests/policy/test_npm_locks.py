"""npm tools come from lock files: exact versions, each with its hash, from whatever registry the machine uses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infra.stack.template import ROOT

FOLDERS = sorted(
    file.parent
    for part in ("infra", "tests")
    for file in (ROOT / part).rglob("package.json")
    if "node_modules" not in file.parts
)
_WANTED = ("dependencies", "devDependencies")


def _read(file: Path) -> dict[str, Any]:
    lock: dict[str, Any] = json.loads(file.read_text())
    return lock


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_package_is_locked_with_its_hash_and_without_a_registry(folder: Path) -> None:
    wanted, lock = _read(folder / "package.json"), _read(folder / "package-lock.json")
    packages = lock["packages"]
    locked = packages.pop("")
    assert [locked.get(kind) for kind in _WANTED] == [wanted.get(kind) for kind in _WANTED]
    assert packages
    for name, package in packages.items():
        is_hashed = package.get("integrity", "").startswith("sha512-")
        assert is_hashed or package.get("inBundle"), f"{name} has no hash"
        assert "resolved" not in package, f"{name} names a registry"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_wanted_version_is_exact(folder: Path) -> None:
    wanted = _read(folder / "package.json")
    versions = [version for kind in _WANTED for version in wanted.get(kind, {}).values()]
    assert versions
    assert all(re.fullmatch(r"\d+\.\d+\.\d+(-alpha\.\d+)?", version) for version in versions)


def test_make_installs_npm_packages_from_lock_files_only_and_runs_none_of_their_scripts() -> None:
    makefile = (ROOT / "Makefile").read_text()
    commands = re.findall(r"npm (?:ci|i|install|exec|x)\b.*", makefile.replace("$(NPM_LOCK)", "--package-lock-only"))
    assert commands
    for command in commands:
        assert "--package-lock-only" in command or (command.startswith("npm ci") and "--ignore-scripts" in command)
