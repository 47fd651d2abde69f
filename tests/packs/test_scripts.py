"""What the service writes is read in any script: with a font, shaped, from the right where it is (ADR packs)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar
from PIL import Image

from governance.packs import pages
from governance.packs.jobs import LETTERS, MISSING, Line
from tests.harness import sealing
from tests.harness.resolution_scenario import ResolutionScenario
from tests.packs.making import PackScenario, item, of_reportlab, texts, work

TEXTS = {
    "Arabic": "قرار مجلس الإدارة",
    "Hebrew": "החלטת הדירקטוריון",
    "Japanese": "取締役会の決議",
    "Devanagari": "निदेशक मंडल का संकल्प",
    "Chinese": "董事会决议",
    "Korean": "이사회 결의",
    "Bengali": "পরিচালনা পর্ষদ",
    "Tamil": "இயக்குநர் குழு",
    "Thai": "มติคณะกรรมการ",
    "Armenian": "Խորհրդի որոշում",
    "Georgian": "საბჭოს გადაწყვეტილება",
    "Greek and Cyrillic": "Απόφαση Рішення",
    "Latin beyond Europe": "Nghị quyết Hội đồng",
}
FROM_THE_RIGHT = {"Arabic", "Hebrew"}
NO_FONT = "\U00013000"


def rendered(folder: Path, *lines: Line) -> Image.Image:
    pages.of_lines(lines, folder / "made.pdf")
    with pypdfium2.PdfDocument(str(folder / "made.pdf")) as document:
        page: Image.Image = document[0].render(scale=2).to_pil()
    return page.convert("L").point(lambda value: 255 if value < 200 else 0)


def read(folder: Path) -> str:
    with pypdfium2.PdfDocument(str(folder / "made.pdf")) as document:
        return str(document[0].get_textpage().get_text_range())


def letters_of(container: Iterable[Any]) -> Iterator[LTChar]:
    for part in container:
        if isinstance(part, LTChar):
            yield part
        elif isinstance(part, Iterable):
            yield from letters_of(part)


def seen(folder: Path, *lines: Line) -> list[str]:
    """Returns the letters of each line of the page as they are seen, from the left."""
    pages.of_lines(lines, folder / "made.pdf")
    rows: dict[int, list[tuple[float, str]]] = {}
    for letter in letters_of(extract_pages(folder / "made.pdf")):
        rows.setdefault(round(letter.matrix[5]), []).append((letter.x0, letter.get_text()))
    return ["".join(char for _, char in sorted(row)) for _, row in sorted(rows.items(), reverse=True)]


@pytest.mark.parametrize("script", TEXTS)
def test_a_text_is_written_in_its_script_at_the_side_where_it_begins(tmp_path: Path, script: str) -> None:
    shown = rendered(tmp_path, Line("title", TEXTS[script]), Line("detail", TEXTS[script]))
    assert "�" not in read(tmp_path)
    box = shown.getbbox()
    assert box
    left, right = box[0], shown.width - box[2]
    assert (right < left) is (script in FROM_THE_RIGHT)
    assert set(TEXTS[script]) & set(read(tmp_path)) - {" "}


def test_the_end_of_a_paragraph_has_its_own_letters_whatever_fonts_the_line_before_has(tmp_path: Path) -> None:
    begin = f"הדירקטוריון מאשר את התקציב 2030 {'é ① ' * 4}"
    pages.of_lines(
        [Line("subtitle", begin + "निदेशक मंडल ने बजट को मंजूरी दी"), Line("subtitle", "Next")], tmp_path / "made.pdf"
    )
    assert read(tmp_path).splitlines()[-2:] == ["मंजूरी दी", "Next"]


@pytest.mark.parametrize(("joined", "apart"), [("بيت", "ب\u200cي\u200cت"), ("क्ष", "क\u094d\u200cष")])
def test_letters_are_joined_as_their_script_joins_them(tmp_path: Path, joined: str, apart: str) -> None:
    whole, parted = (rendered(tmp_path, Line("title", text)).getbbox() for text in (joined, apart))
    assert whole
    assert parted
    assert whole[2] - whole[0] < parted[2] - parted[0]


def test_several_scripts_and_latin_stand_in_one_line(tmp_path: Path) -> None:
    rendered(tmp_path, Line("detail", "EUR 5 قرار 取締役 संकल्प Łódź"))
    told = read(tmp_path)
    assert "�" not in told
    for part in ("EUR 5", "取締役", "Łódź"):
        assert part in told


# What is seen from the left: words from the right are reversed, and numbers behind them stand at their left (UAX 9).
MIXED = {
    "The board שלום עולם adopts it": "The board םלוע םולש adopts it",
    "EUR 5 החלטת הדירקטוריון 2027": "EUR 5 2027 ןוירוטקרידה תטלחה",
    "Decision (החלטה) of 12/3": "Decision (הטלחה) of 12/3",
    "The קרן 120 ABC קרן is ok": "The 120 ןרק ABC ןרק is ok",
    "Fund קרן, 7.5 % and קרן": "Fund 7.5 ,ןרק % and ןרק",
    "Rat دار 2027 wählt": "Rat 2027 راد wählt",
}


@pytest.mark.parametrize("text", MIXED)
def test_a_line_that_begins_in_latin_has_words_from_the_right_in_their_order(tmp_path: Path, text: str) -> None:
    assert seen(tmp_path, Line("detail", text)) == [MIXED[text]]


def test_each_line_of_a_long_paragraph_and_each_paragraph_of_a_text_has_its_own_order(tmp_path: Path) -> None:
    own = "קרן"
    words = "אחת שתיים 2027 ארבע חמש שש שבע שמונה תשע עשר "
    lines = seen(
        tmp_path, Line("detail", f"In the matter of {words * 3} it adopts the budget.\n{own} 12 אבג\nOf {own} 7")
    )
    assert lines[0].startswith("In the matter of ")
    assert lines[0].endswith("2027 םייתש תחא")
    assert lines[-3].endswith(" it adopts the budget.")
    assert lines[-2:] == ["גבא 12 ןרק", "Of 7 ןרק"]


def test_letters_that_no_font_has_are_named_once_and_nothing_is_where_none_is_missing(tmp_path: Path) -> None:
    line = Line(MISSING, f"No font has {LETTERS}.")
    rendered(tmp_path, line, Line("detail", f"{NO_FONT} and \ue000{NO_FONT}"))
    assert "No font has U+13000." in read(tmp_path)
    assert "� and" in read(tmp_path)
    rendered(tmp_path, line, Line("detail", "قرار Łódź \U0001f600"))
    assert "No font" not in read(tmp_path)


@pytest.mark.usefixtures("bucket")
def test_a_pack_of_every_script_is_made_within_the_bounds_of_its_process(packs: PackScenario) -> None:
    paper = packs.paper(of_reportlab("Paper"), title=TEXTS["Japanese"])
    notes = packs.paper("\n".join(TEXTS.values()).encode(), "Notes.txt", "text/plain", title=TEXTS["Hebrew"])
    packs.put_agenda(item(TEXTS["Arabic"], paper, notes, notes=f"{TEXTS['Devanagari']} {NO_FONT}"))
    cover, agenda, *_, last = texts(packs.read(packs.make()))
    assert "U+13000" in cover
    assert TEXTS["Japanese"] in agenda
    for text in (cover.replace("and � stands", ""), last):
        assert "�" not in text


@pytest.mark.usefixtures("bucket", "in_this_process")
@pytest.mark.parametrize("text", [TEXTS["Hebrew"], NO_FONT])
def test_a_certificate_says_on_its_first_page_which_letters_no_font_has(packs: PackScenario, text: str) -> None:
    votes = ResolutionScenario(packs.board)
    path = votes.opened(text=text)
    for voter in votes.voters:
        assert votes.vote(path, voter, "for").status == 200
    assert votes.close(path).status == 200
    created: Any = votes.manager.client.post(f"{path}/certificate/document")
    sealing.seal(packs.board.board_id)
    packs.deliver()
    work()
    first, *others = texts(packs.read(packs.version(created.data)))
    assert ("U+13000" in first) is (text == NO_FONT)
    assert ("�" in "".join(others)) is (text == NO_FONT)
