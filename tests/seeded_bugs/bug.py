"""A seeded bug: one rule of the code broken on purpose, and the tests that must notice."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class StaleBug(Exception):
    """The bug no longer fits the code or its tests."""


Target = Callable[..., Any] | ModuleType | Path


class Bug(NamedTuple):
    """A replacement of text inside the source of one function, class or module, or inside a file that is not code.

    `target` is the code object itself, so a rename of the object or its module is followed by the rename tool. It is a
    path for a template or the Makefile.
    `tests` are arguments for pytest: files and folders, or one test by its node id.
    """

    name: str
    target: Target
    old: str
    new: str
    tests: str

    @property
    def file(self) -> Path:
        """The target's file, relative to the root of the project."""
        if isinstance(self.target, Path):
            return self.target.relative_to(ROOT)
        file = Path(inspect.getsourcefile(self._plain_target) or "")
        if not file.is_relative_to(ROOT):
            raise StaleBug(f"{self.name}: {file} is outside of the project; set PYTHONPATH=.:shared")
        return file.relative_to(ROOT)

    def seed(self) -> str:
        """Returns the text of the file with the bug in it. Raises `StaleBug` unless `old` occurs once in the target."""
        lines = (ROOT / self.file).read_text().splitlines(keepends=True)
        start, end = self._extent(len(lines))
        source = "".join(lines[start:end])
        if source.count(self.old) != 1:
            raise StaleBug(f"{self.name}: the old text occurs {source.count(self.old)} times in {self._described}")
        return "".join([*lines[:start], source.replace(self.old, self.new), *lines[end:]])

    def _extent(self, file_length: int) -> tuple[int, int]:
        """The indexes of the target's first line and of the line after its last one."""
        if isinstance(self.target, ModuleType | Path):
            return 0, file_length
        source, first = inspect.getsourcelines(self._plain_target)
        return first - 1, first - 1 + len(source)

    @property
    def _plain_target(self) -> Any:
        """The target without its decorators' wrappers."""
        return self.target if isinstance(self.target, ModuleType | Path) else inspect.unwrap(self.target)

    @property
    def _described(self) -> str:
        return f"{getattr(self.target, '__qualname__', 'the whole file')} ({self.file})"

    def missing_tests(self) -> list[str]:
        """Returns the named test files, folders and functions that do not exist."""
        path, _, test = self.tests.partition("::")
        if test:
            file = ROOT / path
            found = file.is_file() and f"def {test.partition('[')[0]}(" in file.read_text()
            return [] if found else [self.tests]
        return [name for name in self.tests.split() if not (ROOT / name).exists()]
