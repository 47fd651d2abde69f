"""Draws form fields and notes whose appearance is absent, empty or declared out of date, as a reader does.

Readers draw them when a file is opened; a pack has no fields, so their values must be part of what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import ttf_opensans
from fpdf import FPDF
from fpdf.enums import MethodReturnValue
from fpdf.fonts import TTFFont
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String, parse_content_stream

from governance.packs.jobs import PaperError, Problem
from governance.packs.letters import writable
from governance.packs.syntax import inherited, member, name_text, numbers, rectangle

_MULTILINE, _PASSWORD, _RADIO, _BUTTON, _COMBO, _COMB = (1 << bit for bit in (12, 13, 15, 16, 17, 24))
_FIELDS = 10_000
"""Values that are drawn for one paper."""
_SIZES = (4, 6, 8, 9, 10, 12, 14, 18, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 110, 120, 130, 144)
"""Sizes in points of text that fits itself to its field, as PDFium has them."""
_SMALLEST, _MULTILINE_SIZE = 4.0, 12.0
_ASCENT, _HEIGHT = 0.93, 1.16
"""Of a line of several, in the size of its font: above the base line, and all of it."""
_PADDING = 1.0
_BELOW_MIDDLE = 0.31
"""The base line of a single line, below the middle of its field, in the size of the font."""
_SELECTED = (0, 51, 113)
_BLACK = (0, 0, 0)
_ON_SELECTED = (255, 255, 255)
_TEXT_OPERATORS = {b"Tj", b"TJ", b"'", b'"', b"Do", b"INLINE IMAGE"}
_CHECK, _BULLET = "4", "l"
"""In ZapfDingbats."""
_UNICODE = "OpenSans"
_OFF = "/Off"


@dataclass(frozen=True)
class _Widget:
    """A place where a field is shown, with what it inherits of its field and of the form."""

    annotation: Object
    form: Any

    def of_field(self, key: str) -> Any:
        value = inherited(self.annotation, key)
        return member(self.form, key) if value is None and key in {"/DA", "/Q"} else value

    @property
    def kind(self) -> Any:
        """The type of the field; a note that is written on the page is read as a field for text."""
        return Name.Tx if self._is_note else self.of_field("/FT")

    @property
    def value(self) -> Any:
        return self.annotation.get("/Contents") if self._is_note else self.of_field("/V")

    @property
    def flags(self) -> int:
        bits = _MULTILINE if self._is_note else self.of_field("/Ff")
        return bits if isinstance(bits, int) else 0

    @property
    def _is_note(self) -> bool:
        return bool(self.annotation.get("/Subtype") == Name.FreeText)

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)


def draw_values(pdf: Pdf, annotations: Iterable[Object]) -> None:
    """Gives each widget whose value its appearance does not show an appearance that does, in memory."""
    form = pdf.Root.get("/AcroForm")
    stale = member(form, "/NeedAppearances") is True
    widgets = [
        _Widget(annotation, form)
        for annotation in annotations
        if annotation.get("/Subtype") in (Name.Widget, Name.FreeText)
    ]
    for widget in widgets:
        _choose_state(widget, stale)
    undrawn = [candidate for candidate in widgets if _size(candidate) and _is_undrawn(candidate, stale)]
    if len(undrawn) > _FIELDS:
        raise PaperError(Problem.TOO_LONG)
    if undrawn:
        with Pdf.open(BytesIO(_Drawing().of(undrawn))) as drawn:
            for widget, page in zip(undrawn, drawn.pages, strict=True):
                appearance = pdf.copy_foreign(drawn.make_indirect(page.as_form_xobject()))
                if _rotation(widget):
                    appearance.Matrix = Array(_TURNS[_rotation(widget)])
                widget.annotation.AP = Dictionary(N=appearance)


def _choose_state(widget: _Widget, stale: bool) -> None:
    """Chooses the appearance of a check box or radio button by its value, where it has none or it is out of date."""
    states = member(member(widget.annotation, "/AP"), "/N")
    if widget.kind != Name.Btn or widget.has(_BUTTON) or not isinstance(states, Dictionary):
        return
    value, state = widget.value, widget.annotation.get("/AS")
    if state is None or (stale and isinstance(value, Name)):
        chosen = value if isinstance(value, Name) and name_text(value) in states else Name.Off
        widget.annotation.AS = chosen


def _is_undrawn(widget: _Widget, stale: bool) -> bool:
    kind, normal = widget.kind, member(member(widget.annotation, "/AP"), "/N")
    if kind == Name.Btn:
        return not isinstance(_of_state(widget, normal), Stream) and _looks_like_something(widget)
    if kind not in (Name.Tx, Name.Ch):
        return False
    if stale or (widget.has(_PASSWORD) and kind == Name.Tx):
        return True
    return not isinstance(normal, Stream) or (bool(_text(widget.value)) and not _draws(normal))


def _of_state(widget: _Widget, normal: Any) -> Any:
    """Returns what stands for the state of a button: in some papers an empty dictionary, or nothing."""
    return normal if isinstance(normal, Stream) else member(normal, name_text(widget.annotation.get("/AS") or Name.Off))


def _looks_like_something(widget: _Widget) -> bool:
    looks = widget.annotation.get("/MK")
    has_frame = any(numbers(member(looks, key)) for key in ("/BG", "/BC"))
    return has_frame or widget.has(_BUTTON) or _is_marked(widget)


def _is_marked(widget: _Widget) -> bool:
    return (name_text(widget.annotation.get("/AS") or widget.value) or _OFF) != _OFF


def _draws(appearance: Stream) -> bool:
    return any(instruction.operator.unparse() in _TEXT_OPERATORS for instruction in parse_content_stream(appearance))


def _text(value: Any) -> str:
    """Returns a value as text."""
    if isinstance(value, Array):
        return ", ".join(_text(element) for element in value)
    if isinstance(value, Stream):
        return str(String(value.read_bytes()))
    return str(value) if isinstance(value, String) else name_text(value).removeprefix("/")


def _options(widget: _Widget) -> list[tuple[str, str]]:
    """Returns the options of a choice: the value that each exports, and what it shows."""
    listed = widget.of_field("/Opt")
    pairs = (list(option) if isinstance(option, Array) else [option, option] for option in listed or ())
    return [(_text(pair[0]), _text(pair[-1])) for pair in pairs if pair]


def _rotation(widget: _Widget) -> int:
    turned = member(widget.annotation.get("/MK"), "/R")
    return turned % 360 if isinstance(turned, int) and turned % 90 == 0 else 0


_TURNS = {90: [0, 1, -1, 0, 0, 0], 180: [-1, 0, 0, -1, 0, 0], 270: [0, -1, 1, 0, 0, 0]}


def _size(widget: _Widget) -> tuple[float, float] | None:
    """Returns width and height of a widget as it is read, in points; None for one that has no area."""
    place = rectangle(widget.annotation.get("/Rect"))
    if place is None or place[2] - place[0] < 1 or place[3] - place[1] < 1:
        return None
    width, height = min(place[2] - place[0], 14_400), min(place[3] - place[1], 14_400)
    return (height, width) if _rotation(widget) % 180 else (width, height)


class _Style:
    """How the text of a field looks: its font, its size in points (0: as it fits) and its colour."""

    def __init__(self, widget: _Widget) -> None:
        appearance = widget.of_field("/DA")
        tokens = _text(appearance).replace("/", " /").split() if isinstance(appearance, String) else []
        self.font, self.weight, self.size = "helvetica", "", 0.0
        self.color: tuple[float, ...] = (0.0,)
        for index, operator in enumerate(tokens):
            if operator == "Tf" and index > 1:
                self._set_font(tokens[index - 2], tokens[index - 1], widget)
            elif operator in _COLORS and index >= _COLORS[operator]:
                self.color = tuple(_float(operand) for operand in tokens[index - _COLORS[operator] : index])

    def _set_font(self, key: str, size: str, widget: _Widget) -> None:
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


class _Drawing:
    """Draws widgets, each on a page of its own size."""

    def __init__(self) -> None:
        self._document = FPDF(unit="pt")
        self._document.alias_nb_pages("")
        self._document.core_fonts_encoding = "cp1252"
        self._document.set_auto_page_break(False)
        self._document.set_margin(0)

    def of(self, widgets: Iterable[_Widget]) -> bytes:
        """Returns a PDF with a page for each widget."""
        for widget in widgets:
            self._draw(widget)
        content = bytes(self._document.output())
        for font in self._document.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()
        return content

    def _draw(self, widget: _Widget) -> None:
        size = _size(widget) or (1.0, 1.0)
        self._document.add_page(format=size)
        self._width, self._height = size
        self._frame(widget)
        kind = widget.kind
        if kind == Name.Btn:
            self._button(widget)
        elif kind == Name.Ch and not widget.has(_COMBO):
            self._list(widget)
        elif not (kind == Name.Tx and widget.has(_PASSWORD)):
            self._value(widget, kind)

    def _frame(self, widget: _Widget) -> None:
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

    def _button(self, widget: _Widget) -> None:
        looks = widget.annotation.get("/MK")
        if widget.has(_BUTTON):
            self._line(widget, _text(member(looks, "/CA")), align=1)
        elif _is_marked(widget):
            mark = _text(member(looks, "/CA"))[:1] or (_BULLET if widget.has(_RADIO) else _CHECK)
            size = min(self._width, self._height) * 0.8
            self._document.set_text_color(*(_rgb(_Style(widget).color) or _BLACK))
            self._document.set_font("zapfdingbats", size=size)
            left = (self._width - self._document.get_string_width(mark)) / 2
            self._document.text(left, (self._height + size * 0.7) / 2, mark)

    def _value(self, widget: _Widget, kind: Any) -> None:
        text = _text(widget.value)
        if kind == Name.Ch:
            text = dict(_options(widget)).get(text, text)
        length = widget.of_field("/MaxLen")
        if kind == Name.Tx and widget.has(_MULTILINE):
            self._paragraphs(widget, text)
        elif kind == Name.Tx and widget.has(_COMB) and isinstance(length, int) and length > 0:
            self._comb(widget, text.replace("\r", " ").replace("\n", " "), length)
        else:
            align = widget.of_field("/Q")
            self._line(widget, " ".join(text.splitlines()), align if isinstance(align, int) else 0)

    def _line(self, widget: _Widget, text: str, align: int) -> None:
        style, inside = self._styled(widget, text), self._width - 2 * self._inset
        size = style.size or self._fitting(text, inside, (self._height - 2 * self._border) / _HEIGHT)
        self._document.set_font_size(size)
        free = inside - self._document.get_string_width(text)
        self._write(self._inset + free * {1: 0.5, 2: 1}.get(align, 0), self._base_line(size), text)

    def _comb(self, widget: _Widget, text: str, length: int) -> None:
        style, cell = self._styled(widget, text), self._width / length
        size = style.size or self._fitting("W", cell, (self._height - 2 * self._border) / _HEIGHT)
        self._document.set_font_size(size)
        for index, char in enumerate(text[:length]):
            left = index * cell + (cell - self._document.get_string_width(char)) / 2
            self._write(left, self._base_line(size), char)

    def _paragraphs(self, widget: _Widget, text: str) -> None:
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

    def _list(self, widget: _Widget) -> None:
        """Draws the options of a list from the first that is scrolled to, with those that are selected."""
        options, value = _options(widget), widget.value
        chosen = {_text(element) for element in value} if isinstance(value, Array) else {_text(value)}
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
        self._document.text(left, base, writable(text, self._document.current_font))

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

    def _styled(self, widget: _Widget, text: str) -> _Style:
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
