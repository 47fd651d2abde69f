"""What is written of a text whose letters a font may not have: nobody takes a gap for the whole of it."""

from __future__ import annotations

from collections.abc import Collection
from unicodedata import category

from fpdf.fonts import CoreFont, TTFFont

_MISSING = "\N{REPLACEMENT CHARACTER}"
_UNSEEN = {"Cf", "Mn", "Me"}
"""The categories of characters that are nothing to see, or marks on the letter before them."""
_JOINERS = {"\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"}
"""What is not seen and decides how the letters beside it look."""


def letters_of(font: CoreFont | TTFFont | None) -> Collection[int] | None:
    """Returns the letters that a font has; None for one that has its own rules."""
    return font.cmap if isinstance(font, TTFFont) else None


def is_drawn(char: str) -> bool:
    """Returns whether a character is a letter that a font must have, or decides how one looks."""
    return char.isprintable() or char in _JOINERS


def is_missed(char: str) -> bool:
    """Returns whether a sign stands for a character that no font has: nobody misses what is not seen."""
    return char.isprintable() and category(char) not in _UNSEEN


def writable(text: str, known: Collection[int] | None) -> str:
    """Returns a text in which a sign stands for each letter that is not known; control characters are blanks."""
    return "".join(
        char if char == "\n" or (is_drawn(char) and (known is None or ord(char) in known)) else _instead_of(char)
        for char in text
    )


def _instead_of(char: str) -> str:
    if category(char) in _UNSEEN:
        return ""
    return _MISSING if char.isprintable() else " "
