"""Draws the file of approved minutes as PDF/A-3u (ISO 19005-3), with what it proves attached.

The same facts give the same bytes: no time of the clock and nothing random is in it, before it is sealed.
"""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from xml.sax.saxutils import escape

import rfc8785
from fpdf import FPDF
from fpdf.fonts import TTFFont

from governance.instants import Instant, to_datetime
from governance.minutes_file.pages import APPROVAL_FILE, VERSION_FILE, lines
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.packs.pages import document_at, draw
from governance.texts import text

_STANDARD = "PDF/A-3U"
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


def draw_minutes(facts: ApprovedMinutes, target: Path) -> None:
    """Writes the file, which is not sealed yet. Raises `PaperError` for more pages than a pack takes of one paper."""
    approved_at = to_datetime(Instant(facts.approval["approvedAt"])).astimezone(UTC)
    title = text(facts.language, "minutes_file.title", number=facts.approval["number"], title=facts.title)
    attached = {
        VERSION_FILE: facts.version.encode(),
        APPROVAL_FILE: rfc8785.dumps(json.loads(json.dumps(facts.approval))),
    }
    with document_at(target, _STANDARD) as document:
        document.set_creation_date(approved_at)
        document.set_title(title)
        document.set_lang(facts.language)
        document.set_xmp_metadata(_METADATA.format(time=approved_at.isoformat(timespec="seconds"), title=escape(title)))
        draw(document, lines(facts), target.parent)
        _give_letters(document)
        for name, content in attached.items():
            document.embed_file(
                bytes=content,
                basename=name,
                mime_type="application/json",
                modification_date=approved_at,
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
