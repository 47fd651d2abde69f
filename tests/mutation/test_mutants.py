"""What a mutant is, and that the list of those that may survive fits the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.mutants import mutants
from tests.mutation.run import all_files
from tests.mutation.selection import ROOT, SOURCES, selected_tests
from tests.mutation.survivors import judged


def of_source(folder: Path, source: str) -> set[str]:
    file = folder / "module.py"
    file.write_text(source)
    return {mutant.name.partition(": ")[2] for mutant in mutants(file, folder)}


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("def f(a):\n    return a < 3", {f"return a < 3 -> return a {new}" for new in ("<= 3", "< 4", "< 2")}),
        ("def f(a):\n    if a == 'x':\n        check(a)", {
            "if a == 'x': pass -> if False: pass",
            "if a == 'x': pass -> if True: pass",
            "check(a) -> pass",
        }),
        ("def f(a, b):\n    return a and b", {"return a and b -> return b", "return a and b -> return a"}),
        ("def f():\n    read(consistent=True)", {
            "read(consistent=True) -> pass",
            "read(consistent=True) -> read()",
            "read(consistent=True) -> read(consistent=False)",
        }),
        ("def f(m):\n    m['Auto-Submitted'] = X", {"m['Auto-Submitted'] = X -> pass"}),
        ("def f():\n    return ceil(X)", {"return ceil(X) -> return floor(X)"}),
        ("_KINDS = {A, B}", {"_KINDS = {A, B} -> _KINDS = {B}", "_KINDS = {A, B} -> _KINDS = {A}"}),
        ('def f():\n    """Says 1."""\n    raise ValueError("three words and more")', set()),
        ("class C:\n    limit: int = 3", set()),
    ],
)  # fmt: skip
def test_a_mutant_changes_one_thing_that_a_rule_may_depend_on(tmp_path: Path, source: str, changes: set[str]) -> None:
    found = of_source(tmp_path, source)
    assert {change for change in changes if change not in found} == set()
    assert bool(found) == bool(changes)


def test_a_mutant_that_may_survive_exists_and_says_why() -> None:
    files = {name.partition(":")[0] for name in judged()}
    existing = {mutant.name for file in files for mutant in mutants(SOURCES / file, SOURCES)}
    assert judged().keys() - existing == set()
    assert all(len(reason.split()) > 2 for reason in judged().values())


def test_every_module_of_the_domain_has_selected_tests_its_own_name() -> None:
    names = {file.stem for file in (SOURCES / "domain").glob("*.py")} - {"__init__", "notification_rules"}
    assert {name for name in names if not (ROOT / "tests/domain" / f"test_{name}.py").exists()} == set()


def test_every_module_has_tests_that_must_notice_its_mutants() -> None:
    for file in all_files():
        tests = selected_tests(file)
        assert tests, file
        assert all((ROOT / test.partition("::")[0]).exists() for test in tests)
