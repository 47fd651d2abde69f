"""Who commits: the http layer commits what a use case decides; the exceptions are those of `usecases/context.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from governance.usecases import context
from tests.harness.client import FUNCTIONS

LIBRARY = FUNCTIONS.parent / "shared" / "governance"
HTTP_LAYER = "http/response.py"


def committing() -> Iterator[str]:
    """The modules outside the store that name `transact`."""
    for path in sorted(LIBRARY.rglob("*.py")):
        module = path.relative_to(LIBRARY).as_posix()
        if not module.startswith("store/") and "transact" in set(names(path)):
            yield module


def names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.name for alias in node.names)


def test_nobody_commits_but_the_http_layer_and_who_is_written_down_with_a_reason() -> None:
    written_down = re.findall(r"`((?!tests)(?:\w+/)+\w+\.py)`", context.__doc__ or "")
    assert set(committing()) == {HTTP_LAYER, *written_down}


def test_a_use_case_leaves_the_check_of_its_board_to_the_commit() -> None:
    """Two checks in a transaction may draw the same guard row, which DynamoDB refuses (ADR table)."""
    asking = {
        path.stem
        for path in sorted((LIBRARY / "usecases").rglob("*.py"))
        if "boards.check_exists(" in path.read_text(encoding="utf-8")
    }
    assert asking == {"context", "invite_emails"}
