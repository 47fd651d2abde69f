"""Fonts for letters that the usual font lacks: Noto Sans for the scripts of the world, by packages (ADR packs).

The fonts are large and of every weight. Each that is needed is cut to the letters of the text first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import justmytype_intl_cjk
import manimgx_fonts
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from fpdf import FPDF
from fpdf.enums import Align, TextDirection, WrapMode

from governance.packs.copier.letters import is_drawn, is_missed, letters_of
from governance.packs.directions import direction_of

_WEIGHTS = {"": 400, "B": 700}
_IDEOGRAPHIC = ("JP", "SC", "TC")
"""The fonts of scripts without blanks between words, by how their names end."""
_SHOWN = 12
"""Letters without a font that are named."""


class Layout(NamedTuple):
    """At which side the lines of a text begin, and where they may end."""

    align: Align
    wrap: WrapMode


def _files() -> Iterator[Path]:
    """Yields the font files in the order in which letters are looked for: for Han letters, Japanese ones first."""
    of_scripts = sorted(Path(manimgx_fonts.__file__).parent.glob("NotoSans*.ttf"))
    yield from (path for path in of_scripts if "Italic" not in path.name)
    yield from sorted(Path(manimgx_fonts.__file__).parent.glob("NotoEmoji*.ttf"))
    yield from sorted(Path(justmytype_intl_cjk.__file__).parent.rglob("NotoSans*.ttf"))


class Scripts:
    """The fonts that a document needs for its texts, beside the usual one. `known` are the letters of all of them."""

    def __init__(self, document: FPDF, usual: str, texts: Iterable[str], folder: Path) -> None:
        """Adds the fonts to the document; `folder` keeps their files until it is written."""
        letters = {ord(char) for text in texts for char in text if is_drawn(char)}
        self._document, self._usual, self._folder = document, usual, folder
        self._usual_letters = frozenset(letters_of(document.fonts[usual.lower()]) or ())
        self._letters: dict[str, set[int]] = {}
        self.known: set[int] = set(self._usual_letters)
        missing = letters - self.known
        for path in _files() if missing else ():
            with TTFont(path, recalcTimestamp=False, lazy=True) as font:
                if missing & font.getBestCmap().keys():
                    self._add(path.name.partition("[")[0], _cut(font, letters))
                    missing -= self.known
        self._missing = sorted(number for number in missing if is_missed(chr(number)))

    def _add(self, family: str, cut: bytes) -> None:
        for style, weight in _WEIGHTS.items():
            file = self._folder / f"{family}{style}.ttf"
            with TTFont(BytesIO(cut), recalcTimestamp=False) as font:
                self._letters[family] = set(font.getBestCmap())
                instantiateVariableFont(font, {"wght": weight}, inplace=True).save(file)
            self._document.add_font(family, style, file)
        self.known |= self._letters[family]

    @property
    def missed(self) -> str:
        """The letters that no font has, by their numbers in Unicode; empty if there are none."""
        more = " …" if len(self._missing) > _SHOWN else ""
        return ", ".join(f"U+{number:04X}" for number in self._missing[:_SHOWN]) + more

    def use(self, text: str, weight: str, size: float) -> Layout:
        """Sets the font of a text: that of most letters that the usual one lacks. Returns its layout."""
        foreign = [ord(char) for char in text if ord(char) not in self._usual_letters]
        counted = Counter(family for number in foreign for family in self._letters if number in self._letters[family])
        family = counted.most_common(1)[0][0] if counted else self._usual
        self._document.set_font(family, weight, size)
        self._document.set_fallback_fonts([other for other in (self._usual, *self._letters) if other != family])
        direction = direction_of(text)
        self._document.set_text_shaping(bool(counted), direction=direction)
        wrap = WrapMode.CHAR if family.endswith(_IDEOGRAPHIC) else WrapMode.WORD
        return Layout(Align.L if direction is TextDirection.LTR else Align.R, wrap)


def _cut(font: TTFont, letters: set[int]) -> bytes:
    """Returns a font with these letters alone, and how they are joined."""
    options = Options(notdef_outline=True)
    options.layout_features = [feature for feature in options.layout_features if feature != "kern"]
    options.drop_tables += ["STAT"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    written = BytesIO()
    font.save(written)
    return written.getvalue()
