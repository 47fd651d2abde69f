"""Writes a sign for each letter that a font lacks, so that nobody overlooks a gap in a text."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from unicodedata import category

from fpdf.fonts import CoreFont, TTFFont

_MISSING = "\N{REPLACEMENT CHARACTER}"
_UNSEEN = {"Cf", "Mn", "Me"}
"""The categories of invisible characters, and of marks on the letter before them."""
_JOINERS = {"\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"}
"""Invisible characters that decide how the letters beside them look."""
_JOINED = {"Lo", "Mc", "Mn", "So", "Sk"}
"""The categories of letters, their marks and pictures that a joiner may follow."""
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""The variation selectors of Unicode."""


def letters_of(font: CoreFont | TTFFont | None) -> Collection[int] | None:
    """Returns the letters that a font has; None for one that has its own rules."""
    return font.cmap if isinstance(font, TTFFont) else None


def is_drawn(char: str) -> bool:
    """Returns whether a character is a letter that a font must have, or decides how one looks.

    A variation selector is neither: these fonts have one form of each letter, and a part of a line that is nothing but
    selectors cannot be shaped.
    """
    return (char.isprintable() or char in _JOINERS) and char not in _SELECTORS


def is_missed(char: str) -> bool:
    """Returns whether a sign stands for a character that no font has: nobody misses what is not seen."""
    return char.isprintable() and category(char) not in _UNSEEN


def writable(text: str, known: Collection[int] | None) -> str:
    """Returns a text in which a sign stands for each letter that is not known; control characters are blanks.

    A joiner behind a letter that none can join, as in Latin, is invisible, and cannot be shaped.
    """
    return "".join(
        char if char == "\n" or (is_drawn(char) and (known is None or ord(char) in known)) else _instead_of(char)
        for before, char in pairwise(f" {text}")
        if char not in _JOINERS or category(before) in _JOINED
    )


def _instead_of(char: str) -> str:
    if category(char) in _UNSEEN:
        return ""
    return _MISSING if char.isprintable() else " "
