"""A plugin of pytest that tries the mutants of one module, in the place of pytest's own loop over the tests."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from infra.tools.mutation.mutants import Mutant, mutants

_SURVIVED, _KILLED = 0, 1
_TEST_SECONDS = 60
_PROCESSES = int(os.environ.get("PROCESSES", "2"))
settings.register_profile("mutants", max_examples=30, deadline=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile("mutants")  # that a test fails is enough: the shortest example is not looked for


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Tries the mutants of the module that the plan names, and writes what survived."""
    if session.testsfailed:
        return False  # a module of tests cannot be collected
    plan = json.loads(Path(os.environ["MUTANTS_PLAN"]).read_text())
    chosen = [
        mutant
        for mutant in mutants(Path(plan["file"]))
        if plan["lines"] is None or {*mutant.lines()} & {*plan["lines"]}
    ]
    survivors = Trial(Path(plan["file"]), plan["tests"], session.items).run(chosen)
    said = [f"{len(chosen)} tried, {len(survivors)} survived", *(f"    {mutant.text()}" for mutant in survivors)]
    Path(plan["report"]).write_text("\n".join(said))
    return True


class Trial:
    """The mutants of one module against the collected tests, of which `tests` names those of each function."""

    def __init__(self, file: Path, tests: dict[str, list[str]], items: Sequence[pytest.Item]) -> None:
        self.file, self.tests, self.items = file, tests, items
        self.collected = {item.nodeid: item for item in items}
        self.live = _live_functions(file)
        self.survivors: list[Mutant] = []
        self.running: dict[int, Mutant] = {}

    def run(self, chosen: Sequence[Mutant]) -> list[Mutant]:
        """Returns those that survive."""
        if not self.live and any(mutant.slot.function for mutant in chosen):
            raise RuntimeError(f"the functions of {self.file} were not found, so none of them would be changed")
        _passes(self.items[0], self.items[0].session)  # what a run of tests shares is made once
        gc.freeze()  # the forks share what is there now
        for mutant in chosen:
            near = [test for function in mutant.functions() for test in self.tests.get(function, ())]
            if selected := dict.fromkeys([*near, *([] if mutant.slot.function else self.tests[""])]):
                self._start(mutant, [self.collected[test] for test in selected])
            else:
                self.survivors.append(mutant)
        while self.running:
            self._await_one()
        return self.survivors

    def _start(self, mutant: Mutant, items: Sequence[pytest.Item]) -> None:
        if len(self.running) >= _PROCESSES:
            self._await_one()
        process = os.fork()
        if process == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os._exit(self._try(mutant, items))
        self.running[process] = mutant

    def _await_one(self) -> None:
        process, status = os.wait()
        mutant = self.running.pop(process)
        if status == _SURVIVED:
            self.survivors.append(mutant)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item]) -> int:
        """Returns the exit code of a fork: whether the mutant survives the tests."""
        try:
            if mutant.slot.function:
                _replace_code(self.live, mutant.compile(self.file))
            else:
                _assign_again(self.file, mutant)
        except Exception:  # noqa: BLE001 - the module could not have been imported
            return _KILLED
        items[0].session._setupstate.teardown_exact(None)
        for item, following in zip(items, [*items[1:], None], strict=True):
            signal.alarm(_TEST_SECONDS)  # ends a mutant that loops for ever
            if not _passes(item, following):
                return _KILLED
        return _SURVIVED


def _passes(item: pytest.Item, following: Any) -> bool:
    """Runs a test and returns whether it passes; what it shares with the following node stays set up."""
    return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _live_functions(file: Path) -> list[FunctionType]:
    """Returns the functions of a module, decorated and inner ones too."""
    functions = (candidate for candidate in gc.get_objects() if type(candidate) is FunctionType)
    return [function for function in functions if function.__code__.co_filename == str(file)]


def _replace_code(functions: Sequence[FunctionType], module: CodeType) -> None:
    """Gives live functions the code that they have in another version of their module."""
    codes = {(code.co_qualname, code.co_firstlineno): code for code in _codes(module)}
    for function in functions:
        old = function.__code__
        function.__code__ = codes.get((old.co_qualname, old.co_firstlineno), old)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _assign_again(file: Path, mutant: Mutant) -> None:
    """Makes the assignments that a change affects once more, in the module and in those that import its names."""
    module = next(one for one in list(sys.modules.values()) if getattr(one, "__file__", None) == str(file))
    before = dict(vars(module))
    exec(mutant.compile(file), vars(module))  # noqa: S102 - our own source
    for name, old in before.items():
        new = vars(module)[name]
        for other in list(sys.modules.values()) if new is not old else ():
            if vars(other).get(name) is old:
                setattr(other, name, new)
