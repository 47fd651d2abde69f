"""Every regular expression of the service takes time in proportion to the text, whatever a client or a mail sends."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import governance
from governance.limits import CHECKED_NUMBER

pytestmark = pytest.mark.slow
CPU_SECONDS = 2
"""Of the processor, not of the clock. A pattern takes a thousandth of it for one text; one that can read a text in many
ways takes hours, years or longer."""
SEARCHES = {"search", "sub", "findall", "finditer", "split"}
BOUNDED = {"governance.domain.reports.sheet_numbers._AROUND": CHECKED_NUMBER}
"""Patterns that are asked about texts of so many characters at most."""


@dataclass(frozen=True)
class Used:
    """A regular expression, and whether it is looked for anywhere in a text or must match from the text's start."""

    pattern: re.Pattern[Any]
    is_searched: bool

    def check(self, text: Any) -> None:
        """Raises `TimeoutError` for a text that takes too long."""
        with limited():
            (self.pattern.search if self.is_searched else self.pattern.fullmatch)(text)

    @property
    def length(self) -> int:
        """How long texts must be to show that a pattern takes the square of it. A search begins at every character."""
        return 200_000 if self.is_searched else 50_000


def _of_modules() -> Iterator[tuple[str, Used]]:
    """Yields the compiled patterns of all modules by their names."""
    for info in pkgutil.walk_packages(governance.__path__, "governance."):
        module = importlib.import_module(info.name)
        source = Path(str(module.__file__)).read_text()
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                uses = set(re.findall(rf"\b{name}\.(\w+)\(", source))
                yield f"{info.name}.{name}", Used(value, not uses.isdisjoint(SEARCHES))


def _in_calls() -> Iterator[tuple[str, Used]]:
    """Yields the patterns that are written where they are used, such as in `re.search`."""
    sources = {path: path.read_text() for path in Path(governance.__path__[0]).rglob("*.py")}
    for path in [path for path, source in sources.items() if "import re\n" in source]:
        for node in ast.walk(ast.parse(sources[path])):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=use),
                    args=[ast.Constant(value=str() as text), *_],
                ) if use != "compile":
                    yield f"{path.stem}: {text}", Used(re.compile(text), use in SEARCHES)


PATTERNS = dict([*_of_modules(), *_in_calls()])


@contextmanager
def limited() -> Iterator[None]:
    """Raises `TimeoutError` if what is done takes `CPU_SECONDS` of the processor; a match looks for signals, too."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def long_texts(text: Any, length: int) -> Iterator[Any]:
    """Yields the text up to some place, with what stands there repeated, and an end that hardly anything matches."""
    end = b"\0" if isinstance(text, bytes) else "\0"
    for start in range(min(len(text), 40)):
        for size in range(1, 4 if start else 20):
            if part := text[start : start + size]:
                yield text[:start] + part * (length // len(part)) + end


@pytest.mark.parametrize("name", sorted(PATTERNS))
@settings(max_examples=10, derandomize=True, phases=[Phase.generate], report_multiple_bugs=False)
@given(st.data())
def test_a_long_text_is_checked(name: str, data: st.DataObject) -> None:
    used = PATTERNS[name]
    for text in long_texts(data.draw(st.from_regex(used.pattern, fullmatch=True)), BOUNDED.get(name, used.length)):
        used.check(text)
