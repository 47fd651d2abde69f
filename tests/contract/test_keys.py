"""Keys of the table are built in `store/schema/` and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "shared" / "governance"
SCHEMA = LIBRARY / "store" / "schema"
FILES = [path for path in sorted(LIBRARY.rglob("*.py")) if SCHEMA not in path.parents]

_COMPOSED = re.compile(r"[A-Z][A-Z_]*#|#[A-Z]")
"""A word in capitals beside the separator: `MEMBER#`, `#VOTE#`, `DOCS#B`."""
_WORD = re.compile(r"[A-Z][A-Z_]+\d?|[A-Z]\d")
"""A whole part of a key, or the name of an index."""


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Every string constant of a module with its line, the parts of f-strings included, docstrings left out."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def words_of_keys() -> set[str]:
    """What the keys are made of: the words in capitals of the schema's own strings, but for the names it exports."""
    modules = (path for path in SCHEMA.glob("*.py") if path.name != "__init__.py")
    strings = (text for path in modules for _, text in texts(path.read_text(encoding="utf-8")))
    parts = (part for text in strings for part in re.split(r"[#{}]", text))
    return {part for part in parts if _WORD.fullmatch(part)}


def spelled_keys(source: str, words: set[str]) -> list[tuple[int, str]]:
    """The strings of a module that are a key or a part of one."""
    return [(line, text) for line, text in texts(source) if _COMPOSED.search(text) or text in words]


def test_no_key_is_spelled_outside_the_schema() -> None:
    words = words_of_keys()
    assert {"BOARD", "OWNER", "PENDING_INVITE", "L1"} <= words
    spelled = {path.name: spelled_keys(path.read_text(encoding="utf-8"), words) for path in FILES}
    assert {name: names for name, names in spelled.items() if names} == {}
