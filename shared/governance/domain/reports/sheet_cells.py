"""Splits the text of a spreadsheet into lines and cells (RFC 4180, with the habits of spreadsheet programs)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from governance.errors import invalid_body

COMMA = ","
_SEPARATORS = "\t;,"
_STATED = re.compile(r'\s*"?sep=([^"\r\n])"?[\t;,]*[ ]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
_FIRST_LINE = re.compile(r"\s*([^\r\n]*)")
_BREAK = re.compile(r"\r\n|\r|\n")
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Marks of direction, which Hebrew and Arabic formats of numbers and dates have within, and of the order of bytes."""


class Cell(NamedTuple):
    """A cell without the blanks around it, and whether it stood in quotes."""

    text: str
    is_quoted: bool = False


class Line(NamedTuple):
    """A line that is not empty; lines are counted from 1, as they stand in the text."""

    number: int
    cells: list[Cell]


class Lines(NamedTuple):
    """The lines of a text, and the character between their cells."""

    separator: str
    lines: list[Line]


def split(text: str) -> Lines:
    """Returns the lines of a text. Raises 400 that names a line whose quotes do not stand around whole cells.

    The separator is the one that a line `sep=;` states, as Excel writes it, or else the first of tab, semicolon and
    comma that the header has.
    """
    text = _UNSEEN.sub("", text)
    stated = _STATED.match(text)
    header = _FIRST_LINE.match(text, stated.end() if stated else 0)
    first = header[1] if header else ""
    separator = stated[1] if stated else next((candidate for candidate in _SEPARATORS if candidate in first), COMMA)
    start = stated.end() if stated else 0
    return Lines(separator, [line for line in _lines(text, start, separator) if any(cell.text for cell in line.cells)])


def _lines(text: str, start: int, separator: str) -> Iterator[Line]:
    between = re.escape(separator)
    pattern = re.compile(rf'[ ]*"((?:[^"]|"")*)"[ ]*(?={between}|[\r\n]|\Z)|((?![ ]*")[^{between}\r\n]*)')
    number, cells = 1 + len(_BREAK.findall(text[:start])), list[Cell]()
    first, at = number, start
    while at <= len(text):
        match = pattern.match(text, at)
        if match is None:
            raise invalid_body({f"csv.{number}": "must have quotes around whole cells only, doubled within them"})
        quoted, plain = match.groups()
        cells.append(Cell(plain.strip()) if quoted is None else Cell(quoted.replace('""', '"').strip(), is_quoted=True))
        number += len(_BREAK.findall(match[0]))
        at = match.end()
        end = _BREAK.match(text, at)
        if at == len(text) or end:
            yield Line(first, cells)
            cells, number = [], number + 1
            first = number
        at = end.end() if end else at + 1
