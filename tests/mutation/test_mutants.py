"""What a mutant is, and which tests try it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.calls import ROOT, SOURCES, Calls
from tests.mutation.mutants import mutants
from tests.mutation.selection import selected_tests


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


def test_what_runs_at_import_is_tried_by_the_tests_of_the_functions_that_use_it(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "A = 3\nB = A * X\nC = 5\ndef f():\n    return B\nclass K:\n    def g(self):\n        return A\n"
        "    def h(self):\n        return C"
    )
    changed = {mutant.name.partition(": ")[2]: mutant.functions() for mutant in mutants(file, tmp_path)}
    assert changed["A = 3 -> A = 4"] == ["f", "K.g"]
    assert changed["C = 5 -> C = 6"] == ["K.h"]


def test_every_module_of_the_domain_has_selected_tests_its_own_name() -> None:
    files = [file for file in (SOURCES / "domain").rglob("*.py") if file.parent.name != "events"]  # declarations
    parts_of_spreadsheet = {"filling", *(file.stem for file in files if file.stem.startswith("sheet_"))}
    names = {file.stem for file in files} - {"__init__", "notification_types", *parts_of_spreadsheet}
    assert {name for name in names if not (ROOT / "tests/domain" / f"test_{name}.py").exists()} == set()


CALLS = [
    Calls("tests/http/test_paging.py::test_a", {"store/paging.py:Page.next", "domain/meetings/slot.py:counted"}),
    Calls("tests/store/test_paging.py::test_b", {"store/paging.py:Page.next", "store/paging.py:pages"}),
    Calls("tests/store/test_paging.py::test_table", set()),
    Calls("tests/http/test_limits.py::test_c", {"domain/meetings/slot.py:counted"}),
]


def test_a_mutant_is_tried_by_the_tests_that_call_its_function_those_of_its_module_first() -> None:
    own = ["tests/store/test_paging.py::test_b", "tests/store/test_paging.py::test_table"]
    assert selected_tests("store/paging.py", CALLS) == {
        "": [*own, "tests/http/test_paging.py::test_a"],
        "Page.next": ["tests/store/test_paging.py::test_b", "tests/http/test_paging.py::test_a"],
        "pages": ["tests/store/test_paging.py::test_b"],
    }


def test_a_module_of_values_that_nothing_calls_is_tried_by_all_tests() -> None:
    assert selected_tests("domain/table.py", CALLS) == {"": [each.test for each in CALLS]}


def test_no_more_tests_than_the_nearest_try_a_mutant() -> None:
    calls = [Calls(f"tests/http/test_a.py::test_{number}", {"store/paging.py:pages"}) for number in range(300)]
    nearest = [each.test for each in calls[:200]]
    assert selected_tests("store/paging.py", calls) == {"": nearest, "pages": nearest}


def test_a_key_of_the_schema_is_tried_by_the_tests_of_how_keys_are_spelled_first() -> None:
    spelled = Calls("tests/store/test_stored_keys.py::test_x", set())
    other = Calls("tests/http/test_a.py::test_a", {"store/schema/entities.py:guard_key"})
    assert selected_tests("store/schema/entities.py", [other, spelled])[""] == [spelled.test, other.test]


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="needs Python 3.12")
def test_the_calls_of_a_test_are_noted(tmp_path: Path) -> None:
    test = "tests/domain/test_slot.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "tests.mutation.calls", test]
    environment = os.environ | {"CALLS_NOTED": str(tmp_path), "PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 0, run.stdout
    (written,) = tmp_path.glob("*.jsonl")
    notes = [json.loads(line) for line in written.read_text().splitlines()]
    assert len(notes) > 10
    assert all(name.startswith(f"{test}::") for name, _ in notes)
    assert any("domain/meetings/slot.py:counted" in functions for _, functions in notes)
