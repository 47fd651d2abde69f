"""Numbers as they were written (ADR figures): `12.50` states two decimals, which a float does not keep.

A number whose text says more than its float is kept as a text that begins with NUL, which no client's text may hold. It
is stored so, and becomes a number again in the JSON that clients get.
"""

from __future__ import annotations

import math
import re
from typing import Any

_MARK = "\0"
_MARKED = re.compile(r'"\\u0000([-+.0-9Ee]+)"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")


class WrittenFloat(float):
    """A float that was parsed from a text which says more than the float."""

    written: str


def parse_float(text: str) -> float:
    """Returns the float of a JSON number; a `WrittenFloat` if the number is not written as Python writes it."""
    number = float(text)
    if repr(number) == text:
        return number
    written_float = WrittenFloat(number)
    written_float.written = text
    return written_float


def number_of_text(text: str) -> int | float | None:
    """Returns the number that a text is as JSON; None for another text, and beyond the range of a double."""
    match = _NUMBER.fullmatch(text)
    if match is None or not math.isfinite(float(text)):
        return None
    return parse_float(text) if any(match.groups()) else int(text)


def kept_as_written(value: Any) -> Any:
    """Returns a JSON value in which every `WrittenFloat` is the text that is stored for it."""
    kind = type(value)
    if kind is WrittenFloat:
        return _MARK + value.written
    if kind is list:
        return [kept_as_written(part) for part in value]
    if kind is dict:
        return {name: kept_as_written(part) for name, part in value.items()}
    return value


def written_number(value: Any) -> str | None:
    """Returns the text of a stored JSON value that is a number; None for any other value."""
    if isinstance(value, str) and value.startswith(_MARK):
        return value[1:]
    return None if isinstance(value, bool) or not isinstance(value, int | float) else repr(value)


def with_numbers(text: str) -> str:
    """Returns a JSON text in which the numbers that were kept as text are numbers."""
    return _MARKED.sub(r"\1", text) if '"\\u0000' in text else text
