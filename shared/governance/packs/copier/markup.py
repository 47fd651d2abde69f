"""Draws marks on a page (highlights, underlines, shapes, ink) whose annotation has no appearance, as readers do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from math import atan2, cos, pi, sin

from pikepdf import Array, Dictionary, Name, Object, Pdf

from governance.packs.copier.syntax import Rectangle, member, name_text, numbers, rectangle

_CURVE = 0.5523
"""Makes a circle of four Bézier curves."""
_WAVE = 2.0


def draw_marks(pdf: Pdf, annotations: Iterable[Object]) -> None:
    """Gives each mark without an appearance one, in memory."""
    for annotation in annotations:
        make = next((make for name, make in _MARKS.items() if annotation.get("/Subtype") == name), None)
        box = _place(annotation)
        if make is None or box is None or member(annotation.get("/AP"), "/N") is not None:
            continue
        mode = "Multiply" if annotation["/Subtype"] == Name.Highlight else "Normal"
        opacity = annotation.get("/CA", 1)
        opacity = opacity if isinstance(opacity, (int, Decimal)) else 1
        state = Dictionary(Type=Name.ExtGState, CA=opacity, ca=opacity, BM=Name(f"/{mode}"))
        form = pdf.make_stream(f"/G gs {make(annotation, box)}".encode())
        form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([*map(_decimal, box)])
        annotation.Rect = form.BBox
        form.Resources = Dictionary(ExtGState=Dictionary(G=state))
        form.Group = Dictionary(S=Name.Transparency)
        annotation.AP = Dictionary(N=form)


def _place(annotation: Object) -> Rectangle | None:
    """Returns where a mark is: its quadrilaterals, which may be outside of its rectangle, or the sign of a note."""
    box = rectangle(annotation.get("/Rect"))
    if box is None or annotation.get("/Subtype") == Name.Text:
        return box and (box[0], box[1], box[0] + _NOTE, box[1] + _NOTE)
    reach = max(_width(annotation), 1.0) * _ARROW
    around = [(x - reach, y - reach, x + reach, y + reach) for x, y in _points(annotation)]
    parts = _quads(annotation, box) if annotation.get("/Subtype") in _OF_TEXT else around or [box]
    lefts, lows, rights, highs = zip(*parts, strict=True)
    return min(lefts), min(lows), max(rights), max(highs)


def _decimal(value: float) -> Decimal:
    return Decimal(f"{value:.4f}")


def _color(annotation: Object, key: str, operators: Mapping[int, str]) -> str:
    """Returns the operator that sets a colour; nothing for one that is transparent."""
    parts = numbers(annotation.get(key))
    return f"{_text(*parts)} {operators[len(parts)]} " if len(parts) in operators else ""


_STROKE, _FILL = {1: "G", 3: "RG", 4: "K"}, {1: "g", 3: "rg", 4: "k"}


def _text(*values: float) -> str:
    return " ".join(f"{value:.4f}" for value in values)


def _width(annotation: Object) -> float:
    """Returns the width of a border in points."""
    width = member(annotation.get("/BS"), "/W")
    border = numbers(annotation.get("/Border"))
    return float(width) if isinstance(width, (int, Decimal)) else border[2] if len(border) > 2 else 1.0


def _quads(annotation: Object, box: Rectangle) -> list[Rectangle]:
    points = numbers(annotation.get("/QuadPoints"))
    quads = [points[start : start + 8] for start in range(0, len(points) - 7, 8)]
    return [(min(quad[::2]), min(quad[1::2]), max(quad[::2]), max(quad[1::2])) for quad in quads] or [box]


def _highlight(annotation: Object, box: Rectangle) -> str:
    areas = (f"{_text(left, low, right - left, high - low)} re f" for left, low, right, high in _quads(annotation, box))
    return _color(annotation, "/C", _FILL) + " ".join(areas)


def _lines(annotation: Object, box: Rectangle, height: Callable[[Rectangle], float]) -> str:
    drawn = (f"{_text(quad[0], height(quad))} m {_text(quad[2], height(quad))} l S" for quad in _quads(annotation, box))
    return _color(annotation, "/C", _STROKE) + "1 w " + " ".join(drawn)


def _underline(annotation: Object, box: Rectangle) -> str:
    return _lines(annotation, box, lambda quad: quad[1] + 1)


def _strike(annotation: Object, box: Rectangle) -> str:
    return _lines(annotation, box, lambda quad: (quad[1] + quad[3]) / 2)


def _squiggle(annotation: Object, box: Rectangle) -> str:
    drawn = []
    for left, low, right, _ in _quads(annotation, box):
        steps = range(1, int(min((right - left) / _WAVE, 5000)) + 1)
        points = (f"{_text(left + step * _WAVE, low + 1 + step % 2 * _WAVE)} l" for step in steps)
        drawn.append(f"{_text(left, low + 1)} m {' '.join(points)} S")
    return _color(annotation, "/C", _STROKE) + "1 w " + " ".join(drawn)


def _ink(annotation: Object, _box: Rectangle) -> str:
    listed = annotation.get("/InkList")
    drawn = []
    for stroke in listed if isinstance(listed, Array) else ():
        points = numbers(stroke)
        pairs = list(zip(points[::2], points[1::2], strict=False))
        if pairs:
            lines = " ".join(f"{_text(*pair)} l" for pair in pairs[1:])
            drawn.append(f"{_text(*pairs[0])} m {lines} S")
    return f"{_color(annotation, '/C', _STROKE)}{_text(_width(annotation))} w {' '.join(drawn)}"


def _shape(annotation: Object, box: Rectangle, outline: Callable[[Rectangle], str]) -> str:
    fill, width = _color(annotation, "/IC", _FILL), _width(annotation)
    inset = width / 2
    inner = (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset)
    paint = {(True, True): "B", (True, False): "f", (False, True): "S"}.get((bool(fill), width > 0), "n")
    return f"{_color(annotation, '/C', _STROKE)}{fill}{_text(width)} w {outline(inner)} {paint}"


def _square(annotation: Object, box: Rectangle) -> str:
    def outline(inner: Rectangle) -> str:
        return f"{_text(inner[0], inner[1], inner[2] - inner[0], inner[3] - inner[1])} re"

    return _shape(annotation, box, outline)


def _circle(annotation: Object, box: Rectangle) -> str:
    def outline(inner: Rectangle) -> str:
        left, low, right, high = inner
        x, y = (left + right) / 2, (low + high) / 2
        dx, dy = (right - left) / 2 * _CURVE, (high - low) / 2 * _CURVE
        curves = (
            (left, y + dy, x - dx, high, x, high),
            (x + dx, high, right, y + dy, right, y),
            (right, y - dy, x + dx, low, x, low),
            (x - dx, low, left, y - dy, left, y),
        )
        return f"{_text(left, y)} m " + " ".join(f"{_text(*curve)} c" for curve in curves) + " h"

    return _shape(annotation, box, outline)


_Point = tuple[float, float]


def _points(annotation: Object) -> list[_Point]:
    """Returns the points of a line, a polygon or an open one; none of other marks."""
    key = _POINTS.get(name_text(annotation.get("/Subtype")))
    listed = numbers(annotation.get(key)) if key else []
    return list(zip(listed[::2], listed[1::2], strict=False))


def _path(annotation: Object, _box: Rectangle) -> str:
    points, is_closed = _points(annotation), annotation.get("/Subtype") == Name.Polygon
    if len(points) < 2:
        return ""
    fill, width = _color(annotation, "/IC", _FILL), _width(annotation)
    drawn = " ".join(f"{_text(*point)} {'l' if number else 'm'}" for number, point in enumerate(points))
    paint = ("b" if fill else "s") if is_closed else "S"
    arrows = [] if is_closed else [*_arrows(annotation, points)]
    return " ".join([_color(annotation, "/C", _STROKE), fill, f"{_text(width)} w {drawn} {paint}", *arrows])


def _arrows(annotation: Object, points: list[_Point]) -> Iterator[str]:
    """Yields the heads of a line that ends in arrows."""
    endings = annotation.get("/LE")
    size = max(_width(annotation), 1.0) * _ARROW
    listed = list(endings) if isinstance(endings, Array) else []
    for ending, (x, y), (from_x, from_y) in zip(listed, (points[0], points[-1]), (points[1], points[-2]), strict=False):
        if ending not in (Name.OpenArrow, Name.ClosedArrow):
            continue
        back = atan2(from_y - y, from_x - x)
        first, last = ((x + size * cos(back + turn), y + size * sin(back + turn)) for turn in (pi / 6, -pi / 6))
        paint = "S" if ending == Name.OpenArrow else "b" if _color(annotation, "/IC", _FILL) else "s"
        yield f"{_text(*first)} m {_text(x, y)} l {_text(*last)} l {paint}"


def _note(_annotation: Object, box: Rectangle) -> str:
    """Returns the sign of a note: a yellow speech balloon with three lines, as PDFium draws it."""
    left, bottom, right, top = box[0] + 0.5, box[1] + 0.5 + _TIP, box[2] - 0.5, box[3] - 0.5
    corners = [
        *((left, bottom), (left, top), (right, top), (right, bottom)),
        *((left + 2 * _TIP, bottom), (left + 1.5 * _TIP, bottom - _TIP), (left + _TIP, bottom)),
    ]
    heights = [top - (top - bottom) / 4 * number for number in (1, 2, 3)]
    lines = (f"{_text(left + 2, height)} m {_text(right - 2, height)} l" for height in heights)
    outline = " ".join(f"{_text(*corner)} {'l' if number else 'm'}" for number, corner in enumerate(corners))
    return f"1 1 0 rg 0 G 1 w {outline} h B {' '.join(lines)} S"


_OF_TEXT = {Name.Highlight, Name.Underline, Name.StrikeOut, Name.Squiggly}
_POINTS = {"/Line": "/L", "/Polygon": "/Vertices", "/PolyLine": "/Vertices"}
"""The members that have the points of a mark."""
_ARROW = 9.0
"""The length of the head of an arrow, in widths of its line."""
_NOTE, _TIP = 20.0, 4.0
"""The size of the sign of a note, and that of its tip."""
_MARKS: Mapping[Name, Callable[[Object, Rectangle], str]] = {
    Name.Highlight: _highlight,
    Name.Underline: _underline,
    Name.StrikeOut: _strike,
    Name.Squiggly: _squiggle,
    Name.Ink: _ink,
    Name.Square: _square,
    Name.Circle: _circle,
    Name.Text: _note,
    Name.Line: _path,
    Name.Polygon: _path,
    Name.PolyLine: _path,
}
