"""Renders papers and packs by PDFium, the reader of Chromium, and compares what they show."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from governance.packs.book import Book

_SCALE = 2.0
_NUMBER = (40, 26)
"""The corner that the number of a page may cover, in points from the right and from the bottom."""
_LEVELS = 60
"""A difference of brightness that counts: finer ones are those of rounding at the edges of letters."""


def packed(content: bytes, folder: Path) -> bytes:
    """Returns a pack of one paper. Raises `PaperError`."""
    source, made = folder / "paper.pdf", Book(folder / "pack.pdf")
    source.write_bytes(content)
    pages = made.add_file(source, "application/pdf", 1)
    made.finish(pages, [], "Pack", "en")
    pack = made.path.read_bytes()
    with pikepdf.open(io.BytesIO(pack)) as document:
        assert document.check_pdf_syntax() == []
    return pack


def rendered(content: bytes, blurred: int = 1) -> list[Image.Image]:
    """Returns the pages as they are shown, with the values of fields, without the corner of the page number."""
    with pypdfium2.PdfDocument(content) as document:
        document.init_forms()
        shown = [page.render(scale=_SCALE, may_draw_forms=True).to_pil().convert("L") for page in document]
    for page in shown:
        right, bottom = page.size
        corner = (right - _NUMBER[0] * _SCALE, bottom - _NUMBER[1] * _SCALE, right, bottom)
        ImageDraw.Draw(page).rectangle(corner, fill=255)
    return [page.reduce(blurred) for page in shown]


def differing(paper: bytes, pack: bytes, blurred: int = 1) -> int:
    """Returns how many dots of the pages differ; `blurred` compares squares of so many dots."""
    before, after = rendered(paper, blurred), rendered(pack, blurred)
    assert [page.size for page in before] == [page.size for page in after]
    pairs = zip(before, after, strict=True)
    return sum(sum(ImageChops.difference(*pair).histogram()[_LEVELS:]) for pair in pairs)


def ink(content: bytes) -> int:
    """Returns how many dots of the pages are not white."""
    return sum(sum(page.histogram()[:200]) for page in rendered(content))


def text_of(content: bytes) -> str:
    """Returns the text of all pages, hidden text included."""
    with pypdfium2.PdfDocument(content) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def unpacked(content: bytes) -> bytes:
    """Returns a PDF with everything in it decompressed, to be searched for words."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as document:
        document.save(
            written,
            stream_decode_level=pikepdf.StreamDecodeLevel.all,
            compress_streams=False,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
        )
    return written.getvalue()
