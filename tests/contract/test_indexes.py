"""What lists something lists all of it: the index of decisions, the glossary, and where tests are."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ADRS = ROOT / "infra" / "adr"
CHAPTERS = [file for file in sorted(ADRS.glob("*.md")) if file.name != "README.md"]
LIBRARY = ROOT / "shared" / "governance"


def test_the_index_lists_every_chapter_of_decisions_by_its_title() -> None:
    titles = {file.name: file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for file in CHAPTERS}
    expected = [f"- [{name.removesuffix('.md')}]({name}) {title}" for name, title in titles.items()]
    index = (ADRS / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in index if line.startswith("- ")] == expected


@pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.stem)
def test_a_chapter_has_a_status_and_a_date(file: Path) -> None:
    status = file.read_text(encoding="utf-8").splitlines()[2]
    assert re.fullmatch(r"Status: (accepted|superseded) · \d{4}-\d\d-\d\d", status)


def _sources() -> Iterator[Path]:
    """Yields what people write: code, templates and pages of text."""
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name != "node_modules" and not name.startswith(".")]
        yield from (Path(folder, name) for name in names if Path(name).suffix in {".py", ".md", ".yaml", ".js", ".sh"})


def test_who_refers_to_a_decision_names_a_chapter() -> None:
    known = {file.stem for file in CHAPTERS}
    named = {
        (match[1], file.relative_to(ROOT).as_posix())
        for file in _sources()
        for match in re.finditer(r"\bADR\s+(?:[#/]+ )?([a-z][a-z-]*)", file.read_text(encoding="utf-8"))
    }
    assert sorted((name, file) for name, file in named if name not in known) == []


def test_a_term_of_the_glossary_has_one_line() -> None:
    glossary = (ROOT / "infra" / "GLOSSARY.md").read_text(encoding="utf-8")
    terms = Counter(re.findall(r"^\| ([^|]+?) \|", glossary, re.MULTILINE))
    assert {term: times for term, times in terms.items() if times > 1 and term != "Term"} == {}


def test_the_folders_of_tests_that_are_named_are_those_that_there_are() -> None:
    said = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("*/*.py")}
    assert {folder for folder in folders if f"`{folder}/" not in said} == set(), "say in tests/README.md what it tests"


def test_every_module_and_folder_that_a_page_names_is_there() -> None:
    contributing, *readmes = [ROOT / name for name in ("CONTRIBUTING.md", "README.md", "tests/README.md")]
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:\.py|/))`", contributing.read_text(encoding="utf-8"))
    assert named
    for readme in readmes:
        text = readme.read_text(encoding="utf-8")
        named += re.findall(r"(?<![\w/])(?:infra|shared|tests|functions|events)/[\w./-]*\w", text)
    assert [path for path in named if not ((ROOT / path).exists() or (LIBRARY / path).exists())] == []


def test_a_module_of_the_domain_has_tests_of_its_name() -> None:
    files = [file for file in (LIBRARY / "domain").rglob("*.py") if file.parent.name != "events"]  # declarations
    parts_of_spreadsheet = {"filling", *(file.stem for file in files if file.stem.startswith("sheet_"))}
    names = {file.stem for file in files} - {"__init__", "notification_types", *parts_of_spreadsheet}
    assert {name for name in names if not any((ROOT / "tests/domain").rglob(f"test_{name}.py"))} == set()
