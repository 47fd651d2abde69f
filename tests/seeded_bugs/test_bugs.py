"""Every seeded bug fits the code: `make proof` seeds each of them and runs the tests it names."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.seeded_bugs.bug import ROOT, Bug, StaleBug
from tests.seeded_bugs.bugs import BUGS


def test_a_bug_changes_the_source_of_its_target() -> None:
    assert {bug.name: why for bug in BUGS if (why := why_not(bug))} == {}


def why_not(bug: Bug) -> str:
    """Why a bug cannot be seeded; empty if it can be."""
    try:
        seeded = bug.seed()
        if bug.file.suffix == ".py":
            ast.parse(seeded)
    except (StaleBug, SyntaxError) as error:
        return repr(error)
    return "changes nothing" if seeded == (ROOT / bug.file).read_text() else ""


def test_the_tests_of_a_bug_exist() -> None:
    assert {bug.name: missing for bug in BUGS if (missing := bug.missing_tests())} == {}


def test_every_bug_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(bug.name for bug in BUGS).items() if count > 1] == []


@pytest.mark.parametrize("text", ["", "no such text"], ids=["ambiguous text", "absent text"])
def test_a_stale_bug_is_refused(text: str) -> None:
    with pytest.raises(StaleBug):
        BUGS[0]._replace(old=text).seed()


def test_text_outside_of_the_target_is_not_found() -> None:
    """The old text of the second bug lies in another function of the same file."""
    first, second = BUGS[:2]
    assert first.file == second.file
    with pytest.raises(StaleBug):
        first._replace(old=second.old).seed()
