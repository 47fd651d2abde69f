"""Writes names, numbers and strings as a PDF has them, and reads members that dictionaries inherit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream, String

Rectangle = tuple[float, float, float, float]
"""Left, bottom, right and top."""
_LEVELS = 100
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_REGULAR = frozenset(range(0x21, 0x7F)) - frozenset(b"#%()/<>[]{}")


def name(text: str) -> bytes:
    """Returns a name, whatever bytes it has."""
    content = text.removeprefix("/").encode("utf-8", "surrogateescape")
    return b"/" + b"".join(bytes([byte]) if byte in _REGULAR else b"#%02X" % byte for byte in content)


def spellings(text: str, others: Collection[str]) -> Iterator[bytes]:
    """Yields a name of a resource as it is written, and as PDFium reads it in content.

    PDFium takes the bytes 80 and FF for blanks, unless they are written as digits; content keeps how they are written.
    """
    yield name(text)
    short = text.encode("utf-8", "surrogateescape").rstrip(b"\x80\xff").decode("utf-8", "surrogateescape")
    if short != text and short not in others:
        yield name(short)


def name_text(value: Any) -> str:
    """Returns a name as dictionaries have it as a key, whatever bytes it has; an empty text for what is not a name."""
    if not isinstance(value, Name):
        return ""
    content = _ESCAPED.sub(lambda match: bytes.fromhex(match[1].decode()), value.unparse(resolved=True))
    return content.decode("utf-8", "surrogateescape")


def scalar(value: Any) -> bytes:
    """Returns a name, number, string, boolean or null; null for anything else."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, int):
        return b"%d" % value
    if isinstance(value, (float, Decimal)):
        return format(value, "f").encode()
    if isinstance(value, Name):
        return name(name_text(value))
    return value.unparse(resolved=True) if isinstance(value, String) else b"null"


def numbers(value: Any) -> list[float]:
    """Returns the numbers of an array; none if it is not an array or has anything else."""
    listed: list[Any] = list(value) if isinstance(value, Array) else []
    floats = [float(number) for number in listed if isinstance(number, (int, float, Decimal))]
    return floats if len(floats) == len(listed) else []


def array(values: list[float]) -> bytes:
    """Returns an array of numbers."""
    return b"[%s]" % b" ".join(f"{value:.5f}".rstrip("0").rstrip(".").encode() for value in values)


def rectangle(value: Any) -> Rectangle | None:
    """Returns a rectangle of an array, whose corners may be in any order; None if it is none."""
    coordinates = numbers(value)[:4]
    if len(coordinates) != 4:
        return None
    (left, right), (bottom, top) = sorted(coordinates[0::2]), sorted(coordinates[1::2])
    return left, bottom, right, top


def common(first: Rectangle, second: Rectangle) -> Rectangle | None:
    """Returns the part that two rectangles have in common; None where they have none."""
    left, bottom = max(first[0], second[0]), max(first[1], second[1])
    right, top = min(first[2], second[2]), min(first[3], second[3])
    return (left, bottom, right, top) if left < right and bottom < top else None


def member(value: Any, key: str) -> Any:
    """Returns a member of a dictionary or stream; None where there is none."""
    # `get` takes no key whose bytes are not UTF-8
    return value[key] if isinstance(value, (Dictionary, Stream)) and key in value else None


def inherited(value: Any, key: str) -> Any:
    """Returns a member of a page or field, or that of the nearest of its parents that has one."""
    for _ in range(_LEVELS):
        own = member(value, key)
        if own is not None or not isinstance(value, Dictionary):
            return own
        value = value.get("/Parent")
    return None
