"""What a paper's reader would not find in the pack is named on its cover; the number of a page is on what is shown."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, AttachedFileSpec, Dictionary, Name, Pdf, String

from governance.packs.copier import left_out
from governance.packs.copier.report import LeftOut, Loss
from tests.packs.comparing import differing, packed
from tests.packs.making import PackScenario, item, of_reportlab
from tests.packs.sample_papers import Field, page, with_fields

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process")

PAPERS = Path(__file__).with_name("papers")
FORM = "only another program, such as Adobe Acrobat, shows this form."
ATTACHED = "files are attached to it, which the pack leaves out"
PORTFOLIO = "it is an envelope of files, which the pack leaves out"
MEDIA = "it has sound, video or a model, of which the pack has the picture"


def changed(change: Callable[[Pdf], None], content: bytes | None = None) -> bytes:
    """Returns a paper after a change."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(content or of_reportlab("The paper"))) as pdf:
        change(pdf)
        pdf.save(written)
    return written.getvalue()


def _attachment(pdf: Pdf, name: str) -> AttachedFileSpec:
    return AttachedFileSpec(pdf, b"a,b", filename=name, description="", mime_type="", creation_date="", mod_date="")


def attached(*names: str) -> bytes:
    """Returns a paper with files attached."""

    def attach(pdf: Pdf) -> None:
        for name in names:
            pdf.attachments[name] = _attachment(pdf, name)

    return changed(attach)


def portfolio(pdf: Pdf) -> None:
    pdf.attachments["one.xlsx"] = _attachment(pdf, "one.xlsx")
    pdf.Root.Collection = Dictionary(Type=Name.Collection, View=Name.D)


def associated(pdf: Pdf) -> None:
    pdf.pages[0].obj.AF = Array([pdf.make_indirect(Dictionary(Type=Name.Filespec, F=String("source.ods")))])


def annotated(kind: Name) -> Callable[[Pdf], None]:
    def annotate(pdf: Pdf) -> None:
        place = Dictionary(Type=Name.Annot, Subtype=kind, Rect=Array([9, 9, 99, 99]), Contents=String("clip.mp4"))
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(place)])

    return annotate


def own_child(pdf: Pdf) -> None:
    node = pdf.make_indirect(Dictionary())
    node.Kids = Array([node, node, node])
    pdf.Root.Names = Dictionary(EmbeddedFiles=node)


def without_fields(pdf: Pdf) -> None:
    pdf.Root.AcroForm = Dictionary(XFA=Array([String("template"), pdf.make_stream(b"<template/>")]))


def with_template(pdf: Pdf) -> None:
    pdf.Root.AcroForm.XFA = pdf.make_stream(b"<template/>")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ((PAPERS / "dynamic-form.pdf").read_bytes(), [FORM]),
        (changed(without_fields), [FORM]),
        (changed(with_template, with_fields([Field({"FT": Name.Tx, "V": String("5")})], stale=False)), []),
        ((PAPERS / "paperclip.pdf").read_bytes(), [f"{ATTACHED} (annex.csv)"]),
        (attached("Jahresabschluss 2026.xlsx"), [f"{ATTACHED} (Jahresabschluss 2026.xlsx)"]),
        (attached(*(f"{number}.csv" for number in range(8))), ["0.csv, 1.csv, 2.csv, 3.csv, 4.csv, and 3 more)"]),
        (changed(associated), [f"{ATTACHED} (source.ods)"]),
        (changed(portfolio), [f"{PORTFOLIO} (one.xlsx)"]),
        (changed(annotated(Name.FileAttachment)), [f"{ATTACHED} (clip.mp4)"]),
        (changed(annotated(Name.RichMedia)), [MEDIA]),
        (changed(annotated(Name.Sound)), [MEDIA]),
        (changed(own_child), []),
        (of_reportlab("Nothing is lost"), []),
    ],
    ids=[
        *("a form of XFA", "one that says nothing of it", "one with fields", "a paper clip", "attached", "many"),
        *("associated", "a portfolio", "a clip without a name", "a video", "a sound", "a tree in a circle", "nothing"),
    ],
)
def test_the_cover_names_what_the_pack_lacks_of_a_paper_with_its_link(
    packs: PackScenario, content: bytes, said: list[str]
) -> None:
    paper = packs.paper(content, title="Accounts")
    packs.put_agenda(item("One", paper))
    cover, agenda, *_ = (shown.extract_text() for shown in packs.read(packs.make()).pages)
    whole = " ".join(cover.split())
    for sentence in said:
        assert sentence in whole
    assert (f"documents/{paper.document['id']}" in "".join(cover.split())) is bool(said)
    assert ("Not in this pack:" in whole) is bool(said)
    assert "Accounts (page 3)" in agenda


def test_a_cover_that_becomes_longer_moves_the_numbers_of_all_pages(packs: PackScenario) -> None:
    papers = [packs.paper(attached("a" * 90, "b" * 90), title=f"Paper {number} {'x' * 100}") for number in range(12)]
    packs.put_agenda(item("One", *papers))
    pages = [shown.extract_text() for shown in packs.read(packs.make()).pages]
    (agenda,) = [text for text in pages if text.startswith("Agenda")]
    first = pages.index(agenda) + 2
    assert first > 3
    assert f"(page {first})" in " ".join(agenda.split())
    assert pages[first - 1].startswith("The paper")
    assert [text.split()[-1] for text in pages] == [str(number) for number in range(1, len(pages) + 1)]


BOXES = {
    "a crop box around the page": b"/CropBox [-50 -50 900 1000]",
    "a crop box beside the page": b"/CropBox [1000 1000 1200 1200]",
    "a crop box over a corner": b"/CropBox [100 -80 900 150]",
    "a crop box without an area": b"/CropBox [10 10 10 90]",
    "corners in another order": b"/CropBox [250 150 50 20]",
    "a page that is turned": b"/Rotate 90 /CropBox [-9 -9 250 150]",
    "turned by a real number": b"/Rotate 90.0",
    "turned back": b"/Rotate -90 /CropBox [20 -9 999 150]",
    "turned more than once": b"/Rotate 450",
    "upside down": b"/Rotate 180 /CropBox [-50 40 900 1000]",
    "turned by half of it": b"/Rotate -45",
}


@pytest.mark.parametrize("kind", BOXES)
def test_the_number_of_a_page_stands_at_the_lower_right_of_what_is_shown(tmp_path: Path, kind: str) -> None:
    number_is_shown(packed(page(b"", b"", of_page=BOXES[kind]), tmp_path))


UNEVEN = {
    "restored too often": b"Q Q Q 0.1 0 0 0.1 0 0 cm",
    "not restored": b"0.1 0 0 0.1 0 0 cm q q q",
    "cut off": b"0 0 10 10 re W n q",
    "cut off after it was restored": b"Q 0 0 10 10 re W n",
    "invisible letters": b"3 Tr q",
    "nothing is opaque": b"/G gs q",
}


@pytest.mark.parametrize("kind", UNEVEN)
def test_content_that_does_not_restore_its_state_hides_neither_the_number_nor_the_fields(
    tmp_path: Path, kind: str
) -> None:
    def draw(pdf: Pdf) -> None:
        shown = pdf.pages[0].obj
        shown.Contents = pdf.make_stream(UNEVEN[kind])
        shown.Resources = Dictionary(ExtGState=Dictionary(G=Dictionary(ca=0)))

    value = Field({"FT": Name.Tx, "V": String("The value")}, old="The value")
    paper = changed(draw, with_fields([value]))
    pack = packed(paper, tmp_path)
    number_is_shown(pack)
    assert differing(paper, pack) == 0


def test_a_file_is_named_however_many_annotations_stand_before_it() -> None:
    def annotate(pdf: Pdf) -> None:
        square = Dictionary(Type=Name.Annot, Subtype=Name.Square, Rect=Array([0, 0, 1, 1]))
        file = Dictionary(Type=Name.Filespec, F=String("late.xlsx"))
        place = Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]), FS=file)
        pdf.pages[0].obj.Annots = Array([*[square] * 250, place])

    with pikepdf.open(io.BytesIO(changed(annotate))) as pdf:
        assert left_out.of_pdf(pdf) == [LeftOut(Loss.ATTACHMENTS, ("late.xlsx",))]


def test_the_number_stands_on_pages_smaller_than_its_margin_and_on_those_without_an_area(tmp_path: Path) -> None:
    paper = page(b"", b"")
    for box in (b"[0 0 12 10]", b"[0 0 8 200]", b"[5 5 5 5]", b"[300 200 0 0]", b"[0 0 300 200 7]"):
        number_is_shown(packed(paper.replace(b"/MediaBox [0 0 300 200]", b"/MediaBox %s" % box), tmp_path))


def test_the_number_of_the_sample_is_on_the_page(tmp_path: Path) -> None:
    number_is_shown(packed((PAPERS / "crop-outside.pdf").read_bytes(), tmp_path))


def number_is_shown(pack: bytes) -> None:
    """Checks that the last thing in the lower right corner, as a page is rendered, is its number."""
    with pypdfium2.PdfDocument(pack) as document:
        shown = document[0].render(scale=4).to_pil().convert("L")
    right, bottom = shown.size
    corner = shown.crop((max(0, right - 100), max(0, bottom - 80), right, bottom))
    assert sum(corner.histogram()[:200]) > 20


def test_the_pages_of_a_paper_are_as_large_as_they_are_shown(tmp_path: Path) -> None:
    content = (PAPERS / "crop-outside.pdf").read_bytes()
    with pypdfium2.PdfDocument(content) as paper, pypdfium2.PdfDocument(packed(content, tmp_path)) as pack:
        assert pack[0].get_size() == paper[0].get_size()
        assert pack[0].get_cropbox() == (0, 0, 595, 842)
