"""The order in which the parts of a line are seen that holds words from the left and from the right (Unicode UAX 9)."""

from __future__ import annotations

from itertools import groupby
from unicodedata import bidirectional

from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection

_FROM_THE_RIGHT = {"R", "AL"}
_STRONG = {"L", *_FROM_THE_RIGHT}
"""The kinds of letters of which the first decides at which side a text begins."""


def direction_of(text: str) -> TextDirection:
    """Returns at which side a text begins; without any letter, at the left."""
    first = next((kind for kind in map(bidirectional, text) if kind in _STRONG), "L")
    return TextDirection.RTL if first in _FROM_THE_RIGHT else TextDirection.LTR


def is_mixed(text: str) -> bool:
    """Returns whether a text begins at the left and holds words from the right."""
    begins_at_the_left = direction_of(text) is TextDirection.LTR
    return begins_at_the_left and any(bidirectional(char) in _FROM_THE_RIGHT for char in text)


def parts_as_seen(line: str) -> list[tuple[TextDirection, str]]:
    """Returns the parts of a line that begins at the left, in the order in which they are seen, with their directions.

    fpdf2 writes each part in its own direction, and leaves the parts of such a line in their order. So a number would
    stand at the right of the word that it follows, where the word is from the right and the number belongs at its left.
    """
    letters = BidiParagraph(line, TextDirection.LTR, preserve_bn_chars=True).get_characters_with_embedding_level()
    levels = groupby(letters, lambda letter: letter.embedding_level)
    parts = [(level, "".join(letter.character for letter in part)) for level, part in levels]
    for level in range(max((level for level, _ in parts), default=0), 0, -1):
        parts = _turned(parts, level)
    return [(TextDirection.RTL if level % 2 else TextDirection.LTR, part) for level, part in parts]


def _turned(parts: list[tuple[int, str]], level: int) -> list[tuple[int, str]]:
    """Returns the parts with those in reverse order that lie together at a level, or at higher ones."""
    turned: list[tuple[int, str]] = []
    for is_within, group in groupby(parts, lambda part: part[0] >= level):
        together = list(group)
        turned += together[::-1] if is_within else together
    return turned
