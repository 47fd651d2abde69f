"""Copies the pages of a PDF into a pack, object by object, so that no two papers are in memory at the same time.

qpdf reads the paper. What is copied is a list (`kinds`): pages with their content, fonts and pictures, and what
annotations look like. Each page gets the number that it has in the pack.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from pikepdf import Array, Dictionary, Object, Pdf, PdfError, Stream

from governance.packs.copier import left_out
from governance.packs.copier.annotations import AnnotationReader, Shown
from governance.packs.copier.kinds import KINDS, OF_STREAMS, PLAIN
from governance.packs.copier.layers import Layers, without_hidden
from governance.packs.copier.opening import opened
from governance.packs.copier.report import Added, PaperError, Place, Problem
from governance.packs.copier.syntax import (
    Rectangle,
    array,
    common,
    inherited,
    member,
    name,
    name_text,
    rectangle,
    scalar,
    spellings,
)

_NUMBER_FONT = "/BoardPackNumber"
_NUMBER_SIZE = 8.0
_DIGIT_WIDTH = 0.556 * _NUMBER_SIZE
"""Every digit of Helvetica is as wide."""
_MARGIN = 12.0
_STREAM_OBJECTS = 100
"""Objects that are compressed together."""
_LETTER = (0.0, 0.0, 612.0, 792.0)
"""The size of a page that states none, as readers show it."""
_OVERLAY = "/BoardPackOverlay"
"""The name by which a page shows its number, and what its annotations look like."""
_STATES = 16
"""How often the state of a page is saved before its content, and restored behind it. Content may restore it more often
than it saves it, or less often, and would else move, hide or cut off what is shown above it; 28 are what readers take.
"""
_SUBTYPES = {"/Form": "form", "/Image": "image"}
_CONTENT = {"form", "glyph", "pattern"}
"""The kinds of streams that draw."""
_WITH_RESOURCES = {"font", "form", "pattern"}
_EMPTY_FORM = b"<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Length 0 >>\nstream\n\nendstream"


@dataclass(frozen=True)
class PackFile:
    """The pack that pages are copied to: its file, the next numbers, and the objects that pages refer to."""

    file: BinaryIO
    next_object: int
    next_page: int
    pages: int
    number_font: int


@dataclass(frozen=True)
class PaperBounds:
    """The limits of a paper."""

    pages: int
    objects: int


def copy_pages(source: Path, target: PackFile, bounds: PaperBounds) -> Added:
    """Copies all pages of a PDF.

    Raises `PaperError` for a PDF that needs a password, has no pages or is beyond the bounds.
    """
    with opened(source) as pdf:
        copier = PageCopier(pdf, target, bounds)
        numbers, lost = copier.copy(), left_out.of_pdf(pdf)
    if not numbers:
        raise PaperError(Problem.BROKEN)
    return Added(numbers, copier.places, left_out=lost)


@dataclass
class PageCopier:
    """Copies the pages of one PDF. `places` are those of the copied objects, by their numbers."""

    pdf: Pdf
    target: PackFile
    bounds: PaperBounds
    places: dict[int, Place] = field(default_factory=dict)
    _numbers: dict[tuple[tuple[int, int], str], int] = field(default_factory=dict)
    _waiting: deque[tuple[int, Object, str, Any]] = field(default_factory=deque)
    _compressed: list[tuple[int, bytes]] = field(default_factory=list)
    _next: int = 0
    _empty_form: int = 0

    def copy(self) -> list[int]:
        """Copies all pages; returns the numbers of their objects. Raises `PaperError` for a PDF beyond the bounds."""
        self._next = self.target.next_object
        self._layers = Layers(self.pdf)
        if len(self.pdf.pages) > self.bounds.pages:
            raise PaperError(Problem.TOO_LONG)
        pages = [page.obj for page in self.pdf.pages]
        numbers = [self._new_number() for _ in pages]
        by_id = {page.objgen: number for page, number in zip(pages, numbers, strict=True)}
        self._annotations = AnnotationReader(self.pdf, self._layers, by_id)
        opening = self._write_stream(b"", b"q " * _STATES)
        for index, (number, page) in enumerate(zip(numbers, pages, strict=True)):
            self._write(number, self._page(page, opening, self.target.next_page + index))
            self._copy_waiting()
        self._write_compressed()
        return numbers

    def _new_number(self) -> int:
        if self._next - self.target.next_object >= self.bounds.objects:
            raise PaperError(Problem.TOO_LONG)
        self._next += 1
        return self._next - 1

    # -- pages

    def _page(self, page: Object, opening: int, page_number: int) -> bytes:
        resources, rotation = inherited(page, "/Resources"), _rotation(page)
        media = _box(page, "/MediaBox") or _LETTER
        box = common(_box(page, "/CropBox") or media, media) or media
        shown = self._annotations.of(page, rotation)
        overlay = self._overlay(shown, media, _stamp(box, rotation, page_number))
        ending = self._write_stream(b"", b"\n%sq %s Do Q" % (b"Q " * _STATES, _OVERLAY.encode()))
        contents = [b"%d 0 R" % opening, *self._contents(page, resources), b"%d 0 R" % ending]
        members = [
            *self._members(page, "page"),
            b"/Type /Page /Parent %d 0 R /Rotate %d" % (self.target.pages, rotation),
            b"/MediaBox %s /CropBox %s" % (array([*media]), array([*box])),
            b"/Resources << %s >>" % b" ".join(self._resources(resources, overlay)),
            b"/Contents [%s]" % b" ".join(contents),
        ]
        if shown.links:
            members.append(b"/Annots [%s]" % b" ".join(shown.links))
        return b"<< %s >>" % b" ".join(members)

    def _overlay(self, shown: Shown, box: Rectangle, stamp: bytes) -> int:
        """Writes what a page shows above its content; returns the number of the object."""
        forms = [b"%s %s" % (name(key), self._value(form, "xobject")) for key, form in shown.forms.items()]
        resources = b"/Font << %s %d 0 R >> /XObject << %s >>" % (
            name(_NUMBER_FONT),
            self.target.number_font,
            b" ".join(forms),
        )
        members = b"/Type /XObject /Subtype /Form /BBox %s /Resources << %s >>" % (array([*box]), resources)
        return self._write_stream(members, b"\n".join([*shown.content, stamp]))

    def _contents(self, page: Object, resources: Any) -> list[bytes]:
        contents = page.get("/Contents")
        listed = [contents] if isinstance(contents, Stream) else list(contents) if isinstance(contents, Array) else []
        streams = [stream for stream in listed if isinstance(stream, Stream)]
        hidden = self._layers.hidden_names(resources)
        if streams and hidden:
            whole = self.pdf.make_stream(b"\n".join(stream.read_bytes() for stream in streams))
            return [b"%d 0 R" % self._write_stream(b"", without_hidden(whole, hidden))]
        return [self._reference(stream, "data", None) for stream in streams]

    def _resources(self, resources: Any, overlay: int) -> Iterator[bytes]:
        """Yields the resources of a page, with its overlay."""
        objects = member(resources, "/XObject")
        named = self._members(objects, "xobjects", resources) if isinstance(objects, Dictionary) else []
        yield b"/XObject << %s %s %d 0 R >>" % (b" ".join(named), name(_OVERLAY), overlay)
        if isinstance(resources, Dictionary):
            for key, kind in KINDS["resources"].members.items():
                if key != "/XObject" and key in resources:
                    yield b"%s %s" % (name(key), self._value(resources[key], kind, resources))

    # -- values

    def _value(self, value: Any, kind: str, scope: Any = None) -> bytes:
        """Returns a value of a kind as it is written; `scope` are the resources of the content around it."""
        if isinstance(value, Stream) or (isinstance(value, (Array, Dictionary)) and value.is_indirect):
            return self._reference(value, kind, scope)
        return self._direct(value, kind, scope)

    def _direct(self, value: Any, kind: str, scope: Any) -> bytes:
        if isinstance(value, Dictionary):
            return b"<< %s >>" % b" ".join(self._members(value, kind, scope)) if kind in KINDS else b"null"
        if isinstance(value, Array):
            return b"[%s]" % b" ".join(self._value(element, kind, scope) for element in value)
        return scalar(value)

    def _members(self, value: Object, kind: str, scope: Any = None) -> list[bytes]:
        """Returns the members of a dictionary that its kind keeps."""
        known = KINDS[kind]
        scope = value if kind == "resources" else value.get("/Resources", scope) if kind in _WITH_RESOURCES else scope
        names = set(value.keys())
        kinds = ((key, known.members.get(key, known.others)) for key in value.keys())  # noqa: SIM118 - no mapping
        return [
            b"%s %s" % (written, self._value(value[key], member_kind, scope))
            for key, member_kind in kinds
            if member_kind is not None
            for written in (spellings(key, names) if known.others else [name(key)])
        ]

    def _reference(self, value: Object, kind: str, scope: Any) -> bytes:
        """Returns the reference to an object, which is copied once as each kind that it is used as."""
        if kind == "xobject":
            if self._layers.hides(member(value, "/OC")):
                return b"%d 0 R" % self._hidden_form()
            kind = _SUBTYPES.get(name_text(member(value, "/Subtype")), PLAIN)
        if kind == PLAIN and not isinstance(value, Array):
            return b"null"
        key = (value.objgen, kind)
        if key not in self._numbers:
            self._numbers[key] = self._new_number()
            self._waiting.append((self._numbers[key], value, kind, scope))
        return b"%d 0 R" % self._numbers[key]

    def _hidden_form(self) -> int:
        if not self._empty_form:
            self._empty_form = self._new_number()
            self._write_at_once(self._empty_form, _EMPTY_FORM)
        return self._empty_form

    def _copy_waiting(self) -> None:
        while self._waiting:
            number, value, kind, scope = self._waiting.popleft()
            if isinstance(value, Stream):
                self._copy_stream(number, value, kind, scope)
            else:
                self._write(number, self._direct(value, kind, scope))

    def _copy_stream(self, number: int, value: Stream, kind: str, scope: Any) -> None:
        members = self._members(value, kind, scope)
        hidden = self._layers.hidden_names(value.get("/Resources", scope)) if kind in _CONTENT else set()
        if hidden:
            content = without_hidden(value, hidden)
        else:
            content = _raw(value)
            for key, of_member in OF_STREAMS.items():
                if key in value:
                    members.append(b"%s %s" % (name(key), self._value(value[key], of_member)))
        self._write_stream(b" ".join(members), content, number)

    # -- the file

    def _write_stream(self, members: bytes, content: bytes, number: int | None = None) -> int:
        number = self._new_number() if number is None else number
        head = b"<< %s /Length %d >>\nstream\n" % (members, len(content))
        self._write_at_once(number, head, content, b"\nendstream")
        return number

    def _write_at_once(self, number: int, *parts: bytes) -> None:
        file = self.target.file
        self.places[number] = (0, file.tell())
        file.write(b"%d 0 obj\n" % number)
        file.writelines(parts)
        file.write(b"\nendobj\n")

    def _write(self, number: int, content: bytes) -> None:
        """Writes an object that is not a stream, compressed together with others."""
        self._compressed.append((number, content))
        if len(self._compressed) == _STREAM_OBJECTS:
            self._write_compressed()

    def _write_compressed(self) -> None:
        if not self._compressed:
            return
        index, content = b"", b""
        for number, body in self._compressed:
            index += b"%d %d " % (number, len(content))
            content += body + b"\n"
        members = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(self._compressed), len(index))
        stream = self._write_stream(members, zlib.compress(index + content))
        self.places |= {number: (stream, order) for order, (number, _) in enumerate(self._compressed)}
        self._compressed.clear()


def _raw(stream: Stream) -> bytes:
    """Returns the bytes of a stream, not decoded. Raises `PaperError` if there is no memory for them."""
    try:
        return stream.read_raw_bytes()
    except PdfError:
        raise PaperError(Problem.TOO_HEAVY) from None


def _box(page: Object, key: str) -> Rectangle | None:
    """Returns a box of a page; None for one without an area, which readers ignore."""
    box = rectangle(inherited(page, key))
    return box and common(box, box)


def _rotation(page: Object) -> int:
    turned = inherited(page, "/Rotate")
    return int(turned / 90) % 4 * 90 if isinstance(turned, (int, float, Decimal)) else 0


def _stamp(box: Rectangle, rotation: int, number: int) -> bytes:
    """Returns the content that writes the page's number at the lower right, as the page is shown."""
    left, bottom, right, top = box
    text = str(number)
    width, height = (right - left, top - bottom) if rotation % 180 == 0 else (top - bottom, right - left)
    wide = len(text) * _DIGIT_WIDTH
    back, up = wide + min(_MARGIN, max(0, width - wide) / 2), min(_MARGIN, max(0, height - _NUMBER_SIZE) / 2)
    matrix = {
        0: f"1 0 0 1 {right - back:.2f} {bottom + up:.2f}",
        90: f"0 1 -1 0 {right - up:.2f} {top - back:.2f}",
        180: f"-1 0 0 -1 {left + back:.2f} {top - up:.2f}",
        270: f"0 -1 1 0 {left + up:.2f} {bottom + back:.2f}",
    }[rotation]
    return f"q 0.3 g BT {_NUMBER_FONT} {_NUMBER_SIZE:g} Tf {matrix} Tm ({text}) Tj ET Q".encode()
