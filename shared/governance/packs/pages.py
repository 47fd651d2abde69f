"""Makes pages of content that is not a PDF: texts, pictures, and lines that the service itself writes."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import ttf_opensans
from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos
from fpdf.fonts import TTFFont
from PIL import Image, ImageOps, ImageSequence

from governance.limits import PACK_PAPER_PAGES
from governance.packs.copier.letters import writable
from governance.packs.copier.report import PaperError, Problem
from governance.packs.directions import is_mixed, parts_as_seen
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.packs.places import Places
from governance.packs.scripts import Scripts

FONT = "OpenSans"
"""The font of the pages, where it has the letters."""
_MARGIN = 20.0
_TEXT_BYTES = 8 * 1024 * 1024
_PIXELS = 40_000_000
"""The largest picture that is decoded; one of a JPEG file may be larger, as it is decoded smaller."""
_LONGEST_SIDE = 3500
"""A page of A4 at 300 dots an inch."""
Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
_TAB = 4
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How texts begin that spreadsheets write as Unicode text."""
_OF_16_BITS = [number // 257 for number in range(65_536)]
"""The eight bits of each number of sixteen."""
_FORMATS = ("GIF", "JPEG", "PNG", "TIFF", "WEBP")
_STYLES: Mapping[str, tuple[str, float, float, float]] = {
    "title": ("B", 26, 11, 90),
    "subtitle": ("", 14, 7, 3),
    "heading": ("B", 18, 9, 0),
    "item": ("B", 11, 5.5, 4),
    "detail": ("", 9.5, 5, 0.5),
    "link": ("", 9.5, 5, 0.5),
    "text": ("", 9, 4.5, 0),
    MISSING: ("", 9.5, 5, 4),
    "page": ("", 0, 0, 0),
}
"""Weight and size in points, height of a line and the space above it in millimetres; `page` begins a new page, and
`missing` is written where no font has some letters."""


class Pages(FPDF):
    """A document each of whose lines says its font.

    fpdf2 sets a line apart that it begins in one font and ends in another; what follows has the font of before again,
    which fpdf2 takes for that of the line. So letters of one font were drawn as those of another.
    """

    def _render_styled_text_line(self, *args: Any, **options: Any) -> bool:
        self.current_font_is_set_on_page = False
        return super()._render_styled_text_line(*args, **options)


def of_lines(lines: Iterable[Line], target: Path) -> None:
    """Writes lines as pages of a PDF. Raises `PaperError` for more pages than a pack takes of one paper."""
    with document_at(target) as document:
        draw(document, lines, target.parent)


def draw(document: FPDF, lines: Iterable[Line], folder: Path) -> None:
    """Draws lines on new pages of a document, whose fonts are kept in `folder` until it is written. Raises likewise."""
    listed = list(lines)
    document.add_page()
    scripts = Scripts(document, FONT, [line.text for line in listed], folder)
    places = Places(document)
    for line in listed:
        _add_line(document, scripts, places, line)
    places.write_numbers(lambda: scripts.use("", *_STYLES["item"][:2]))


def _add_line(document: FPDF, scripts: Scripts, places: Places, line: Line) -> None:
    weight, size, height, above = _STYLES[line.style]
    if line.style == "page":
        document.add_page()
        if line.place:
            places.begin(line.place)
    elif line.style != MISSING or scripts.missed:
        named = line.text.replace(LETTERS, scripts.missed) if line.style == MISSING else line.text
        text = writable(named.expandtabs(_TAB), scripts.known)
        document.ln(above)
        address = line.text if line.style == "link" else ""
        with places.leading_to(line.place, height) if line.place else nullcontext(address) as link:
            for paragraph in text.split("\n"):
                align, wrap = scripts.use(paragraph, weight, size)
                _add_paragraph(document, paragraph, height, link, align=align, wrapmode=wrap)
    if document.page > PACK_PAPER_PAGES:
        raise PaperError(Problem.TOO_LONG)


def _add_paragraph(document: FPDF, text: str, height: float, link: str | int, **layout: Any) -> None:
    if not is_mixed(text):
        document.multi_cell(0, height, text, link=link, new_x=XPos.LMARGIN, new_y=YPos.NEXT, **layout)
        return
    lines: Any = document.multi_cell(0, height, text, dry_run=True, output=MethodReturnValue.LINES, **layout)
    for line in lines:
        _add_mixed_line(document, line, height, link)


def _add_mixed_line(document: FPDF, line: str, height: float, link: str | int) -> None:
    """Writes a line that begins at the left and holds words from the right, part by part."""
    for direction, part in parts_as_seen(line):
        document.set_text_shaping(use_shaping_engine=True, direction=direction)
        document.cell(document.get_string_width(part), height, part, link=link)
    document.ln(height)


def of_text(source: Path, target: Path) -> None:
    """Writes a text as pages of a PDF. Raises `PaperError` for one that is too long."""
    if source.stat().st_size > _TEXT_BYTES:
        raise PaperError(Problem.TOO_LONG)
    text = _decoded(source.read_bytes())
    of_lines([Line("text", line or " ") for line in text.splitlines() or [" "]], target)


def _decoded(content: bytes) -> str:
    if content.startswith(_UTF_16):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def of_picture(source: Path, target: Path) -> None:
    """Writes a picture as a page of a PDF, each picture of a TIFF file as one. Raises `PaperError` for a huge one."""
    with document_at(target) as document, Image.open(source, formats=_FORMATS) as picture:
        frames = ImageSequence.Iterator(picture) if picture.format == "TIFF" else [picture]
        for number, frame in enumerate(frames, 1):
            if number > PACK_PAPER_PAGES:
                raise PaperError(Problem.TOO_LONG)
            _add_picture(document, frame)


def _add_picture(document: FPDF, frame: Image.Image) -> None:
    is_photo = frame.format == "JPEG"
    if is_photo:
        frame.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    if frame.width * frame.height > _PIXELS:
        raise PaperError(Problem.TOO_HEAVY)
    shown = _opaque(ImageOps.exif_transpose(frame))
    shown.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    document.set_image_filter("DCTDecode" if is_photo else "FlateDecode")
    document.add_page(orientation="landscape" if shown.width > shown.height else "portrait")
    width, height = document.epw, document.eph
    document.image(shown, x=_MARGIN, y=_MARGIN, w=width, h=height, keep_aspect_ratio=True)


def _opaque(picture: Image.Image) -> Image.Image:
    """Returns a picture on white, of eight bits a channel: the writer draws no others as they are."""
    if picture.mode[0] in "IF":
        return _gray(picture)
    if picture.has_transparency_data:
        white = Image.new("RGB", picture.size, "white")
        layered = picture.convert("RGBA")
        white.paste(layered, mask=layered.getchannel("A"))
        return white
    return picture.convert("L" if picture.mode in {"1", "L"} else "RGB")


def _gray(picture: Image.Image) -> Image.Image:
    """Returns a picture of wide numbers in gray: 16 bits as they are, others from black to their largest number."""
    if picture.mode.startswith("I;16"):
        return picture.convert("I").point(_OF_16_BITS, "L")
    wide = picture.convert("F")
    largest: Any = wide.getextrema()[1]
    return wide.point(lambda value: value * (255 / largest if largest > 0 else 0)).convert("L")


@contextmanager
def document_at(target: Path, compliance: str | None = None, kind: type[Pages] = Pages) -> Iterator[FPDF]:
    """Lets a document be made, by the rules of a standard if it names one; writes it and closes its fonts' files."""
    document = kind(format="A4", enforce_compliance=compliance)
    document.alias_nb_pages("")  # `{nb}` is text like any other
    document.set_margin(_MARGIN)
    document.set_auto_page_break(auto=True, margin=_MARGIN)
    fonts = Path(ttf_opensans.__file__).parent / "ttf"
    for weight, name in (("", "Regular"), ("B", "Bold")):
        document.add_font(FONT, weight, str(fonts / f"OpenSans-{name}.ttf"))
    try:
        yield document
        document.output(str(target))
    finally:
        for font in document.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()


MAKERS: Mapping[str, Callable[[Path, Path], None]] = {
    "image/gif": of_picture,
    "image/jpeg": of_picture,
    "image/png": of_picture,
    "image/tiff": of_picture,
    "image/webp": of_picture,
    "text/csv": of_text,
    "text/plain": of_text,
}
"""The function that makes pages of a file, by its type; PDF files need none."""
