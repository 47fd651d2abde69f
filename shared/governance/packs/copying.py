"""Copies the pages of a PDF into a pack, object by object, so that no paper is ever in memory as a whole.

Only what the pages need is copied: nothing that runs (scripts, actions on opening, launched programs), no forms, no
outline and no metadata of the paper. Each page gets the number that it has in the pack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from pypdf import PdfReader, apply_configuration
from pypdf.errors import LimitReachedError
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NullObject,
    PdfObject,
    StreamObject,
)

from governance.limits import FILE_BYTES
from governance.packs.jobs import PaperError, Problem

_NUMBER_FONT = "/BoardPackNumber"
_NUMBER_SIZE = 8.0
_DIGIT_WIDTH = 0.556 * _NUMBER_SIZE
"""Every digit of Helvetica is as wide."""
_MARGIN = 12.0
_NOT_OF_PAGES = {
    "/Parent",
    "/Contents",
    "/Resources",
    "/AA",
    "/B",
    "/PZ",
    "/StructParents",
    "/Tabs",
    "/TemplateInstantiated",
}
_NEVER_COPIED = {"/AA", "/JS", "/StructParent", "/StructParents"}
_HARMLESS_ACTIONS = {"/GoTo", "/Named", "/URI"}
_OF_THE_TREE = {"/Catalog", "/Page", "/Pages"}


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


def copy_pages(source: BinaryIO, target: PackFile, bounds: PaperBounds) -> tuple[list[int], dict[int, int]]:
    """Copies all pages of a PDF; returns the numbers of their objects, and where each new object begins.

    Raises `PaperError` for a PDF that is encrypted, has no pages or is beyond the bounds.
    """
    try:
        with apply_configuration(maximum_declared_stream_length=FILE_BYTES):
            reader = PdfReader(source)
            if reader.is_encrypted:
                raise PaperError(Problem.ENCRYPTED)
            copier = PageCopier(reader, target, bounds)
            numbers = copier.copy()
    except LimitReachedError:
        raise PaperError(Problem.TOO_HEAVY) from None
    if not numbers:
        raise PaperError(Problem.BROKEN)
    return numbers, copier.offsets


@dataclass
class PageCopier:
    """Copies the pages of one PDF. `offsets` are where the copied objects begin, in the order of their numbers."""

    reader: PdfReader
    target: PackFile
    bounds: PaperBounds
    offsets: dict[int, int] = field(default_factory=dict)
    _numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    _waiting: deque[tuple[int, IndirectObject]] = field(default_factory=deque)
    _next: int = 0

    def copy(self) -> list[int]:
        """Copies all pages; returns the numbers of their objects. Raises `PaperError` for a PDF beyond the bounds."""
        self._next = self.target.next_object
        pages = list(self._pages())
        numbers = [self._new_number() for _ in pages]
        for number, page in zip(numbers, pages, strict=True):
            reference = page.indirect_reference
            if reference is not None:
                self._numbers.setdefault((reference.idnum, reference.generation), number)
        opening = self._write(self._new_number(), _stream(b"q"))
        for index, (number, page) in enumerate(zip(numbers, pages, strict=True)):
            self._write(number, self._page(page, opening, self.target.next_page + index))
            self._copy_waiting()
        return numbers

    def _pages(self) -> Iterator[Any]:
        for index, page in enumerate(self.reader.pages):
            if index >= self.bounds.pages:
                raise PaperError(Problem.TOO_LONG)
            yield page

    def _new_number(self) -> int:
        if self._next - self.target.next_object >= self.bounds.objects:
            raise PaperError(Problem.TOO_LONG)
        self._next += 1
        return self._next - 1

    def _write(self, number: int, value: PdfObject) -> IndirectObject:
        """Writes an object; returns the reference to it."""
        file = self.target.file
        self.offsets[number] = file.tell()
        file.write(b"%d 0 obj\n" % number)
        value.write_to_stream(file)
        file.write(b"\nendobj\n")
        return _reference(number)

    def _copy_waiting(self) -> None:
        while self._waiting:
            number, reference = self._waiting.popleft()
            found = self.reader.get_object(reference)
            self._write(number, self._root(found))
            if isinstance(found, StreamObject) and found.get("/Type") != "/ObjStm":
                self.reader.resolved_objects.pop((reference.generation, reference.idnum), None)

    def _root(self, found: PdfObject | None) -> PdfObject:
        """Returns an object as it is copied; pages that the reader did not list, and their tree, are not."""
        if found is None or (isinstance(found, DictionaryObject) and found.get("/Type") in _OF_THE_TREE):
            return NullObject()
        return self._copied(found)

    def _copied(self, value: Any) -> PdfObject:
        if isinstance(value, IndirectObject):
            return self._referred(value)
        if isinstance(value, ArrayObject):
            return ArrayObject(self._copied(each) for each in value)
        if isinstance(value, StreamObject):
            stream = StreamObject()
            stream._data = value._data
            return self._fill(stream, value)
        if isinstance(value, DictionaryObject):
            return self._fill(DictionaryObject(), value)
        copied: PdfObject = value
        return copied

    def _fill(self, copied: DictionaryObject, value: DictionaryObject) -> DictionaryObject:
        for name, member in value.items():
            if name not in _NEVER_COPIED and not (name == "/A" and _runs_something(value)):
                copied[NameObject(name)] = self._copied(member)
        return copied

    def _referred(self, reference: IndirectObject) -> IndirectObject:
        key = (reference.idnum, reference.generation)
        if key not in self._numbers:
            self._numbers[key] = self._new_number()
            self._waiting.append((self._numbers[key], reference))
        return _reference(self._numbers[key])

    def _page(self, page: Any, opening: IndirectObject, page_number: int) -> DictionaryObject:
        copied = DictionaryObject()
        for name, value in page.items():
            if name not in _NOT_OF_PAGES:
                copied[NameObject(name)] = self._copied(value)
        stamp = self._write(self._new_number(), _stream(_stamp(page, page_number)))
        copied[NameObject("/Type")] = NameObject("/Page")
        copied[NameObject("/Parent")] = _reference(self.target.pages)
        copied[NameObject("/Resources")] = self._resources(page)
        copied[NameObject("/Contents")] = ArrayObject([opening, *self._contents(page), stamp])
        return copied

    def _contents(self, page: Any) -> list[PdfObject]:
        raw = page.raw_get("/Contents") if "/Contents" in page else None
        found = raw.get_object() if raw is not None else None
        if isinstance(found, ArrayObject):
            return [self._copied(each) for each in found if isinstance(each, IndirectObject)]
        return [self._copied(raw)] if isinstance(raw, IndirectObject) and isinstance(found, StreamObject) else []

    def _resources(self, page: Any) -> DictionaryObject:
        """Returns the resources of a page, with the font of the page numbers."""
        found = page.get("/Resources")
        resources = found.get_object() if found is not None else None
        copied = (
            self._fill(DictionaryObject(), resources) if isinstance(resources, DictionaryObject) else DictionaryObject()
        )
        fonts = resources.get("/Font") if isinstance(resources, DictionaryObject) else None
        own = fonts.get_object() if fonts is not None else None
        merged = self._fill(DictionaryObject(), own) if isinstance(own, DictionaryObject) else DictionaryObject()
        merged[NameObject(_NUMBER_FONT)] = _reference(self.target.number_font)
        copied[NameObject("/Font")] = merged
        return copied


def _reference(number: int) -> IndirectObject:
    return IndirectObject(number, 0, None)


def _stream(content: bytes) -> StreamObject:
    stream = StreamObject()
    stream._data = content
    return stream


def _runs_something(value: Mapping[str, Any]) -> bool:
    """Returns whether the action of a dictionary does more than lead to a page or an address."""
    action = value["/A"].get_object()
    return not isinstance(action, DictionaryObject) or action.get("/S") not in _HARMLESS_ACTIONS


def _stamp(page: Any, number: int) -> bytes:
    """Returns the content that writes the page's number at the lower right, as the page is shown."""
    box, text = page.cropbox, str(number)
    left, bottom, right, top = (float(side) for side in (box.left, box.bottom, box.right, box.top))
    back = _MARGIN + len(text) * _DIGIT_WIDTH
    matrix = {
        0: f"1 0 0 1 {right - back:.2f} {bottom + _MARGIN:.2f}",
        90: f"0 1 -1 0 {right - _MARGIN:.2f} {top - back:.2f}",
        180: f"-1 0 0 -1 {left + back:.2f} {top - _MARGIN:.2f}",
        270: f"0 -1 1 0 {left + _MARGIN:.2f} {bottom + back:.2f}",
    }[int(page.rotation) // 90 * 90 % 360]
    return f"\nQ q 0.3 g BT {_NUMBER_FONT} {_NUMBER_SIZE:g} Tf {matrix} Tm ({text}) Tj ET Q".encode()
