"""The cases of another service's merge of accounts, each with its counterpart here, or why it has none (ADR merging).

They are the tests of OpenSlides' `user.merge_together`, read one by one: `merge_cases.txt` has a line for each, with
the rule that a test here states, or with `none:` and the reason.
"""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[2]
_RULES = (
    "functions/people/test_merging.py",
    "interleavings/test_merge_pairs.py",
    "operator/test_naming.py",
    "reminders/test_people.py",
)


def _cases() -> dict[str, str]:
    lines = Path(__file__).with_name("merge_cases.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _stated() -> set[str]:
    """Returns the rules that tests of merges state."""
    trees = [ast.parse((TESTS / path).read_text()) for path in _RULES]
    return {
        node.name.removeprefix("test_") for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)
    }


def test_every_case_has_a_counterpart_that_is_tested_or_a_reason_for_having_none() -> None:
    cases = _cases()
    assert len(cases) == 60
    counterparts = {case: rule for case, rule in cases.items() if not rule.startswith("none: ")}
    stated = _stated()
    assert {case: rule for case, rule in counterparts.items() if rule not in stated} == {}
