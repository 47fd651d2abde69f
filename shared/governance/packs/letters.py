"""What is written of a text whose letters a font may not have: nobody takes a gap for the whole of it."""

from __future__ import annotations

from unicodedata import category

from fpdf.fonts import CoreFont, TTFFont

_MISSING = "\N{REPLACEMENT CHARACTER}"
_UNSEEN, _MARKS = "Cf", {"Mn", "Me"}
"""The categories of characters that are nothing to see, and of marks on the letter before them."""


def writable(text: str, font: CoreFont | TTFFont | None) -> str:
    """Returns a text in which a sign stands for each letter that the font lacks; control characters are blanks."""
    known = font.cmap if isinstance(font, TTFFont) else None
    return "".join(_written(char, is_known=known is None or ord(char) in known) for char in text)


def _written(char: str, *, is_known: bool) -> str:
    kind = category(char)
    if char == "\n" or (is_known and char.isprintable()):
        return char
    if kind == _UNSEEN or kind in _MARKS:
        return ""
    return _MISSING if char.isprintable() else " "
