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

from tests.mutation.calls import SOURCES
from tests.mutation.mutants import Mutant, mutants

_SURVIVED, _KILLED = 0, 1
_TEST_SECONDS = 60
settings.register_profile("mutants", max_examples=30, deadline=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile("mutants")  # that a test fails is enough: the shortest example is not looked for


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Tries the mutants of the module that the environment names, and writes what survived."""
    if session.testsfailed:
        return False  # a module of tests cannot be collected
    trial = Trial(Path(os.environ["MUTATED"]), int(os.environ.get("PROCESSES", "2")))
    Path(os.environ["MUTANTS_REPORT"]).write_text(json.dumps(trial.run(session.items)))
    return True


class Trial:
    """The mutants of one module against the collected tests."""

    def __init__(self, file: Path, processes: int) -> None:
        self.file, self.processes = file, processes
        self.live = _live_functions(file)
        self.survivors: list[str] = []
        self.running: dict[int, Mutant] = {}

    def run(self, items: Sequence[pytest.Item]) -> dict[str, Any]:
        """Returns how many mutants were tried and which survived."""
        names: list[str] | None = json.loads(os.environ["MUTANTS_TRIED"])
        chosen = [each for each in mutants(self.file, SOURCES) if names is None or each.name in names]
        tests: dict[str, list[str]] = json.loads(Path(os.environ["MUTANTS_TESTS"]).read_text())
        collected = {item.nodeid: item for item in items}
        if not self.live and any(each.function for each in chosen):
            raise RuntimeError(f"the functions of {self.file} were not found, so none of them would be changed")
        _passes(items[0], items[0].session)  # what a run of tests shares is made once
        gc.freeze()  # the forks share what is there now
        for mutant in chosen:
            near = [test for function in mutant.functions() for test in tests.get(function, ())]
            if selected := dict.fromkeys([*near, *([] if mutant.function else tests[""])]):
                self._start(mutant, [collected[test] for test in selected])
            else:
                self.survivors.append(mutant.name)
        while self.running:
            self._await_one()
        return {"tried": len(chosen), "survivors": sorted(self.survivors)}

    def _start(self, mutant: Mutant, items: Sequence[pytest.Item]) -> None:
        if len(self.running) >= self.processes:
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
            self.survivors.append(mutant.name)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item]) -> int:
        """Returns the exit code of a fork: whether the mutant survives the tests."""
        try:
            if mutant.function:
                _replace_code(self.live, mutant.compile())
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
    functions = (each for each in gc.get_objects() if type(each) is FunctionType)
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
    module = next(each for each in list(sys.modules.values()) if getattr(each, "__file__", None) == str(file))
    before = dict(vars(module))
    exec(mutant.compile_assignments(), vars(module))  # noqa: S102 - our own source
    for name, old in before.items():
        new = vars(module)[name]
        for other in list(sys.modules.values()) if new is not old else ():
            if vars(other).get(name) is old:
                setattr(other, name, new)
