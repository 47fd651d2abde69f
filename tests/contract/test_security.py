"""Checks that what `SECURITY.md` names as proof of a promise exists: files, tests and targets of the Makefile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.shared_board import TABLE
from tests.harness.actors import COLUMNS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def promises() -> dict[str, str]:
    """Returns each promise with what shows it, as the page's first table states them."""
    _, _, rest = PAGE.partition("| Promise | Shown by |\n|---|---|\n")
    rows = rest.partition("\n\n")[0].splitlines()
    return dict(row.strip("| ").rsplit(" | ", 1) for row in rows)


@pytest.mark.parametrize("promise", promises())
def test_what_shows_a_promise_exists(promise: str) -> None:
    shown_by = promises()[promise]
    named = re.findall(r"`([^`]+)`", shown_by)
    paths = [ROOT / name for name in named if name.startswith("tests/")]
    assert paths or any(name.startswith("make ") for name in named)
    for path in paths:
        assert path.exists(), path
    files = [file for path in paths for file in ([path] if path.is_file() else [*path.rglob("test_*.py")])]
    for name in named:
        if name.startswith("make "):
            assert name.removeprefix("make ") in TARGETS, name
        elif name.endswith((".py", ".txt")) and not name.startswith("tests/"):
            assert any(((path if path.is_dir() else path.parent) / name).exists() for path in paths), name
        elif re.fullmatch(r"test_\w+", name):
            assert any(f"def {name}(" in file.read_text(encoding="utf-8") for file in files), name


def test_the_size_of_the_authorization_table_is_what_the_page_says() -> None:
    states = sum(map(len, TABLE.values()))
    size = f"{len(TABLE)} routes, in {states:,} states of the resources they name, by {len(COLUMNS)} principals: "
    assert size + f"{states * len(COLUMNS):,} cells" in PAGE
