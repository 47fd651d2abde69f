"""Draws form fields and notes whose appearance is absent, empty or declared out of date, as a reader does.

Readers draw them when a file is opened; a pack has no fields, so their values must be part of what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, parse_content_stream

from governance.packs.copier.field_drawing import Drawing
from governance.packs.copier.report import PaperError, Problem
from governance.packs.copier.syntax import member, name_text, numbers
from governance.packs.copier.widgets import BUTTON, PASSWORD, Widget, text_of

_FIELDS = 10_000
"""Values that are drawn for one paper."""
_TEXT_OPERATORS = {b"Tj", b"TJ", b"'", b'"', b"Do", b"INLINE IMAGE"}
_TURNS = {90: [0, 1, -1, 0, 0, 0], 180: [-1, 0, 0, -1, 0, 0], 270: [0, -1, 1, 0, 0, 0]}


def draw_values(pdf: Pdf, annotations: Iterable[Object]) -> None:
    """Gives each widget whose value its appearance does not show an appearance that does, in memory."""
    form = pdf.Root.get("/AcroForm")
    stale = member(form, "/NeedAppearances") is True
    widgets = [
        Widget(annotation, form)
        for annotation in annotations
        if annotation.get("/Subtype") in (Name.Widget, Name.FreeText)
    ]
    for widget in widgets:
        _choose_state(widget, stale)
    undrawn = [candidate for candidate in widgets if candidate.size and _is_undrawn(candidate, stale)]
    if len(undrawn) > _FIELDS:
        raise PaperError(Problem.TOO_LONG)
    if undrawn:
        with Pdf.open(BytesIO(Drawing().of(undrawn))) as drawn:
            for widget, page in zip(undrawn, drawn.pages, strict=True):
                appearance = pdf.copy_foreign(drawn.make_indirect(page.as_form_xobject()))
                if widget.rotation:
                    appearance.Matrix = Array(_TURNS[widget.rotation])
                widget.annotation.AP = Dictionary(N=appearance)


def _choose_state(widget: Widget, stale: bool) -> None:
    """Chooses the appearance of a check box or radio button by its value, where it has none or it is out of date."""
    states = member(member(widget.annotation, "/AP"), "/N")
    if widget.kind != Name.Btn or widget.has(BUTTON) or not isinstance(states, Dictionary):
        return
    value, state = widget.value, widget.annotation.get("/AS")
    if state is None or (stale and isinstance(value, Name)):
        chosen = value if isinstance(value, Name) and name_text(value) in states else Name.Off
        widget.annotation.AS = chosen


def _is_undrawn(widget: Widget, stale: bool) -> bool:
    kind, normal = widget.kind, member(member(widget.annotation, "/AP"), "/N")
    if kind == Name.Btn:
        return not isinstance(_of_state(widget, normal), Stream) and _looks_like_something(widget)
    if kind not in (Name.Tx, Name.Ch):
        return False
    if stale or (widget.has(PASSWORD) and kind == Name.Tx):
        return True
    return not isinstance(normal, Stream) or (bool(text_of(widget.value)) and not _draws(normal))


def _of_state(widget: Widget, normal: Any) -> Any:
    """Returns what stands for the state of a button: in some papers an empty dictionary, or nothing."""
    return normal if isinstance(normal, Stream) else member(normal, name_text(widget.annotation.get("/AS") or Name.Off))


def _looks_like_something(widget: Widget) -> bool:
    looks = widget.annotation.get("/MK")
    has_frame = any(numbers(member(looks, key)) for key in ("/BG", "/BC"))
    return has_frame or widget.has(BUTTON) or widget.is_marked


def _draws(appearance: Stream) -> bool:
    return any(instruction.operator.unparse() in _TEXT_OPERATORS for instruction in parse_content_stream(appearance))
