"""What is written of a text whose letters a font may not have: nobody takes a gap for the whole of it."""

from __future__ import annotations

from unicodedata import category

from fpdf.fonts import CoreFont, TTFFont

_MISSING = "\N{REPLACEMENT CHARACTER}"
_UNSEEN = {"Cf", "Mn", "Me"}
"""The categories of characters that are nothing to see, or marks on the letter before them."""


def writable(text: str, font: CoreFont | TTFFont | None) -> str:
    """Returns a text in which a sign stands for each letter that the font lacks; control characters are blanks."""
    known = font.cmap if isinstance(font, TTFFont) else None
    return "".join(
        char if char == "\n" or (char.isprintable() and (known is None or ord(char) in known)) else _instead_of(char)
        for char in text
    )


def _instead_of(char: str) -> str:
    if category(char) in _UNSEEN:
        return ""
    return _MISSING if char.isprintable() else " "
