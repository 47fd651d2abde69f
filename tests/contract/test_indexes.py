"""What lists something lists all of it: the index of decisions, the glossary, and where tests are."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADRS = ROOT / "infra" / "adr"
LIBRARY = ROOT / "shared" / "governance"


def test_the_index_lists_every_decision_by_its_title() -> None:
    files = sorted(ADRS.glob("[0-9]*.md"))
    titles = {
        file: file.read_text(encoding="utf-8").splitlines()[0].removeprefix(f"# {file.name[:4]} ") for file in files
    }
    expected = [f"- [{file.name[:4]}]({file.name}) {title}" for file, title in titles.items()]
    index = (ADRS / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in index if line.startswith("- [0")] == expected


def test_a_term_of_the_glossary_has_one_line() -> None:
    glossary = (ROOT / "infra" / "GLOSSARY.md").read_text(encoding="utf-8")
    terms = Counter(re.findall(r"^\| ([^|]+?) \|", glossary, re.MULTILINE))
    assert {term: times for term, times in terms.items() if times > 1 and term != "Term"} == {}


def test_the_folders_of_tests_that_are_named_are_those_that_there_are() -> None:
    said = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("*/*.py")}
    assert {folder for folder in folders if f"`{folder}/" not in said} == set(), "say in tests/README.md what it tests"


def test_every_module_and_folder_that_contributing_names_is_there() -> None:
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:\.py|/))`", said)
    assert named
    assert [path for path in named if not ((ROOT / path).exists() or (LIBRARY / path).exists())] == []


def test_every_module_and_folder_that_the_readme_names_is_there() -> None:
    said = (ROOT / "README.md").read_text(encoding="utf-8") + (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:infra|shared|tests|functions|events)/[\w./-]*\w", said)
    assert [path for path in named if not (ROOT / path).exists()] == []
