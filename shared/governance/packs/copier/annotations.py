"""What annotations add to the page of a pack: links that lead to a page or an address, and pictures of all others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pikepdf import Annotation, Array, Dictionary, Name, NameTree, Object, Pdf, Stream, String

from governance.packs.copier import fields
from governance.packs.copier.layers import Layers
from governance.packs.copier.markup import draw_marks
from governance.packs.copier.syntax import Rectangle, array, member, name, name_text, numbers, rectangle, scalar

_NOT_SHOWN = 2 | 32
"""The flags of annotations that are hidden, or not shown on a screen."""
_ADDRESS = re.compile(rb"(https?://[^/\x00-\x20]|mailto:[^\x00-\x20])[^\x00-\x20\x7f]*", re.IGNORECASE)
_FITS = {"/XYZ", "/Fit", "/FitH", "/FitV", "/FitR", "/FitB", "/FitBH", "/FitBV"}
_POPUP = "/Popup"
_LINK = "/Link"


@dataclass
class Shown:
    """What is shown of the annotations of a page: content that draws forms by their names, and links."""

    content: list[bytes] = field(default_factory=list)
    forms: dict[str, Object] = field(default_factory=dict)
    links: list[bytes] = field(default_factory=list)


class AnnotationReader:
    """Reads the annotations of a PDF, whose pages have these objects in the pack."""

    def __init__(self, pdf: Pdf, layers: Layers, pages: Mapping[tuple[int, int], int]) -> None:
        self._pdf, self._layers, self._pages = pdf, layers, pages
        listed = [annotation for page in pdf.pages for annotation in _annotations(page.obj)]
        fields.draw_values(pdf, listed)
        draw_marks(pdf, listed)

    def of(self, page: Object, rotation: int) -> Shown:
        """Returns what is shown of the annotations of a page."""
        shown = Shown()
        for annotation in _annotations(page):
            flags = annotation.get("/F", 0)
            hidden = isinstance(flags, int) and flags & _NOT_SHOWN
            if not hidden and annotation.get("/Subtype") != _POPUP and not self._layers.hides(annotation.get("/OC")):
                self._add(shown, annotation, rotation)
        return shown

    def _add(self, shown: Shown, annotation: Object, rotation: int) -> None:
        key = f"/A{len(shown.forms)}"
        wrapped = Annotation(annotation)
        form: Any = wrapped.get_appearance_stream(Name.N)
        if isinstance(form, Stream) and form.get("/Subtype") != Name.Image:
            _complete(form, rectangle(annotation.get("/Rect")))
        content = (
            wrapped.get_page_content_for_appearance(Name(key), rotation, 0, 0) if isinstance(form, Stream) else b""
        )
        if content:
            shown.content.append(content)
            shown.forms[key] = form
        if annotation.get("/Subtype") == _LINK:
            shown.links += self._link(annotation)

    def _link(self, annotation: Object) -> list[bytes]:
        """Returns a link, if it leads to a page of the paper or to an address of the web or of mail."""
        target, place = self._target(annotation), rectangle(annotation.get("/Rect"))
        if target is None or place is None:
            return []
        members = [b"/Type /Annot /Subtype /Link /Rect %s" % array([*place]), target]
        listed = (key for key in ("/Border", "/C", "/QuadPoints") if isinstance(annotation.get(key), Array))
        members += [b"%s %s" % (name(key), array(numbers(annotation[key]))) for key in listed]
        style = annotation.get("/BS")
        if isinstance(style, Dictionary):
            members.append(b"/BS << /W %s /S %s >>" % (scalar(style.get("/W", 1)), scalar(style.get("/S", Name.S))))
        if isinstance(annotation.get("/H"), Name):
            members.append(b"/H %s" % scalar(annotation["/H"]))
        return [b"<< %s >>" % b" ".join(members)]

    def _target(self, annotation: Object) -> bytes | None:
        action = annotation.get("/A")
        kind = member(action, "/S")
        if kind == Name.URI:
            address = member(action, "/URI")
            is_safe = isinstance(address, String) and _ADDRESS.fullmatch(bytes(address))
            return b"/A << /S /URI /URI %s >>" % scalar(address) if is_safe else None
        named = member(action, "/D") if kind == Name.GoTo else annotation.get("/Dest")
        destination = self._destination(named)
        return b"/Dest %s" % destination if destination else None

    def _destination(self, target: Any) -> bytes | None:
        """Returns a place in the paper, which may have a name."""
        if isinstance(target, Name):
            target = member(member(self._pdf.Root, "/Dests"), name_text(target))
        elif isinstance(target, String):
            target = self._named(target)
        target = member(target, "/D") if isinstance(target, Dictionary) else target
        page, *place = list(target) if isinstance(target, Array) and len(target) else [None]
        number = self._pages.get(page.objgen) if isinstance(page, Dictionary) else None
        if number is None:
            return None
        if not place or name_text(place[0]) not in _FITS:
            return b"[%d 0 R /Fit]" % number
        return b"[%d 0 R %s]" % (number, b" ".join(scalar(operand) for operand in place))

    def _named(self, text: String) -> Any:
        tree = member(member(self._pdf.Root, "/Names"), "/Dests")
        with suppress(Exception):  # a damaged tree has no names
            return NameTree(tree).get(str(text)) if isinstance(tree, Dictionary) else None
        return None


def _complete(form: Stream, place: Rectangle | None) -> None:
    """Gives an appearance what its writer left out: that it is a form, and its box, which is as large as its place."""
    form.Subtype = Name.Form
    if rectangle(form.get("/BBox")) is None and place is not None:
        left, bottom, right, top = place
        form.BBox = Array([0, 0, *(Decimal(f"{size:.4f}") for size in (right - left, top - bottom))])


def _annotations(page: Object) -> Iterator[Object]:
    listed = page.get("/Annots")
    return (
        annotation for annotation in (listed if isinstance(listed, Array) else ()) if isinstance(annotation, Dictionary)
    )
