"""Board packs: one PDF with the agenda and every paper that its maker may see (ADR 0162)."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pdfminer.high_level import extract_text
from pypdf import PdfReader

from governance.ids import UserId, membership_id
from governance.limits import PACK_ATTEMPT_SECONDS, PACK_ATTEMPTS, UPLOAD_HOURS
from governance.packs import __main__ as child
from governance.packs import book, worker
from governance.packs.book import Book
from governance.settings import settings
from governance.store import papers
from governance.store.schema.entities import USER
from governance.store.table import transact
from governance.store.writes import EXISTS, Update
from tests.harness import queue, sdk
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.bucket import keys
from tests.harness.client import FUNCTIONS, Response, load
from tests.harness.clock import Clock
from tests.harness.crash_injection import ProcessKilled
from tests.harness.meeting_scenario import stored_events
from tests.harness.privileges import acting_as
from tests.packs.making import (
    PackScenario,
    encrypted,
    item,
    new_pack_scenario,
    of_fpdf,
    of_pikepdf,
    of_reportlab,
    picture,
    work,
)

pytestmark = pytest.mark.usefixtures("bucket")


@pytest.fixture
def packs(scenario: BoardScenario) -> PackScenario:
    return new_pack_scenario(scenario)


@pytest.fixture(autouse=True)
def in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads papers in this process, which takes a tenth of the time, except where a test is about all of it."""
    if request.function is not test_a_pack_has_cover_agenda_and_every_paper_with_bookmarks_and_page_numbers:
        monkeypatch.setattr(book, "run", child.added)


def reason(answer: Response) -> str:
    assert answer.status == 409, answer.text
    return str(answer.details["reason"])


def texts(reader: PdfReader) -> list[str]:
    return [page.extract_text() for page in reader.pages]


def outline(reader: PdfReader, entries: Any = None) -> list[Any]:
    """Returns the titles of the outline with the numbers of their pages, counted from 1."""
    found: list[Any] = []
    for entry in reader.outline if entries is None else entries:
        if isinstance(entry, list):
            found.append(outline(reader, entry))
        else:
            found.append((entry.title, (reader.get_destination_page_number(entry) or 0) + 1))
    return found


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


def test_a_pack_has_cover_agenda_and_every_paper_with_bookmarks_and_page_numbers(packs: PackScenario) -> None:
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


def test_a_paper_that_cannot_be_read_is_named_and_nothing_else_is_left(packs: PackScenario) -> None:
    good = packs.paper(of_reportlab("Fine"), title="Good")
    before = keys_of_papers()
    for content, told in ((b"%PDF-1.7 torn", "damaged"), (encrypted(of_reportlab("x")), "encrypted")):
        bad = packs.paper(content, title="Bad paper")
        packs.put_agenda(item("All", good, bad))
        version = packs.make()
        assert version["status"] == "failed"
        assert "“Bad paper”" in version["reason"]
        assert told in version["reason"]
        document = packs.board.owner.client.get(f"{packs.board.path}/documents/{version['documentId']}").data
        assert document["latestVersionId"] is None
    assert len(keys_of_papers()) == len(before) + 2, "the two bad papers, and no pack"


def test_the_papers_of_one_committee_make_the_pack_a_document_of_that_committee(packs: PackScenario) -> None:
    finance = committee(packs, packs.board.owner)
    secret = packs.paper(of_reportlab("Secret"), committeeId=finance, title="Secret")
    packs.put_agenda(item("All", packs.paper(of_reportlab("Open"), title="Open"), secret))
    version = packs.make()
    assert version["status"] == "ready"
    path = f"{packs.board.path}/documents/{version['documentId']}"
    assert packs.board.owner.client.get(path).data["committeeId"] == finance
    assert packs.board.member("mia").client.get(path).status == 404


def test_papers_of_two_committees_make_no_pack(packs: PackScenario) -> None:
    owner = packs.board.owner
    papers = [packs.paper(of_reportlab("x"), committeeId=committee(packs, owner)) for _ in range(2)]
    packs.put_agenda(item("All", *papers))
    before = documents(packs)
    assert reason(packs.ask()) == "MIXED_READERS"
    assert documents(packs) == before
    assert stored_events(packs.board, "board_pack.requested") == []


def test_a_pack_holds_only_what_its_maker_may_see(packs: PackScenario) -> None:
    secret = packs.paper(of_reportlab("Secret"), committeeId=committee(packs, packs.board.owner), title="Secret")
    packs.put_agenda(item("All", packs.paper(of_reportlab("Open"), title="Open"), secret))
    for client in (packs.board.member("mia").client, packs.board.token("read_write")):
        version = packs.make(client)
        pages = texts(packs.read(version))
        assert len(pages) == 3
        assert not any("Secret" in page for page in pages)
        document = client.get(f"{packs.board.path}/documents/{version['documentId']}").data
        assert document["committeeId"] is None


def test_who_left_the_committee_meanwhile_gets_no_paper_of_it(packs: PackScenario) -> None:
    mia = packs.board.member("mia")
    finance = committee(packs, packs.board.owner, mia)
    secret = packs.paper(of_reportlab("Secret"), committeeId=finance, title="Secret")
    packs.put_agenda(item("All", secret))
    document = packs.begin(mia.client)
    seats = [membership_id(packs.board.board_id, packs.board.owner.id)]
    changed = packs.board.owner.client.call("PATCH", f"{packs.board.path}/committees/{finance}", {"memberIds": seats})
    assert changed.status == 200, changed.text
    work()
    version = packs.version(document)
    assert not any("Secret" in page for page in texts(packs.read(version)))


@pytest.mark.parametrize("end", ["leaves", "becomes a guest", "is suspended", "meeting is deleted"])
def test_who_may_not_make_packs_any_more_gets_none(packs: PackScenario, end: str) -> None:
    mia = packs.board.member("mia")
    document = packs.begin(mia.client)
    owner = packs.board.owner.client
    member = f"{packs.board.path}/members/{membership_id(packs.board.board_id, mia.id)}"
    if end == "leaves":
        assert owner.call("DELETE", member).status == 200
    elif end == "becomes a guest":
        assert owner.call("PATCH", member, {"accessType": "guest"}).status == 200
    elif end == "is suspended":
        suspend(mia.id)
    else:
        assert owner.call("DELETE", packs.meeting.path).status == 200
    work()
    version = packs.version(document)
    assert (version["status"], version["reason"]) == (
        "failed",
        "The person who made the pack may no longer read this meeting.",
    )
    assert keys_of_papers() == []


def test_a_paper_that_moved_to_a_committee_meanwhile_makes_the_pack_fail(packs: PackScenario) -> None:
    paper = packs.paper(of_reportlab("Soon secret"))
    packs.put_agenda(item("All", paper))
    document = packs.begin()
    finance = committee(packs, packs.board.owner)
    moved = packs.board.owner.client.call("PATCH", paper.path, {"committeeId": finance})
    assert moved.status == 200, moved.text
    work()
    version = packs.version(document)
    assert version["status"] == "failed"
    assert "belong to a committee" in version["reason"]


def test_a_draft_has_no_pack_and_guests_make_none(packs: PackScenario) -> None:
    guest = packs.board.member("gus", access_type="guest")
    assert packs.ask(guest.client).failure == (403, "FORBIDDEN")
    assert packs.meeting.patch(status="draft").status == 200
    assert reason(packs.ask()) == "MEETING_IS_DRAFT"
    assert documents(packs) == []


def test_repeated_with_one_key_it_makes_one_pack(packs: PackScenario) -> None:
    first, second = (packs.ask(Idempotency_Key="once") for _ in range(2))
    assert first.data == second.data
    assert len(documents(packs)) == 1
    assert packs.ask().data["id"] != first.data["id"]


def test_a_message_that_arrives_twice_makes_one_version(packs: PackScenario) -> None:
    document = packs.begin()
    packs.deliver()
    assert work() >= 2
    version = packs.version(document)
    assert version["status"] == "ready"
    assert len(stored_events(packs.board, "document.version_added")) == 1


def test_while_one_worker_runs_another_waits(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    document = packs.begin()
    packs.deliver()
    calls: list[int] = []

    def making(made: Book, lines: Any) -> int:
        if not calls:
            calls.append(work(1))
            assert packs.version(document)["status"] == "uploading"
        return counted(made, lines)

    counted = Book.count_pages
    monkeypatch.setattr(Book, "count_pages", making)
    work(1)
    assert calls == [1]
    assert packs.version(document)["status"] == "ready"
    (waiting,) = [message for message in queue.current.messages if message.function == "packer"]
    assert PACK_ATTEMPT_SECONDS - 60 < waiting.visible_at - queue.current.now <= PACK_ATTEMPT_SECONDS


def test_a_pack_whose_worker_died_is_made_by_the_next_attempt(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    document = packs.begin()
    with monkeypatch.context() as patched:
        patched.setattr(worker, "_make", die)
        with pytest.raises(ProcessKilled):
            work()
    assert packs.version(document)["status"] == "uploading"
    pass_time(clock)
    assert packs.version(document)["status"] == "ready"


def test_a_pack_whose_workers_always_die_has_failed(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    document = packs.begin()
    monkeypatch.setattr(worker, "_make", die)
    for _ in range(PACK_ATTEMPTS):
        with pytest.raises(ProcessKilled):
            pass_time(clock)
    pass_time(clock)
    version = packs.version(document)
    assert (version["status"], version["reason"]) == ("failed", "The pack could not be made. Make it again.")


def test_a_pack_that_was_deleted_meanwhile_leaves_nothing(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    document = packs.begin()
    path = f"{packs.board.path}/documents/{document['id']}"
    put = papers.put

    def deleting(key: str, file: Path, mime_type: str) -> tuple[int, str]:
        written = put(key, file, mime_type)
        assert packs.board.owner.client.call("DELETE", path).status == 200
        return written

    monkeypatch.setattr(papers, "put", deleting)
    work()
    assert keys_of_papers() == []
    assert stored_events(packs.board, "document.version_added") == []


def test_a_pack_that_was_never_made_has_failed_after_a_day(packs: PackScenario, clock: Clock) -> None:
    document = packs.begin()
    clock.move(UPLOAD_HOURS * 3600 + 60)
    with acting_as("deliveries"):
        load(FUNCTIONS / "deliveries" / "handler.py").lambda_handler({}, None)
    queue.current.deliver()
    version = packs.version(document)
    assert (version["status"], version["reason"]) == ("failed", "The pack could not be made. Make it again.")


def test_what_a_pack_says_is_in_the_language_of_its_maker(packs: PackScenario) -> None:
    owner = packs.board.owner
    assert owner.client.call("PATCH", "/api/v1/me", {"language": "de"}).status == 200
    packs.put_agenda(item("Start", minutes=1))
    assert "Tagesordnung\n1. Start\n09:00 · 1 Minute" in texts(packs.read(packs.make()))[1]


def test_a_pack_cannot_be_completed_or_downloaded_before_it_is_made(packs: PackScenario) -> None:
    document = packs.begin()
    path = f"{packs.board.path}/documents/{document['id']}/versions/{packs.version(document)['id']}"
    assert reason(packs.board.owner.client.post(f"{path}/complete")) == "UPLOAD_INCOMPLETE"
    assert reason(packs.board.owner.client.get(f"{path}/content")) == "UPLOAD_INCOMPLETE"


def test_papers_larger_than_a_pack_may_be_make_it_fail(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PACK_BYTES", 1500)
    packs.put_agenda(item("All", *(packs.paper(of_reportlab("x"), title=title) for title in "AB")))
    version = packs.make()
    assert version["reason"].startswith("The papers are larger than 500 MB together.")


def test_papers_that_take_longer_than_the_worker_runs_make_it_fail(packs: PackScenario) -> None:
    packs.put_agenda(item("All", packs.paper(of_reportlab("x"))))
    document = packs.begin()
    message = queue.current.receive("packer")
    assert message is not None
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000, function_name="packer", memory_limit_in_mb=1)
    assert queue.invoke_deliveries(message, context) == []
    assert "take too long to read" in packs.version(document)["reason"]


def committee(packs: PackScenario, *members: Person) -> str:
    """Creates a committee of these members; returns its id."""
    seats = [membership_id(packs.board.board_id, member.id) for member in members]
    created = packs.board.owner.client.post(f"{packs.board.path}/committees", {"name": "Finance", "memberIds": seats})
    assert created.status == 201, created.text
    return str(created.data["id"])


def documents(packs: PackScenario) -> list[Any]:
    found: list[Any] = packs.board.owner.client.get(f"{packs.board.path}/documents").data
    return found


def suspend(user_id: UserId) -> None:
    transact([Update(USER.key_for(userId=user_id), "SET #s = :s", {"#s": "status"}, {":s": "suspended"}, EXISTS)])


def pass_time(clock: Clock) -> None:
    """Lets an attempt's time and the queue's time-outs pass, and the worker handle what is visible."""
    clock.move(PACK_ATTEMPT_SECONDS + 1)
    queue.current.now += queue.LONG_ENOUGH + queue.VISIBILITY_SECONDS
    work()


def die(_pack: Any) -> None:
    raise ProcessKilled


def keys_of_papers() -> list[str]:
    return keys(sdk.s3(), settings().papers_bucket)
