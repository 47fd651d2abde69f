"""What a reader of a client has to read beside what is generated."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

SDK = Path(__file__).parents[2] / "infra" / "sdk"
MOST_LINES = 400
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


def lines_of_python(source: str) -> int:
    """Returns how many lines hold code: neither blank, nor a comment, nor part of a docstring."""
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in _NO_CODE]
    code = [token for token in tokens if not (token.type == tokenize.STRING and token.line.lstrip().startswith('"""'))]
    return len({line for token in code for line in range(token.start[0], token.end[0] + 1)})


def lines_of_typescript(source: str) -> int:
    """Returns how many lines hold code: neither blank nor a comment."""
    return sum(1 for line in _COMMENT.sub("", source).splitlines() if line.strip())


def sources(pattern: str) -> Iterable[str]:
    return [path.read_text(encoding="utf-8") for path in SDK.glob(pattern)]


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("python/board_governance/*.py", lines_of_python), ("typescript/src/*.ts", lines_of_typescript)],
    ids=["Python", "TypeScript"],
)
def test_what_is_not_generated_of_a_client_is_read_in_one_sitting(pattern: str, count: Callable[[str], int]) -> None:
    lines = sum(count(source) for source in sources(pattern))
    assert 0 < lines <= MOST_LINES


def test_lines_are_counted_without_blank_ones_comments_and_docstrings() -> None:
    assert (
        lines_of_python(
            '"""Module."""\n\n# Comment.\nx = """a\nb"""\n\ndef f():\n    """Doc.\n\n    More."""\n    return 1\n'
        )
        == 4
    )
    assert lines_of_typescript("/** Doc.\n * More. */\n\n// Comment.\nconst x = 1;\n") == 1
