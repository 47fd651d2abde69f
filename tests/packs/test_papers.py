"""What a paper does to the pack that it is to be part of: nothing, where it is damaged, hostile or too much."""

from __future__ import annotations

import io
import os
import random
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from governance.packs import __main__ as child
from governance.packs import book, pages
from governance.packs.book import Book, Bookmark
from governance.packs.copier.report import PaperError, Problem
from governance.packs.jobs import Line
from tests.packs.comparing import rendered
from tests.packs.making import long_lists, of_fpdf, of_pikepdf, of_reportlab, picture, raw, tree

PDF = "application/pdf"
Make = Callable[..., bytes]


def add(made: Book, content: bytes, mime_type: str = PDF, first_page: int = 1) -> list[int]:
    source = made.path.with_name("paper")
    source.write_bytes(content)
    return made.add_file(source, mime_type, first_page)


def problem(folder: Path, content: bytes, mime_type: str = PDF) -> Problem:
    """Returns why a paper cannot be added, after which the pack goes on as if it had never been there."""
    made = Book(folder / "pack.pdf")
    before = add(made, of_reportlab("Before"))
    left = made.path.read_bytes()
    with pytest.raises(PaperError) as raised:
        add(made, content, mime_type, 2)
    assert made.path.read_bytes() == left
    after = add(made, of_fpdf("After"), first_page=2)
    read = finished(made, [*before, *after])
    assert [page.extract_text().split("\n")[0] for page in read.pages] == ["Before", "After"]
    return raised.value.problem


def finished(made: Book, objects: list[int]) -> PdfReader:
    made.finish(objects, [Bookmark("First", objects[0])], "Pack", "en")
    with pikepdf.open(made.path) as document:
        assert document.check_pdf_syntax() == []
    return PdfReader(made.path, strict=True)


@pytest.mark.parametrize("make", [of_reportlab, of_fpdf, of_pikepdf])
def test_the_pages_of_every_writer_are_copied_with_their_numbers(tmp_path: Path, make: Make) -> None:
    made = Book(tmp_path / "pack.pdf")
    objects = add(made, make("One", "Two"), first_page=41)
    shown = [page.extract_text() for page in finished(made, objects).pages]
    assert [text.split("\n")[0] for text in shown] == ["One", "Two"]
    assert [text.split("\n")[-1] for text in shown] == ["41", "42"]


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("mime_type", [PDF, "image/png", "image/jpeg", "image/tiff"])
def test_what_is_not_what_its_type_says_cannot_be_read(tmp_path: Path, mime_type: str) -> None:
    for content in (b"\0", b"%PDF-1.7 torn", raw([b"<< /Type /Catalog >>"]), of_reportlab("x")[:200]):
        assert problem(tmp_path, content, mime_type) is Problem.BROKEN


def test_a_paper_has_two_thousand_pages_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem(tmp_path, tree(1, 2001)) is Problem.TOO_LONG
    monkeypatch.setattr(book, "run", child.added)
    monkeypatch.setattr(child, "PACK_PAPER_OBJECTS", 5)
    with pytest.raises(PaperError, match="too_long"):
        add(Book(tmp_path / "objects.pdf"), of_reportlab("One"))
    monkeypatch.undo()
    assert problem(tmp_path, b"x\n" * 8_000_000, "text/plain") is Problem.TOO_LONG
    monkeypatch.setattr(book, "run", child.added)
    monkeypatch.setattr(pages, "PACK_PAPER_PAGES", 1)
    assert problem(tmp_path, b"x\n" * 90, "text/plain") is Problem.TOO_LONG
    frames = io.BytesIO()
    Image.new("L", (9, 9)).save(frames, "TIFF", save_all=True, append_images=[Image.new("L", (9, 9))])
    assert problem(tmp_path, frames.getvalue(), "image/tiff") is Problem.TOO_LONG


def test_a_paper_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "PACK_PAPER_SECONDS", 1)
    made = Book(tmp_path / "pack.pdf")
    with pytest.raises(PaperError) as raised:
        add(made, long_lists(pages=2000, names=20_000))
    assert raised.value.problem is Problem.TOO_HEAVY
    assert made.pages == []


def test_a_paper_that_takes_all_memory_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "PACK_PAPER_MEMORY", 300 * 1024**2)
    made = Book(tmp_path / "pack.pdf")
    size = 250 * 1024**2
    content = of_reportlab("x").replace(b"endstream", b"endstream", 1)
    huge = raw(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (size, size * b" "),
        ]
    )
    with pytest.raises(PaperError) as raised:
        add(made, huge)
    assert raised.value.problem is Problem.TOO_HEAVY
    assert add(made, content) != []


def test_a_bomb_of_compressed_objects_is_stopped(tmp_path: Path) -> None:
    bomb = zlib.compress(b"4 0 " + 200_000_000 * b" ", 9)
    content = b"<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
    index = bytes([1, 0, 0, 0, 9, 0]) + bytes([2, 0, 0, 0, 2, 0])
    body = b"%PDF-1.7\n"
    catalog_at = len(body)
    body += b"1 0 obj\n<< /Type /Catalog /Pages 4 0 R >>\nendobj\n"
    stream_at = len(body)
    body += b"2 0 obj\n" + content % (len(bomb), bomb) + b"\nendobj\n"
    table_at = len(body)
    rows = [(0, 0, 0), (1, catalog_at, 0), (1, stream_at, 0), (1, table_at, 0), (2, 2, 0)]
    index = b"".join(bytes([kind]) + place.to_bytes(4, "big") + bytes([order]) for kind, place, order in rows)
    head = b"3 0 obj\n<< /Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R /Length %d >>\nstream\n" % len(index)
    body += head + index + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % table_at
    assert problem(tmp_path, body) in {Problem.BROKEN, Problem.TOO_HEAVY}


def test_a_page_that_unpacks_to_more_than_memory_is_copied_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "PACK_PAPER_MEMORY", 300 * 1024**2)
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(1024**2 * b" ") for _ in range(400)) + packer.flush()
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>"
    tree_of_one = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
    content = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(bomb), bomb)
    made = Book(tmp_path / "pack.pdf")
    assert len(add(made, raw([b"<< /Type /Catalog /Pages 2 0 R >>", tree_of_one, page, content]))) == 1
    assert bomb in made.path.read_bytes()


@pytest.mark.usefixtures("in_this_process")
def test_a_picture_of_too_many_dots_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_PIXELS", 4000)
    assert problem(tmp_path, picture("PNG", (80, 60)), "image/png") is Problem.TOO_HEAVY
    assert len(add(Book(tmp_path / "pack.pdf"), picture("PNG", (60, 60)), "image/png")) == 1


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("kind", ["GIF", "JPEG", "PNG", "TIFF", "WEBP"])
def test_pictures_of_every_format_are_pages(tmp_path: Path, kind: str) -> None:
    made = Book(tmp_path / "pack.pdf")
    read = finished(made, add(made, picture(kind, (40, 90)), f"image/{kind.lower()}"))
    (shown,) = read.pages[0].images
    assert shown.image is not None
    assert shown.image.size == (40, 90)
    assert shown.image.convert("RGB").getpixel((20, 40)) == pytest.approx((200, 30, 30), abs=6)


def stripes(mode: str, largest: int) -> Image.Image:
    """Returns a picture of three stripes: black, half as bright as the last (black where there is no gray), white."""
    made = Image.new(mode, (300, 200), 0)
    for left, number in ((100, largest // 2 if mode != "1" else 0), (200, largest)):
        made.paste(Image.new(mode, (100, 200), number), (left, 0))
    return made


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("kind", "mode", "largest"),
    [
        *(("PNG", mode, largest) for mode, largest in (("1", 255), ("L", 255), ("I;16", 65_535))),
        *(("TIFF", mode, largest) for mode, largest in (("1", 255), ("I;16", 65_535), ("I", 70_000), ("F", 2))),
    ],
)
def test_a_picture_is_as_bright_as_it_was_however_many_bits_it_has(
    tmp_path: Path, kind: str, mode: str, largest: int
) -> None:
    written, made = io.BytesIO(), Book(tmp_path / "pack.pdf")
    stripes(mode, largest).save(written, kind)
    finished(made, add(made, written.getvalue(), f"image/{kind.lower()}"))
    (page,) = rendered(made.path.read_bytes())
    for height in (page.height * part // 10 for part in (3, 5, 7)):
        shown = [page.getpixel((page.width * part // 6, height)) for part in (1, 3, 5)]
        assert shown == pytest.approx([0, 0 if mode == "1" else 127, 255], abs=2)


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("mode", ["P", "L", "RGB", "LA", "RGBA"])
def test_what_is_transparent_is_white(tmp_path: Path, mode: str) -> None:
    picture, written, made = Image.new(mode, (70, 40), 0), io.BytesIO(), Book(tmp_path / "pack.pdf")
    transparency = {} if mode.endswith("A") else {"transparency": 0 if mode != "RGB" else (0, 0, 0)}
    picture.save(written, "PNG", **transparency)
    finished(made, add(made, written.getvalue(), "image/png"))
    assert rendered(made.path.read_bytes())[0].getextrema() == (255, 255)


def test_children_get_no_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    given_to: list[Any] = []
    ran = subprocess.run

    def running(*args: Any, **members: Any) -> Any:
        given_to.append(members["env"])
        return ran(*args, **members)

    monkeypatch.setattr(subprocess, "run", running)
    add(Book(tmp_path / "pack.pdf"), of_reportlab("x"))
    (environment,) = given_to
    assert set(environment) <= {"LANG", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "TMPDIR"}
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == "secret"


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    "content",
    ["Übersicht".encode(), "Übersicht".encode("utf-8-sig"), "Übersicht".encode("cp1252"), "Übersicht".encode("utf-16")],
)
def test_a_text_begins_with_its_first_letter_however_it_is_encoded(tmp_path: Path, content: bytes) -> None:
    made = Book(tmp_path / "pack.pdf")
    added = add(made, content, "text/plain")
    assert finished(made, added).pages[0].extract_text().startswith("Übersicht")


@pytest.mark.usefixtures("in_this_process")
def test_a_sign_stands_for_each_letter_that_the_font_lacks(tmp_path: Path) -> None:
    made = Book(tmp_path / "pack.pdf")
    lines = [
        Line("title", "Žižek, Łódź, Ærø, Ελλάδα, Україна"),
        Line("item", "\U00013000\U00013001 \U00013002 \x07"),  # no font of the packages has hieroglyphs
        Line("item", "x" * 400),
    ]
    text = finished(made, made.add_lines(lines, 1)).pages[0].extract_text()
    assert lines[0].text in text
    assert "\ufffd\ufffd \ufffd" in text


@pytest.mark.usefixtures("in_this_process")
def test_what_is_nothing_to_see_leaves_no_gap(tmp_path: Path) -> None:
    made = Book(tmp_path / "pack.pdf")
    written = made.add_lines([Line("text", "Auf\u00adsichts\u200brat\ufe0f\x07x\u200dy")], 1)
    assert "Aufsichtsrat xy" in finished(made, written).pages[0].extract_text()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32), changes=st.integers(1, 12), make=st.sampled_from([of_reportlab, of_fpdf, of_pikepdf])
)
def test_damaged_papers_are_refused_or_copied_into_a_whole_pack(
    tmp_path_factory: pytest.TempPathFactory, seed: int, changes: int, make: Make
) -> None:
    chosen = random.Random(seed)  # noqa: S311 - the same damage for the same seed
    content = bytearray(make("One", "Two"))
    for _ in range(changes):
        content[chosen.randrange(len(content))] = chosen.randrange(256)
    folder = tmp_path_factory.mktemp("damaged")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(book, "run", child.added)
        made = Book(folder / "pack.pdf")
        before = add(made, of_reportlab("Before"))
        try:
            damaged = add(made, bytes(content), first_page=2)
        except PaperError:
            damaged = []
        made.finish([*before, *damaged], [], "Pack", "en")
    assert len(PdfReader(made.path, strict=True).pages) == 1 + len(damaged)
