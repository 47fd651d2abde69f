"""What a paper carries that runs, fetches or embeds a file is not in its pack: a list says what may stay (ADR
packs)."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from governance.packs.copier.report import PaperError, Problem
from tests.packs.comparing import packed, text_of, unpacked
from tests.packs.making import overlapping, raw
from tests.packs.sample_papers import page, show, stream

pytestmark = pytest.mark.usefixtures("in_this_process")
_EVIL = b"(Payload.exe)"
_FILE = b"<< /Type /Filespec /F %s /UF %s /EF << /F 7 0 R >> >>" % (_EVIL, _EVIL)
_EMBEDDED = stream(b"/Type /EmbeddedFile", b"Payload")
_SCRIPT = b"<< /S /JavaScript /JS (Payload\\(\\)) >>"
WORDS = (b"Payload", b"JavaScript", b"Filespec", b"EmbeddedFile", b"AcroForm", b"OCProperties", b"/Next", b"/AA")
LINK = b"<< /Type /Annot /Subtype /Link /Rect [20 20 90 40] /Border [0 0 1] /C [1 0 0] %s >>"


def link(members: bytes) -> bytes:
    return page(b"", show("Fine", 100), LINK % members, _EMBEDDED, of_page=b"/Annots [6 0 R]")


def annotation(members: bytes) -> bytes:
    """Returns a paper with an annotation that is shown as a rectangle; 8 is its appearance."""
    return page(
        b"",
        show("Fine", 100),
        b"<< /Type /Annot /Rect [20 20 90 40] /F 4 /AP << /N 8 0 R >> %s >>" % members,
        _EMBEDDED,
        stream(b"/Type /XObject /Subtype /Form /BBox [0 0 70 20]", b"1 0 0 rg 0 0 70 20 re f"),
        of_page=b"/Annots [6 0 R]",
    )


def picture_with(members: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray "
    content = show("Fine", 100) + b"q 20 0 0 20 20 20 cm /X Do Q"
    return page(b"/XObject << /X 6 0 R >>", content, stream(head + members, b"\0"), _EMBEDDED)


def form_with(members: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 70 20] "
    content = show("Fine", 100) + b"/X Do"
    return page(b"/XObject << /X 6 0 R >>", content, stream(head + members, b"0 0 70 20 re f"), _EMBEDDED)


def of_page(members: bytes) -> bytes:
    return page(b"", show("Fine", 100), b"null", _EMBEDDED, of_page=members)


def of_catalog(members: bytes) -> bytes:
    return page(b"", show("Fine", 100), b"null", _EMBEDDED, of_catalog=members)


def _action(kind: str, members: bytes = b"") -> bytes:
    return b"<< /S /%s /F %s %s >>" % (kind.encode(), _FILE, members)


_ACTIONS = {
    "Launch": _action("Launch", b"/Win << /F %s >>" % _EVIL),
    "JavaScript": _SCRIPT,
    "SubmitForm": _action("SubmitForm"),
    "ImportData": _action("ImportData"),
    "GoToR": _action("GoToR", b"/D [0 /Fit]"),
    "GoToE": _action("GoToE"),
    "GoTo3DView": _action("GoTo3DView"),
    "Thread": _action("Thread"),
    "Sound": b"<< /S /Sound /Sound 7 0 R >>",
    "Movie": b"<< /S /Movie /T %s >>" % _EVIL,
    "Rendition": b"<< /S /Rendition /JS (Payload\\(\\)) /R << /C << /D %s >> >> >>" % _FILE,
    "RichMediaExecute": b"<< /S /RichMediaExecute /CMD << /C %s >> >>" % _EVIL,
    "Named": b"<< /S /Named /N /Payload >>",
    "SetOCGState": b"<< /S /SetOCGState /State [/Payload] >>",
    "Hide": b"<< /S /Hide /T %s >>" % _EVIL,
    "ResetForm": b"<< /S /ResetForm /Fields [%s] >>" % _EVIL,
    "Trans": b"<< /S /Trans /Payload 1 >>",
}
_ADDRESSES = [
    b"javascript:Payload()",
    b"JavaScript:Payload()",
    b"java\\nscript:Payload()",
    b" javascript:Payload()",
    b"file:///Payload",
    b"data:text/html,Payload",
    b"vbscript:Payload",
    b"Payload.html",
    b"//example.com/Payload",
    b"/Payload",
    b"http:Payload",
    b"http:///Payload",
    b"ftp://example.com/Payload",
    b"https://example.com/Payload\\nfile:",
    b"\\001https://example.com/Payload",
]
_PAPERS = {
    **{f"link: {name}": link(b"/A " + action) for name, action in _ACTIONS.items()},
    **{f"address: {address.decode()}": link(b"/A << /S /URI /URI (%s) >>" % address) for address in _ADDRESSES},
    "relative address": of_catalog(b"/URI << /Base (file:///Payload) >>"),
    "chain": link(b"/A << /S /GoTo /D [3 0 R /Fit] /Next [%s << /S /URI /URI (file:Payload) >>] >>" % _SCRIPT),
    "events of a link": link(b"/AA << /E %s >> /PA << /S /URI /URI (file:Payload) >>" % _SCRIPT),
    "destination elsewhere": link(b"/Dest [7 0 R /Fit]"),
    "destination with a script": link(b"/Dest [3 0 R /XYZ 0 0 %s]" % _SCRIPT),
    **{
        f"annotation: {name}": annotation(members)
        for name, members in {
            "FileAttachment": b"/Subtype /FileAttachment /FS %s" % _FILE,
            "Sound": b"/Subtype /Sound /Sound 7 0 R",
            "Movie": b"/Subtype /Movie /Movie << /F %s >> /A true" % _FILE,
            "Screen": b"/Subtype /Screen /MK << >> /A %s" % _ACTIONS["Rendition"],
            "3D": b"/Subtype /3D /3DD << /OnInstantiate 7 0 R >> /3DV << /Payload 1 >>",
            "RichMedia": b"/Subtype /RichMedia /RichMediaContent << /Assets << /Names [%s %s] >> >>" % (_EVIL, _FILE),
            "Stamp": b"/Subtype /Stamp /AF [%s] /A %s" % (_FILE, _SCRIPT),
            "Widget": b"/Subtype /Widget /FT /Btn /T (x) /Ff 65536 /A %s /AA << /K %s >>" % (_SCRIPT, _SCRIPT),
            "Watermark": b"/Subtype /Watermark /FixedPrint << /Payload 1 >>",
            "TrapNet": b"/Subtype /TrapNet /Version [7 0 R]",
            "Projection": b"/Subtype /Projection /ExData << /Payload 1 >>",
            "Text": b"/Subtype /Text /Contents (Payload) /RC (<Payload/>) /Popup 7 0 R",
        }.items()
    },
    **{
        f"picture: {name}": picture_with(members)
        for name, members in {
            "external content": b"/F %s /FFilter /FlateDecode" % _FILE,
            "address": b"/F << /FS /URL /F (http://example.com/Payload) >>",
            "alternates": b"/Alternates [<< /Image 7 0 R >>]",
            "associated file": b"/AF [%s]" % _FILE,
            "prepress": b"/OPI << /2.0 << /F %s >> >>" % _FILE,
            "metadata": b"/Metadata 7 0 R",
        }.items()
    },
    **{
        f"form: {name}": form_with(members)
        for name, members in {
            "another file's page": b"/Ref << /F %s /Page 0 >>" % _FILE,
            "PostScript": b"/Subtype2 /PS /PS 7 0 R",
            "of its application": b"/PieceInfo << /X << /Private 7 0 R >> >>",
            "associated file": b"/AF [%s]" % _FILE,
        }.items()
    },
    "PostScript": form_with(b"")
    .replace(b"/Subtype /Form", b"/Subtype /PS  ")
    .replace(b"0 0 70 20 re f", b"(Payload) run "),
    **{
        f"page: {name}": of_page(members)
        for name, members in {
            "events": b"/AA << /O %s >>" % _SCRIPT,
            "presentation": b"/PresSteps << /NA %s >>" % _SCRIPT,
            "associated file": b"/AF [%s]" % _FILE,
            "of its application": b"/PieceInfo << /X << /Private 7 0 R >> >>",
            "metadata": b"/Metadata 7 0 R",
            "viewports": b"/VP [<< /BBox [0 0 9 9] /PtData 7 0 R >>]",
            "thumbnail": b"/Thumb 7 0 R",
        }.items()
    },
    **{
        f"catalog: {name}": of_catalog(members)
        for name, members in {
            "opening": b"/OpenAction %s" % _SCRIPT,
            "events": b"/AA << /WC %s >>" % _SCRIPT,
            "scripts": b"/Names << /JavaScript << /Names [(x) %s] >> >>" % _SCRIPT,
            "embedded files": b"/Names << /EmbeddedFiles << /Names [%s %s] >> >>" % (_EVIL, _FILE),
            "portfolio": b"/Collection << /D %s >>" % _EVIL,
            "associated file": b"/AF [%s]" % _FILE,
            "forms of XML": b"/AcroForm << /Fields [] /XFA 7 0 R >>",
            "outline": b"/Outlines << /First << /Title %s /A %s >> >>" % (_EVIL, _SCRIPT),
            "requirements": b"/Requirements [<< /S /EnableJavaScripts >>]",
        }.items()
    },
}


@pytest.mark.parametrize("content", _PAPERS.values(), ids=list(_PAPERS))
def test_what_runs_fetches_or_embeds_is_not_copied(tmp_path: Path, content: bytes) -> None:
    pack = packed(content, tmp_path)
    assert "Fine" in text_of(pack)
    data = unpacked(pack)
    assert [word for word in WORDS if word in data] == []


def test_of_other_annotations_their_picture_stays(tmp_path: Path) -> None:
    pack = packed(_PAPERS["annotation: FileAttachment"], tmp_path)
    assert b"1 0 0 rg 0 0 70 20 re f" in unpacked(pack)
    with pikepdf.open(io.BytesIO(pack)) as document:
        assert "/Annots" not in document.pages[0]


_NAMED = b"/Names << /Dests << /Names [(there) [3 0 R /FitH 20]] >> >> /Dests << /Here << /D [3 0 R /Fit] >> >>"


@pytest.mark.parametrize(
    ("members", "target"),
    [
        (b"/A << /S /URI /URI (https://example.com/a?b#c) >>", b"/URI (https://example.com/a?b#c)"),
        (b"/A << /S /URI /URI (HTTP://example.com) /IsMap true >>", b"/URI (HTTP://example.com)"),
        (b"/A << /S /URI /URI (mailto:a@example.com) >>", b"/URI (mailto:a@example.com)"),
        (b"/Dest [3 0 R /XYZ 1 2 null]", b"/XYZ 1 2 null ]"),
        (b"/A << /S /GoTo /D [3 0 R /Fit] >>", b"/Fit ]"),
        (b"/Dest (there)", b"/FitH 20 ]"),
        (b"/A << /S /GoTo /D (there) >>", b"/FitH 20 ]"),
        (b"/Dest /Here", b"/Fit ]"),
    ],
)
def test_links_to_pages_of_the_paper_and_to_addresses_stay(tmp_path: Path, members: bytes, target: bytes) -> None:
    content = page(b"", show("Fine", 100), LINK % members, of_page=b"/Annots [6 0 R]", of_catalog=_NAMED)
    pack = packed(content, tmp_path)
    with pikepdf.open(io.BytesIO(pack)) as document:
        (link,) = document.pages[0].Annots
        assert target in link.unparse()
        assert set(link.keys()) <= {"/Type", "/Subtype", "/Rect", "/Border", "/C", "/A", "/Dest"}
        if "/Dest" in link:
            assert link.Dest[0].objgen == document.pages[0].objgen


def test_a_pack_is_never_larger_than_its_papers_and_fifty_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams that overlap in a paper do not in a pack."""
    monkeypatch.undo()
    with pytest.raises(PaperError) as raised:
        packed(overlapping(count=700, size=1_000_000), tmp_path)
    assert raised.value.problem is Problem.TOO_HEAVY
    assert (tmp_path / "pack.pdf").stat().st_size < 1000


def test_a_dictionary_is_copied_as_what_it_is_used_as(tmp_path: Path) -> None:
    """A page that is named as a picture, a font or a colour brings nothing else of the paper along."""
    resources = (
        b"/XObject << /X 4 0 R >> /Font << /F 4 0 R >> /Properties << /P 4 0 R >>"
        b" /ColorSpace << /C 4 0 R /D [/Indexed 4 0 R 5 0 R] >>"
    )
    content = raw(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 9 9] >>",
            b"<< /Type /Page /Parent 2 0 R /Resources << %s >> >>" % resources,
            b"<< /Type /Page /Parent 2 0 R /AF [5 0 R] /AA << /O %s >> >>" % _SCRIPT,
            _EMBEDDED,
        ]
    )
    data = unpacked(packed(content, tmp_path))
    assert b"JavaScript" not in data
    assert b"EmbeddedFile" not in data
    assert b"/AF" not in data
