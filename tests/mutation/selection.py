"""Which tests must notice a mutant of a module: those that call the changed function, and are near to it."""

from __future__ import annotations

from pathlib import Path

from tests.mutation.calls import Calls

_NEAREST = 200
"""Tests at most: thousands call a function of the store; a rule that only a remote one would notice needs its own."""
_KEYS = "tests/store/test_stored_keys.py::"
"""The tests of the schema: how each key is spelled."""


def selected_tests(module: str, calls: list[Calls]) -> dict[str, list[str]]:
    """Returns the tests of each function of `package/name.py`; of what runs at import, under the name ``.

    First come its own in `tests/package/test_name.py`, then those that call least. A module of values that nothing
    calls, such as a table of limits, has all tests.
    """
    package, name = Path(module).parts[0], Path(module).stem
    own = (f"tests/{package}/test_{name}.py::", *([_KEYS] if "schema" in Path(module).parts else []))
    tests: dict[str, list[str]] = {"": []}
    for each in sorted(calls, key=lambda each: not each.test.startswith(own)):
        called = [function.partition(":")[2] for function in each.functions if function.startswith(f"{module}:")]
        for function in ["", *called] if called or each.test.startswith(own) else ():
            tests.setdefault(function, []).append(each.test)
    nearest = {function: found[:_NEAREST] for function, found in tests.items()}
    return nearest if tests[""] else {"": [each.test for each in calls]}
