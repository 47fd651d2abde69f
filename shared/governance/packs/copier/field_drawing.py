"""Draws the values of form fields and notes, as readers do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ttf_opensans
from fpdf import FPDF
from fpdf.enums import MethodReturnValue
from fpdf.fonts import TTFFont
from pikepdf import Array, Name, String

from governance.packs.copier.letters import letters_of, writable
from governance.packs.copier.syntax import member, name_text, numbers
from governance.packs.copier.widgets import BUTTON, COMB, COMBO, MULTILINE, PASSWORD, RADIO, Widget, text_of

_SIZES = (4, 6, 8, 9, 10, 12, 14, 18, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 110, 120, 130, 144)
"""Sizes in points of text that fits itself to its field, as PDFium has them."""
_SMALLEST, _MULTILINE_SIZE = 4.0, 12.0
_ASCENT, _HEIGHT = 0.93, 1.16
"""Heights of one of several lines, in sizes of its font: above the base line, and in all."""
_PADDING = 1.0
_BELOW_MIDDLE = 0.31
"""The base line of a single line, below the middle of its field, in the size of the font."""
_SELECTED = (0, 51, 113)
_BLACK = (0, 0, 0)
_ON_SELECTED = (255, 255, 255)
_CHECK, _BULLET = "4", "l"
"""Letters of ZapfDingbats."""
_UNICODE = "OpenSans"


class _Style:
    """How the text of a field looks: its font, its size in points (0: as it fits) and its colour."""

    def __init__(self, widget: Widget) -> None:
        appearance = widget.of_field("/DA")
        tokens = text_of(appearance).replace("/", " /").split() if isinstance(appearance, String) else []
        self.font, self.weight, self.size = "helvetica", "", 0.0
        self.color: tuple[float, ...] = (0.0,)
        for index, operator in enumerate(tokens):
            if operator == "Tf" and index > 1:
                self._set_font(tokens[index - 2], tokens[index - 1], widget)
            elif operator in _COLORS and index >= _COLORS[operator]:
                self.color = tuple(_float(operand) for operand in tokens[index - _COLORS[operator] : index])

    def _set_font(self, key: str, size: str, widget: Widget) -> None:
        self.size = abs(_float(size))
        font = member(member(member(widget.form, "/DR"), "/Font"), key)
        named = (name_text(member(font, "/BaseFont")) + key).lower()
        self.font = "courier" if "cour" in named else "times" if re.search(r"tim?e?s|tiro|tibo", named) else "helvetica"
        self.weight = "B" if "bold" in named or key in {"/HeBo", "/TiBo", "/CoBo"} else ""


_COLORS = {"g": 1, "rg": 3, "k": 4}


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _rgb(color: Iterable[float]) -> tuple[int, int, int] | None:
    """Returns a colour of one, three or four components; None for one that is transparent."""
    parts = [min(max(component, 0.0), 1.0) for component in color]
    if len(parts) == 4:
        parts = [(1 - component) * (1 - parts[3]) for component in parts[:3]]
    if len(parts) == 1:
        parts = parts * 3
    return (round(parts[0] * 255), round(parts[1] * 255), round(parts[2] * 255)) if len(parts) == 3 else None


class Drawing:
    """Draws widgets, each on a page of its own size."""

    def __init__(self) -> None:
        self._document = FPDF(unit="pt")
        self._document.alias_nb_pages("")
        self._document.core_fonts_encoding = "cp1252"
        self._document.set_auto_page_break(False)
        self._document.set_margin(0)

    def of(self, widgets: Iterable[Widget]) -> bytes:
        """Returns a PDF with a page for each widget."""
        for widget in widgets:
            self._draw(widget)
        content = bytes(self._document.output())
        for font in self._document.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()
        return content

    def _draw(self, widget: Widget) -> None:
        size = widget.size or (1.0, 1.0)
        self._document.add_page(format=size)
        self._width, self._height = size
        self._frame(widget)
        kind = widget.kind
        if kind == Name.Btn:
            self._button(widget)
        elif kind == Name.Ch and not widget.has(COMBO):
            self._list(widget)
        elif not (kind == Name.Tx and widget.has(PASSWORD)):
            self._value(widget, kind)

    def _frame(self, widget: Widget) -> None:
        """Draws background and border."""
        document, looks = self._document, widget.annotation.get("/MK")
        background, border = (_rgb(numbers(member(looks, key))) for key in ("/BG", "/BC"))
        width = member(widget.annotation.get("/BS"), "/W")
        self._border = (float(width) if width is not None else 1.0) if border else 0.0
        if background:
            document.set_fill_color(*background)
            document.rect(0, 0, self._width, self._height, style="F")
        if border and self._border:
            document.set_draw_color(*border)
            document.set_line_width(self._border)
            half = self._border / 2
            document.rect(half, half, self._width - self._border, self._height - self._border)

    def _button(self, widget: Widget) -> None:
        looks = widget.annotation.get("/MK")
        if widget.has(BUTTON):
            self._line(widget, text_of(member(looks, "/CA")), align=1)
        elif widget.is_marked:
            mark = text_of(member(looks, "/CA"))[:1] or (_BULLET if widget.has(RADIO) else _CHECK)
            size = min(self._width, self._height) * 0.8
            self._document.set_text_color(*(_rgb(_Style(widget).color) or _BLACK))
            self._document.set_font("zapfdingbats", size=size)
            left = (self._width - self._document.get_string_width(mark)) / 2
            self._document.text(left, (self._height + size * 0.7) / 2, mark)

    def _value(self, widget: Widget, kind: Any) -> None:
        text = text_of(widget.value)
        if kind == Name.Ch:
            text = dict(widget.options).get(text, text)
        length = widget.of_field("/MaxLen")
        if kind == Name.Tx and widget.has(MULTILINE):
            self._paragraphs(widget, text)
        elif kind == Name.Tx and widget.has(COMB) and isinstance(length, int) and length > 0:
            self._comb(widget, text.replace("\r", " ").replace("\n", " "), length)
        else:
            align = widget.of_field("/Q")
            self._line(widget, " ".join(text.splitlines()), align if isinstance(align, int) else 0)

    def _line(self, widget: Widget, text: str, align: int) -> None:
        style, inside = self._styled(widget, text), self._width - 2 * self._inset
        size = style.size or self._fitting(text, inside, (self._height - 2 * self._border) / _HEIGHT)
        self._document.set_font_size(size)
        free = inside - self._document.get_string_width(text)
        self._write(self._inset + free * {1: 0.5, 2: 1}.get(align, 0), self._base_line(size), text)

    def _comb(self, widget: Widget, text: str, length: int) -> None:
        style, cell = self._styled(widget, text), self._width / length
        size = style.size or self._fitting("W", cell, (self._height - 2 * self._border) / _HEIGHT)
        self._document.set_font_size(size)
        for index, char in enumerate(text[:length]):
            left = index * cell + (cell - self._document.get_string_width(char)) / 2
            self._write(left, self._base_line(size), char)

    def _paragraphs(self, widget: Widget, text: str) -> None:
        style, inside = self._styled(widget, text), self._width - 2 * self._inset
        text = "\n".join(text.splitlines())
        size = style.size or _MULTILINE_SIZE
        lines = self._wrapped(text, inside, size)
        while not style.size and size > _SMALLEST and len(lines) * size * _HEIGHT > self._height - 2 * self._border:
            size = max(size - 1, _SMALLEST)
            lines = self._wrapped(text, inside, size)
        align = {1: 0.5, 2: 1}.get(widget.of_field("/Q"), 0)
        for number, line in enumerate(lines):
            free = inside - self._document.get_string_width(line)
            base = self._inset + (number * _HEIGHT + _ASCENT) * size
            self._write(self._inset + free * align, base, line)

    def _wrapped(self, text: str, width: float, size: float) -> list[str]:
        self._document.set_font_size(size)
        lines: Any = self._document.multi_cell(
            max(width, 2 * size) + 2 * self._document.c_margin,
            size,
            text,
            align="L",
            dry_run=True,
            output=MethodReturnValue.LINES,
        )
        return [str(line) for line in lines]

    def _list(self, widget: Widget) -> None:
        """Draws the options of a list from the first that is scrolled to, with those that are selected."""
        options, value = widget.options, widget.value
        chosen = {text_of(element) for element in value} if isinstance(value, Array) else {text_of(value)}
        top = widget.of_field("/TI")
        style = self._styled(widget, "".join(shown for _, shown in options))
        size, color = style.size or _MULTILINE_SIZE, _rgb(style.color) or _BLACK
        self._document.set_font_size(size)
        for number, (exported, shown) in enumerate(options[top if isinstance(top, int) and top > 0 else 0 :]):
            above = self._border + number * size * _HEIGHT
            if above + size / 4 > self._height:  # no letter would show
                break
            self._document.set_text_color(*color)
            if exported in chosen or shown in chosen:
                self._document.set_text_color(*_ON_SELECTED)
                self._document.set_fill_color(*_SELECTED)
                self._document.rect(self._border, above, self._width - 2 * self._border, size * _HEIGHT, style="F")
            self._write(self._inset, above + _ASCENT * size, shown)

    def _write(self, left: float, base: float, text: str) -> None:
        self._document.text(left, base, writable(text, letters_of(self._document.current_font)))

    @property
    def _inset(self) -> float:
        return max(_PADDING, self._border)

    def _base_line(self, size: float) -> float:
        return self._height / 2 + size * _BELOW_MIDDLE

    def _fitting(self, text: str, width: float, highest: float) -> float:
        """Returns the largest size at which a line fits."""
        self._document.set_font_size(_MULTILINE_SIZE)
        needed = self._document.get_string_width(text) / _MULTILINE_SIZE
        most = min(highest, width / needed) if needed else highest
        return float(max((size for size in _SIZES if size <= most), default=_SMALLEST))

    def _styled(self, widget: Widget, text: str) -> _Style:
        """Sets colour and font: that of the field, or one that has the letters of the text."""
        style = _Style(widget)
        self._document.set_text_color(*(_rgb(style.color) or _BLACK))
        try:
            text.encode("cp1252")
            self._document.set_font(style.font, style.weight)
        except UnicodeEncodeError:
            self._add_unicode_font()
            self._document.set_font(_UNICODE)
        return style

    def _add_unicode_font(self) -> None:
        if _UNICODE.lower() not in self._document.fonts:
            path = Path(ttf_opensans.__file__).parent / "ttf" / "OpenSans-Regular.ttf"
            self._document.add_font(_UNICODE, "", str(path))
