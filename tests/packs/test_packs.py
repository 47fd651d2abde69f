"""Board packs: one PDF with the agenda and every paper that its maker may see (ADR packs)."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pdfminer.high_level import extract_text
from pypdf import PdfReader

from governance.packs import __main__ as child
from governance.packs import book
from governance.settings import settings
from governance.store.schema.entities import COMMITTEE
from governance.store.table import read_one
from tests.functions.documents.conftest import reason
from tests.packs.making import (
    PackScenario,
    documents,
    encrypted,
    item,
    keys_of_papers,
    of_fpdf,
    of_pikepdf,
    of_reportlab,
    overlapping,
    picture,
    texts,
    tree,
    work,
)

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process")
_IN_A_CHILD = book.run


def outline(reader: PdfReader, entries: Any = None) -> list[Any]:
    """Returns the titles of the outline with the numbers of their pages, counted from 1."""
    titles: list[Any] = []
    for entry in reader.outline if entries is None else entries:
        if isinstance(entry, list):
            titles.append(outline(reader, entry))
        else:
            titles.append((entry.title, (reader.get_destination_page_number(entry) or 0) + 1))
    return titles


def test_a_pack_is_a_document_of_the_meeting_whose_version_is_made_later(packs: PackScenario) -> None:
    asked = packs.ask()
    assert asked.status == 201, asked.text
    meeting_id = packs.meeting.path.rpartition("/")[2]
    title = packs.board.owner.client.get(packs.meeting.path).data["title"]
    shown = {
        name: asked.data[name] for name in ("documentType", "meetingIds", "committeeId", "latestVersionId", "title")
    }
    assert shown == {
        "documentType": "board_pack",
        "meetingIds": [meeting_id],
        "committeeId": None,
        "latestVersionId": None,
        "title": f"Board pack: {title}",
    }
    version = packs.version(asked.data)
    assert (version["status"], version["size"], version["sha256"], version["reason"]) == ("uploading", None, None, None)
    assert version["upload"] is None


def test_a_pack_has_cover_agenda_and_every_paper_with_bookmarks_and_page_numbers(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "run", _IN_A_CHILD)
    owner = packs.board.owner
    figures = packs.paper(of_reportlab("Figures one", "Figures two"), title="Zahlen für Łódź")
    plan = packs.paper(of_fpdf("The plan"), title="Plan")
    letter = packs.paper(of_pikepdf("A letter"), title="Letter")
    notes = packs.paper("Grüße aus Köln\n\tzweite Zeile".encode(), "Notes.txt", "text/plain", title="Notes")
    photo = packs.paper(picture(), "Photo.png", "image/png", title="Photo")
    sheet = packs.paper(b"PK", "Sheet.ods", "application/vnd.oasis.opendocument.spreadsheet", title="Sheet")
    packs.put_agenda(
        item("Opening", minutes=10, presenterName="Zoë Çelik", kind="information", notes="Quorum?"),
        item("Figures", figures, plan, minutes=45, presenterUserId=owner.id),
        item("Any other business", letter, notes, photo, sheet, figures),
    )
    version = packs.make()
    reader = packs.read(version)
    pages = texts(reader)
    assert len(pages) == 9
    assert [page.split()[-1] for page in pages] == [str(number) for number in range(1, 10)]
    assert "Board" in pages[0]
    assert "Monday, 1 March 2027, 09:00 (UTC)" in pages[0]
    agenda = pages[1]
    assert "1. Opening\n09:00 · 10 minutes · information · Zoë Çelik\nQuorum?" in agenda
    assert "2. Figures\n09:10 · 45 minutes" in agenda
    assert "Zahlen für Łódź (page 3)" in agenda
    assert "3. Any other business\n09:55" in agenda
    assert "Sheet (page 9)" in agenda
    assert [page.split("\n")[0] for page in pages[2:6]] == ["Figures one", "Figures two", "The plan", "A letter"]
    assert "Grüße aus Köln\n    zweite Zeile" in pages[6]
    assert len(reader.pages[7].images) == 1
    assert f"{settings().root_url}{sheet.path.removeprefix('/api/v1')}" in pages[8].replace("\n", "")
    assert "Sheet.ods" in pages[8]
    assert outline(reader) == [
        ("Agenda", 2),
        ("1. Opening", 2),
        ("2. Figures", 3),
        [("Zahlen für Łódź", 3), ("Plan", 5)],
        ("3. Any other business", 6),
        [("Letter", 6), ("Notes", 7), ("Photo", 8), ("Sheet", 9), ("Zahlen für Łódź", 3)],
    ]
    for text in ("Zahlen für Łódź (page 3)", "Figures one", "The plan", "zweite Zeile"):
        assert text in extract_text(io.BytesIO(packs.content(version)))


def test_pages_stay_as_they_are_with_their_links(packs: PackScenario) -> None:
    packs.put_agenda(item("All", packs.paper(of_pikepdf("Turned")), packs.paper(of_fpdf("Wide"))))
    reader = packs.read(packs.make())
    turned, wide = reader.pages[2:]
    assert (turned.rotation, [float(side) for side in turned.mediabox]) == (90, [0, 0, 400, 800])
    assert wide.mediabox.width > wide.mediabox.height
    (link,) = [annotation.get_object() for annotation in turned.annotations or []]
    assert link["/A"]["/URI"] == "https://example.com/"


def test_a_made_pack_is_the_latest_version_and_is_read_like_any_file(packs: PackScenario) -> None:
    version = packs.make()
    path = f"{packs.board.path}/documents/{version['documentId']}"
    document = packs.board.owner.client.get(path).data
    assert (document["latestVersionId"], document["mimeType"]) == (version["id"], "application/pdf")
    assert version["size"] == len(packs.content(version))
    download = packs.board.owner.client.get(f"{path}/versions/{version['id']}/content")
    assert download.status == 200, download.text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7 torn", "cannot be read: its file is damaged. Upload it again, then make the pack again."),
        (encrypted(of_reportlab("x")), "is encrypted. Upload it without a password, then make the pack again."),
        (tree(1, 2001), "is too long: a pack takes 2000 pages of one paper. Shorten it, then make the pack again."),
        (
            overlapping(count=60, size=1_000_000),
            "takes too much time or memory to read. Save it anew as a simpler PDF, then make the pack again.",
        ),
    ],
    ids=["damaged", "encrypted", "too many pages", "a bomb"],
)
def test_a_paper_that_a_pack_cannot_take_fails_it_with_a_sentence_and_nothing_else_changes(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, content: bytes, told: str
) -> None:
    monkeypatch.setattr(
        book, "run", lambda job: _IN_A_CHILD(job) if "time" in told and job.source else child.added(job)
    )
    packs.put_agenda(item("All", packs.paper(content, title="Odd")))
    files, before = keys_of_papers(), documents(packs)
    version = packs.make()
    assert (version["status"], version["reason"]) == ("failed", f"The paper “Odd” {told}")
    assert (version["size"], version["sha256"]) == (None, None)
    assert keys_of_papers() == files
    (pack,) = [document for document in documents(packs) if document not in before]
    assert (pack["id"], pack["latestVersionId"]) == (version["documentId"], None)


def test_the_papers_of_one_committee_make_the_pack_a_document_of_that_committee(packs: PackScenario) -> None:
    finance = packs.board.committee(packs.board.owner)
    secret = packs.paper(of_reportlab("Secret"), committeeId=finance, title="Secret")
    packs.put_agenda(item("All", packs.paper(of_reportlab("Open"), title="Open"), secret))
    version = packs.make()
    assert version["status"] == "ready"
    path = f"{packs.board.path}/documents/{version['documentId']}"
    assert packs.board.owner.client.get(path).data["committeeId"] == finance
    assert packs.board.member("mia").client.get(path).status == 404
    row = read_one(COMMITTEE.key_for(boardId=packs.board.board_id, committeeId=finance))
    assert row is not None
    assert row["documents"] == 2


def test_a_paper_that_was_deleted_is_left_out(packs: PackScenario) -> None:
    paper = packs.paper(of_reportlab("Open"))
    packs.put_agenda(item("All", paper))
    assert packs.board.owner.client.delete(paper.path).status == 200
    assert packs.ask().status == 201


def test_a_pack_holds_only_what_its_maker_may_see(packs: PackScenario) -> None:
    secret = packs.paper(of_reportlab("Secret"), committeeId=packs.board.committee(packs.board.owner), title="Secret")
    packs.put_agenda(item("All", packs.paper(of_reportlab("Open"), title="Open"), secret))
    for client in (packs.board.member("mia").client, packs.board.token("read_write")):
        version = packs.make(client)
        pages = texts(packs.read(version))
        assert len(pages) == 3
        assert not any("Secret" in page for page in pages)
        document = client.get(f"{packs.board.path}/documents/{version['documentId']}").data
        assert document["committeeId"] is None


def test_a_draft_has_no_pack(packs: PackScenario) -> None:
    assert packs.meeting.patch(status="draft").status == 200
    assert reason(packs.ask()) == "MEETING_IS_DRAFT"
    assert documents(packs) == []


def test_what_a_pack_says_is_in_the_language_of_its_maker(packs: PackScenario) -> None:
    owner = packs.board.owner
    assert owner.client.call("PATCH", "/api/v1/me", {"language": "de"}).status == 200
    packs.put_agenda(item("Start", minutes=1))
    document = packs.begin()
    assert document["title"].startswith("Sitzungsmappe: ")
    work()
    assert "Tagesordnung\n1. Start\n09:00 · 1 Minute" in texts(packs.read(packs.version(document)))[1]


def test_what_looks_like_a_field_of_the_writer_is_text(packs: PackScenario) -> None:
    packs.put_agenda(item("Item {nb} of {nb}", notes="{nb}"))
    assert "1. Item {nb} of {nb}" in texts(packs.read(packs.make()))[1]


def test_a_pack_cannot_be_completed_or_downloaded_before_it_is_made(packs: PackScenario) -> None:
    document = packs.begin()
    path = f"{packs.board.path}/documents/{document['id']}/versions/{packs.version(document)['id']}"
    assert reason(packs.board.owner.client.post(f"{path}/complete")) == "UPLOAD_INCOMPLETE"
    assert reason(packs.board.owner.client.get(f"{path}/content")) == "UPLOAD_INCOMPLETE"
