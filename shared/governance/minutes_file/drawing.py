"""Draws a file as PDF/A-3u (ISO 19005-3), with what it proves attached.

The same contents give the same bytes: no time of the clock and nothing random is in it, before it is sealed.
"""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from xml.sax.saxutils import escape

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import TTFFont

from governance.instants import to_datetime
from governance.minutes_file.contents import Contents
from governance.packs.pages import FONT, Pages, document_at, draw

_STANDARD = "PDF/A-3U"
_NUMBER_POINTS, _NUMBER_ABOVE_END = 8, -14
"""Size of the number of a page in points, and its place in millimetres from the end of the page."""
_UNSEEN = ord("\N{COMBINING GRAPHEME JOINER}")
_METADATA = """\
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmp:CreateDate="{time}" xmp:ModifyDate="{time}" xmp:MetadataDate="{time}">
<pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>U</pdfaid:conformance>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>"""


class _NumberedPages(Pages):
    """A document whose pages have their numbers below."""

    def footer(self) -> None:
        """Writes the number of the page, whatever way the text of the page runs."""
        shaping = self.text_shaping
        self.set_text_shaping(use_shaping_engine=False)
        self.set_font(FONT, size=_NUMBER_POINTS)
        self.set_y(_NUMBER_ABOVE_END)
        self.cell(0, 5, str(self.page_no()), align="C", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.text_shaping = shaping


def draw_contents(contents: Contents, target: Path) -> None:
    """Writes the file, which is not sealed yet. Raises `PaperError` for more pages than a pack takes of one paper."""
    dated, title = to_datetime(contents.dated_at).astimezone(UTC), contents.title
    with document_at(target, _STANDARD, _NumberedPages) as document:
        document.set_creation_date(dated)
        document.set_title(title)
        document.set_lang(contents.language)
        document.set_xmp_metadata(_METADATA.format(time=dated.isoformat(timespec="seconds"), title=escape(title)))
        draw(document, contents.lines, target.parent)
        _give_letters(document)
        for name, content in contents.attachments.items():
            document.embed_file(
                bytes=content.encode(),
                basename=name,
                mime_type="application/json",
                modification_date=dated,
                associated_file_relationship="Source",
                compress=True,
            )


def _give_letters(document: FPDF) -> None:
    """Gives an unseen letter to each shape that only completes another: none may be without one (6.2.11.7.2)."""
    shapes = (
        shape for font in document.fonts.values() if isinstance(font, TTFFont) for shape, _ in font.subset.items()
    )
    for shape in shapes:
        if shape is not None and not shape.unicode:
            shape.unicode = (_UNSEEN,)
