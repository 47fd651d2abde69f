"""Finds what a paper's reader would not find in the pack: attachments, and what other programs show (ADR packs)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from governance.packs.copier.report import LeftOut, Loss
from governance.packs.copier.syntax import member, name_text

_MOST_FILES = 200
_MOST_ANNOTATIONS = 20_000
"""Annotations of a page: a form or a map may have thousands before the one that has a file."""
_MOST_NODES = 1000
_MEDIA = {"/3D", "/Movie", "/RichMedia", "/Screen", "/Sound"}
_FILE_NAMES = ("/UF", "/F", "/Desc")
"""What a file is called, the best first (ISO 32000-1, table 44)."""


def of_pdf(pdf: Pdf) -> list[LeftOut]:
    """Returns what the pack of a PDF lacks, of each kind once."""
    annotations = [annotation for page in pdf.pages for annotation in _annotations(page.obj)]
    files = list(dict.fromkeys(_files(pdf, annotations)))
    found = []
    if _is_drawn_elsewhere(pdf.Root):
        found.append(LeftOut(Loss.FORM))
    if isinstance(member(pdf.Root, "/Collection"), Dictionary):
        found.append(LeftOut(Loss.PORTFOLIO, tuple(files)))
    elif files:
        found.append(LeftOut(Loss.ATTACHMENTS, tuple(files)))
    if any(name_text(member(annotation, "/Subtype")) in _MEDIA for annotation in annotations):
        found.append(LeftOut(Loss.MEDIA))
    return found


def _is_drawn_elsewhere(root: Any) -> bool:
    """Returns whether a form of XFA makes the pages when it is opened; others have fields, which are shown."""
    form = member(root, "/AcroForm")
    if not isinstance(member(form, "/XFA"), (Array, Stream)):
        return False
    fields = member(form, "/Fields")
    return member(root, "/NeedsRendering") is True or not (isinstance(fields, Array) and len(fields))


def _files(pdf: Pdf, annotations: list[Any]) -> Iterator[str]:
    """Yields the names of the files that are attached to a PDF, to its pages and at places of them."""
    for name, file in _of_tree(member(member(pdf.Root, "/Names"), "/EmbeddedFiles")):
        yield _name(file, name)
    for owner in (pdf.Root, *(page.obj for page in pdf.pages), *annotations):
        for file in _dictionaries(member(owner, "/AF")):
            yield _name(file, None)
    for annotation in annotations:
        if member(annotation, "/Subtype") == Name.FileAttachment:
            yield _name(member(annotation, "/FS"), member(annotation, "/Contents"))


def _of_tree(root: Any) -> Iterator[tuple[Any, Any]]:
    """Yields the names and values of a tree of names, of as many nodes as are read: one may be its own child."""
    waiting = deque([root])
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.popleft()
        listed = _listed(member(node, "/Names"))
        yield from zip(listed[0::2], listed[1::2], strict=False)
        waiting += _listed(member(node, "/Kids"))


def _name(file: Any, otherwise: Any) -> str:
    """Returns the name of a file; without one, that of its place, or a question mark."""
    named = [file, *(member(file, key) for key in _FILE_NAMES), otherwise]
    return next((str(text) for text in named if isinstance(text, String) and str(text).strip()), "?")


def _annotations(page: Any) -> list[Any]:
    return _dictionaries(member(page, "/Annots"), _MOST_ANNOTATIONS)


def _dictionaries(value: Any, most: int = _MOST_FILES) -> list[Any]:
    return [element for element in _listed(value, most) if isinstance(element, Dictionary)]


def _listed(value: Any, most: int = _MOST_FILES) -> list[Any]:
    return [value[at] for at in range(min(len(value), most))] if isinstance(value, Array) else []
