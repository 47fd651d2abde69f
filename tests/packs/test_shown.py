"""A pack shows of each paper what a reader shows: compared dot by dot, as PDFium renders both (ADR packs)."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image
from pypdf import PdfReader, PdfWriter

from governance.packs.copier.report import PaperError, Problem
from tests.packs.comparing import differing, ink, packed, text_of
from tests.packs.making import of_fpdf, of_pikepdf, of_reportlab, picture
from tests.packs.sample_papers import (
    ENCRYPTIONS,
    FIELDS,
    HIDDEN,
    HIDDEN_ANNOTATION,
    HIDDEN_LAYERS,
    PASSWORD,
    VISIBLE,
    VISIBLE_LAYERS,
    Field,
    image,
    named_font,
    named_glyphs,
    named_picture,
    page,
    stream,
    text_field,
    with_buttons,
    with_fields,
    with_password,
)

pytestmark = pytest.mark.usefixtures("in_this_process")
_OF_FIELDS = 8
"""Dots that are compared together where the pack draws a value anew: another font may be some dots beside."""


def of_pypdf(*pages: str) -> bytes:
    writer, written = PdfWriter(), io.BytesIO()
    for drawn in PdfReader(io.BytesIO(of_reportlab(*pages))).pages:
        writer.add_page(drawn).rotate(270)
    writer.compress_identical_objects()
    writer.write(written)
    return written.getvalue()


def of_pillow(*_pages: str) -> bytes:
    written = io.BytesIO()
    Image.open(io.BytesIO(picture())).save(written, "PDF")
    return written.getvalue()


def of_pdfium(*pages: str) -> bytes:
    written = io.BytesIO()
    with pypdfium2.PdfDocument(of_reportlab(*pages)) as document:
        document[0].set_mediabox(10, 10, 500, 700)
        document.save(written)
    return written.getvalue()


@pytest.mark.parametrize("make", [of_reportlab, of_fpdf, of_pikepdf, of_pypdf, of_pillow, of_pdfium])
def test_the_pages_of_every_producer_are_shown_as_they_are(tmp_path: Path, make: Callable[..., bytes]) -> None:
    content = make("One page", "Another page")
    assert ink(content) > 0
    assert differing(content, packed(content, tmp_path)) == 0


def inherited() -> bytes:
    """Returns a paper whose page inherits its resources and its rotation."""
    content = page(b"/XObject << /I 6 0 R >>", PICTURE, image())
    resources = b"/Resources << /Font << /F 5 0 R >> /XObject << /I 6 0 R >> >>"
    moved = content.replace(resources, b" " * len(resources)).replace(
        b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R] /Count 1 /Rotate 90 " + resources
    )
    repaired = io.BytesIO()
    with pikepdf.open(io.BytesIO(moved)) as document:
        document.save(repaired)
    return repaired.getvalue()


def separated_by(space: bytes) -> bytes:
    color = b"[/Indexed/DeviceRGB" + space + b"3<ff000000ff000000ffffff00>]"
    return page(b"/XObject << /I 6 0 R >>", PICTURE, image(color, b"\0\1\2\3"))


PICTURE = b"q 160 0 0 160 20 20 cm /I Do Q"
PAPERS = {
    "a picture named like an action": named_picture(b"/A", b"/A"),
    "a picture named like actions of events": named_picture(b"/AA", b"/AA"),
    "a picture named like a script": named_picture(b"/JS", b"/JS"),
    "a picture named like a parent": named_picture(b"/Parent", b"/Parent"),
    "a picture named in Latin-1": named_picture(b"/Gr\xf6\xdfe", b"/Gr\xf6\xdfe"),
    "a picture named in Latin-1 as digits": named_picture(b"/Gr#f6#DFe", b"/Gr\xf6\xdfe"),
    "a picture named in Windows-1252": named_picture(b"/Kosten\x80", b"/Kosten\x80"),
    "a picture named in Windows-1252 as digits": named_picture(b"/Kosten#80", b"/Kosten#80"),
    "a picture named in Windows-1252 within a form": page(
        b"/XObject << /F 7 0 R >>",
        b"/F Do",
        image(),
        stream(
            b"/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources << /XObject << /y\xff 6 0 R >> >>",
            b"q 160 0 0 160 20 20 cm /y\xff Do Q",
        ),
    ),
    "a picture whose name ends in the letter \u00c0 of UTF-8": named_picture(b"/\xc3\x80", b"/\xc3\x80"),
    "a picture named in GBK": named_picture(b"/\xcd\xbc\xc6\xac", b"/\xcd\xbc\xc6\xac"),
    "a picture named in UTF-8": named_picture("/Größe".encode(), "/Größe".encode()),
    "a picture named by letters as digits": named_picture(b"/#41B", b"/A#42"),
    "a picture named by delimiters as digits": named_picture(b"/a#20b#2Fc#23", b"/a#20b#2fc#23"),
    **{f"a font named {name!r}": named_font(name) for name in (b"/A", b"/AA", b"/JS", b"/\xcb\xce\xcc\xe5")},
    "glyphs named like actions": named_glyphs(),
    **{f"words parted by {s!r}": separated_by(s) for s in (b"\0", b"\0\0", b"\f", b"\t", b"%comment\r")},
    "names, numbers and strings that are objects of their own": page(
        b"/XObject << /I 6 0 R /J 11 0 R >>",
        b"q 90 0 0 90 20 20 cm /I Do Q q 90 0 0 90 150 20 cm /J Do Q",
        image(b"7 0 R", members=b"/Interpolate 10 0 R").replace(b"/Width 2", b"/Width 8 0 R"),
        *(b"/DeviceGray", b"2", b"<0050a0f0>", b"false"),
        image(b"[/Indexed 7 0 R 3 9 0 R]", b"\0\1\2\3"),
    ),
    "what pages inherit": inherited(),
    "state that hidden content sets for what follows": page(
        b"/Properties << /L 6 0 R >>",
        b"/OC /L BDC 1 0 0 rg 0.5 0 0 0.5 0 0 cm 0 0 100 100 re f EMC 100 100 100 100 re f",
        b"<< /Type /OCG /Name (Internal) >>",
        of_catalog=b"/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>",
    ),
    "an appearance in its place": page(
        b"",
        b"0.5 g 0 0 99 99 re f",
        stream(b"/Type /XObject /Subtype /Form /BBox [5 5 25 15] /Matrix [0 1 -1 0 0 0]", b"0 1 0 rg 5 5 20 10 re f"),
        b"<< /Type /Annot /Subtype /Stamp /Rect [50 50 150 90] /F 4 /AP << /N 6 0 R >> >>",
        of_page=b"/Rotate 90 /Annots [7 0 R]",
    ),
}


@pytest.mark.parametrize("content", PAPERS.values(), ids=list(PAPERS))
def test_a_pack_shows_of_a_paper_what_a_reader_shows(tmp_path: Path, content: bytes) -> None:
    assert ink(content) > 0
    assert differing(content, packed(content, tmp_path)) == 0


@pytest.mark.parametrize("content", [*HIDDEN_LAYERS.values(), HIDDEN_ANNOTATION], ids=[*HIDDEN_LAYERS, "an annotation"])
def test_a_layer_that_is_off_stays_off_and_is_not_in_the_pack(tmp_path: Path, content: bytes) -> None:
    """PDFium shows annotations whatever their layer is, other readers do not."""
    pack = packed(content, tmp_path)
    assert HIDDEN not in text_of(pack)
    assert VISIBLE in text_of(pack)
    assert content == HIDDEN_ANNOTATION or differing(content, pack) == 0


@pytest.mark.parametrize("content", VISIBLE_LAYERS.values(), ids=list(VISIBLE_LAYERS))
def test_a_layer_that_is_on_is_shown(tmp_path: Path, content: bytes) -> None:
    pack = packed(content, tmp_path)
    assert HIDDEN in text_of(pack)
    assert differing(content, pack) == 0


@pytest.mark.parametrize("stale", [True, False], ids=["declared out of date", "without an appearance"])
@pytest.mark.parametrize("kind", FIELDS)
def test_a_field_shows_its_value(tmp_path: Path, kind: str, stale: bool) -> None:
    field, told = FIELDS[kind]
    content = with_fields([field], stale)
    pack = packed(content, tmp_path)
    assert told in text_of(pack)
    assert differing(content, pack, _OF_FIELDS) < 80


@pytest.mark.parametrize(
    ("old", "stale", "told"),
    [
        ("Limit 25 000", True, "Limit 250 000"),
        ("empty", False, "Limit 250 000"),
        ("1 234.50 EUR", False, "1 234.50 EUR"),
    ],
    ids=["declared out of date", "empty", "not declared out of date"],
)
def test_an_appearance_is_shown_unless_it_is_empty_or_declared_out_of_date(
    tmp_path: Path, old: str, stale: bool, told: str
) -> None:
    content = with_fields([text_field("Limit 250 000", old=old)], stale)
    pack = packed(content, tmp_path)
    assert text_of(pack).startswith(told)
    assert old == "empty" or differing(content, pack, _OF_FIELDS if stale else 1) < (80 if stale else 1)


def test_a_value_whose_letters_the_font_lacks_is_not_empty(tmp_path: Path) -> None:
    assert "\ufffd\ufffd 7" in text_of(packed(with_fields([text_field("北京 7")]), tmp_path))


@pytest.mark.parametrize("stale", [True, False])
def test_a_password_is_in_no_pack(tmp_path: Path, stale: bool) -> None:
    pack = packed(with_fields([PASSWORD, text_field("Open")], stale), tmp_path)
    assert "secret" not in text_of(pack)
    assert "Open" in text_of(pack)


@pytest.mark.parametrize(
    ("stale", "state", "value", "checked"),
    [
        (False, "Yes", "Yes", True),
        (False, "Off", "Off", False),
        (False, None, "Yes", True),
        (True, "Off", "Yes", True),
        (True, "Yes", "Off", False),
    ],
)
def test_a_check_box_is_as_its_value_says(
    tmp_path: Path, stale: bool, state: str | None, value: str, checked: bool
) -> None:
    pack = packed(with_buttons(stale, state, value), tmp_path)
    assert (ink(pack) > 10_000) is checked


def test_a_check_box_whose_state_is_named_in_windows_1252_is_shown_as_it_is(tmp_path: Path) -> None:
    content = with_buttons(stale=False, state="Yes", value="Yes")
    named = content.replace(b"/Yes", b"/J\xe9s")
    assert named != content
    assert ink(packed(named, tmp_path)) > 10_000


@pytest.mark.parametrize("value", ["Yes", "Off"])
def test_a_check_box_without_a_picture_of_its_state_is_drawn(tmp_path: Path, value: str) -> None:
    box = {
        "FT": Name.Btn,
        "V": Name(f"/{value}"),
        "AS": Name(f"/{value}"),
        "AP": Dictionary(N=Dictionary(Yes=Dictionary())),  # as LaTeX writes it
        "MK": Dictionary(BC=Array([1, 0, 0]), CA=String("4")),
    }
    content = with_fields([Field(box)], stale=True)
    pack = packed(content, tmp_path)
    assert differing(content, pack, _OF_FIELDS) < 80
    assert ink(pack) > 500  # the frame
    assert ("✔" in text_of(pack)) is (value == "Yes")


@pytest.mark.parametrize("subtype", ["Widget", "Stamp"])
def test_an_appearance_that_does_not_say_it_is_a_form_is_shown(tmp_path: Path, subtype: str) -> None:
    field = b" /FT /Btn /T (f) /V /Yes /AS /Yes" if subtype == "Widget" else b""
    normal = b"<< /Yes 6 0 R /Off /Off >>" if field else b"6 0 R"
    annotation = b"<< /Type /Annot /Subtype /%s /Rect [50 50 150 90] /F 4 /AP << /N %s >>%s >>" % (
        subtype.encode(),
        normal,
        field,
    )
    content = page(
        b"",
        b"",
        stream(b"", b"0 0 1 rg 5 5 30 20 re f"),
        annotation,
        of_page=b"/Annots [7 0 R]",
        of_catalog=b"/AcroForm << /Fields [7 0 R] >>" if field else b"",
    )
    pack = packed(content, tmp_path)
    assert ink(pack) == 30 * 20 * 4
    assert differing(content, pack) == 0


@pytest.mark.parametrize("kind", ["Highlight", "Underline", "StrikeOut", "Squiggly"])
def test_text_is_marked_where_its_quadrilaterals_are(tmp_path: Path, kind: str) -> None:
    quads = b"/QuadPoints [20 120 120 120 20 100 120 100 10 90 90 90 10 70 90 70]"
    mark = b"<< /Type /Annot /Subtype /%s /Rect [300 500 400 505] /C [1 0 0] /F 4 %s >>" % (kind.encode(), quads)
    content = page(b"", b"", mark, of_page=b"/Annots [6 0 R]")
    pack = packed(content, tmp_path)
    assert ink(pack) > 200
    assert differing(content, pack, 4) < 150


@pytest.mark.parametrize("kind", ["Highlight", "Underline", "StrikeOut", "Squiggly", "Square", "Circle", "Ink", "Text"])
def test_marks_without_an_appearance_are_drawn(tmp_path: Path, kind: str) -> None:
    mark = (
        b"<< /Type /Annot /Subtype /%s /Rect [20 90 220 120] /C [1 0 0] /IC [0 0 1] /F 4"
        b" /InkList [[30 95 90 110 200 99]] /QuadPoints [20 120 220 120 20 90 220 90] >>" % kind.encode()
    )
    content = page(b"", b"", mark, of_page=b"/Annots [6 0 R]")
    pack = packed(content, tmp_path)
    assert ink(pack) > 200
    assert differing(content, pack, 4) < 150


def lines(kind: str, *members: str) -> bytes:
    """Returns a paper with a mark through three points, none of which is in its rectangle."""
    points = "/L [20 20 120 20] /Vertices [20 20 120 20 120 120]"
    mark = f"<< /Type /Annot /Subtype /{kind} /Rect [0 0 0 0] /C [0 0 1] /F 4 {points} {' '.join(members)} >>"
    return page(b"", b"", mark.encode(), of_page=b"/Annots [6 0 R]")


@pytest.mark.parametrize(("kind", "length"), [("Line", 100), ("PolyLine", 200), ("Polygon", 341)])
def test_lines_and_polygons_without_an_appearance_are_drawn(tmp_path: Path, kind: str, length: int) -> None:
    """PDFium draws none of these, other readers do: so it is told how long they are."""
    shown = ink(packed(lines(kind, "/BS << /W 4 >>"), tmp_path))
    assert shown == pytest.approx(length * 4 * 4, rel=0.1)


@pytest.mark.parametrize("ending", ["OpenArrow", "ClosedArrow"])
def test_a_line_that_ends_in_an_arrow_has_its_head(tmp_path: Path, ending: str) -> None:
    plain, with_head = (ink(packed(lines("Line", f"/LE [/None /{end}]"), tmp_path)) for end in ("None", ending))
    assert with_head > plain + 40


@pytest.mark.parametrize("kind", ENCRYPTIONS)
def test_a_paper_that_opens_without_a_password_is_packed(tmp_path: Path, kind: str) -> None:
    content = with_password("owner", **ENCRYPTIONS[kind])
    pack = packed(content, tmp_path)
    assert "Owned" in text_of(pack)
    assert differing(content, pack) == 0
    with pikepdf.open(io.BytesIO(pack)) as document:
        assert not document.is_encrypted


@pytest.mark.parametrize(("streams", "opens"), [(b"", True), (b"/StmF /Identity", True), (b"/StmF /StdCF", False)])
def test_a_paper_whose_attachments_alone_need_a_password_is_packed(tmp_path: Path, streams: bytes, opens: bool) -> None:
    filters = b"/CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /EFF /StdCF /StrF /Identity"
    keys = b"/O <%s> /U <%s>" % (32 * b"ab", 32 * b"cd")
    members = b"/Filter /Standard /V 4 /R 4 /Length 128 /P -4 %s %s %s" % (keys, filters, streams)
    paper = page(b"", b"BT /F 20 Tf 20 90 Td (In the open) Tj ET", b"<< %s >>" % members)
    content = paper.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt 6 0 R /ID [<00> <00>]")
    if opens:
        assert "In the open" in text_of(packed(content, tmp_path))
    else:
        with pytest.raises(PaperError) as raised:
            packed(content, tmp_path)
        assert raised.value.problem is Problem.ENCRYPTED


@pytest.mark.parametrize("kind", ENCRYPTIONS)
def test_a_paper_with_a_user_password_is_told_apart(tmp_path: Path, kind: str) -> None:
    with pytest.raises(PaperError) as raised:
        packed(with_password("owner", "user", **ENCRYPTIONS[kind]), tmp_path)
    assert raised.value.problem is Problem.ENCRYPTED


def test_a_picture_of_a_hidden_layer_is_not_in_the_pack(tmp_path: Path) -> None:
    content = page(
        b"/XObject << /I 6 0 R >>",
        b"q 160 0 0 160 20 20 cm /I Do Q",
        image(members=b"/OC 7 0 R"),
        b"<< /Type /OCG /Name (Internal) >>",
        of_catalog=b"/OCProperties << /OCGs [7 0 R] /D << /OFF [7 0 R] >> >>",
    )
    pack = packed(content, tmp_path)
    assert ink(pack) == 0
    assert b"\0\x50\xa0\x1e" not in pack
