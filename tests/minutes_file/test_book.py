"""The document of a minute book: a year whole, what is missing, and a seal (ADR minutes)."""

from __future__ import annotations

import io
import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from asn1crypto.pem import unarmor
from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pypdf import PdfReader

from governance.minutes_file import worker
from governance.minutes_file.pages import lines_in_book
from governance.store.meetings import minute_book
from governance.store.transactions import transact
from governance.usecases.meetings import minute_book_files
from tests.functions.meetings.test_minute_book import book, correct, decide
from tests.functions.meetings.test_minutes_approval import SPRING, approve, circulated, held
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, stored_events
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.stream import deliver
from tests.minutes_file.making import ITEM, NAMES, approved, book_of, drawn_contents, plain
from tests.minutes_file.making import version as minutes_version
from tests.minutes_file.test_drawing import told
from tests.minutes_file.test_worker import certificates, content, version, work

pytestmark = pytest.mark.usefixtures("bucket")
YEAR, SUMMER, AUTUMN = "2030", "2030-06-04T09:00:00.000Z", "2030-09-03T09:00:00.000Z"


@pytest.fixture
def summer(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting that approves minutes of earlier ones, and whose own are not approved."""
    return held(scenario, SUMMER, "in_progress")


def ask(scenario: BoardScenario, year: str = YEAR, client: Client | None = None) -> Response:
    return (client or scenario.owner.client).post(f"{scenario.path}/minute-book/{year}/document")


def asked(scenario: BoardScenario, year: str = YEAR, client: Client | None = None) -> Any:
    """Returns the document of a minute book, whose making has begun."""
    created = ask(scenario, year, client)
    assert created.status == 201, created.text
    deliver(*stored_events(scenario, "board_pack.requested"))
    return created.data


def made(meeting: MeetingScenario, document: Any) -> bytes:
    """Returns the file of a document that was made."""
    work()
    ready = version(meeting, document)
    assert ready["status"] == "ready", ready
    return content(ready, meeting)


def in_order(text: str, *parts: str) -> None:
    """Checks that a text has these parts, one behind the other."""
    at = 0
    for part in parts:
        assert part in text[at:], (part, text[at : at + 2000])
        at = text.index(part, at) + len(part)


def test_the_document_has_the_contents_what_is_missing_and_every_approved_version(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    spring = circulated(scenario, SPRING)
    approve(spring, summer)
    correct(spring, summer)
    approve(circulated(scenario, SPRING), summer)
    held(scenario, AUTUMN, "completed")
    held(scenario, "2031-01-01T00:00:00.000Z", "completed")
    scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "To come", "startTime": "2030-12-03T09:00:00Z"})
    transact([minute_book.delete(scenario.board_id, "minutes", f"{YEAR}-2")])
    sealing.seal(scenario.board_id)
    document = asked(scenario)
    assert (document["documentType"], document["title"], document["meetingIds"]) == (
        "minute_book",
        "Minute book 2030",
        [],
    )
    file = made(summer, document)
    first, third = book(scenario)["entries"]
    text = told(file)
    in_order(
        text,
        "Minute book 2030",
        "Contents",
        *("Minutes 2030-1", "held on Tuesday, 5 March 2030", "Superseded by minutes 2030-2", first["sha256"]),
        f"Entry {first['logIndex']} of the log",
        *("Minutes 2030-3", third["sha256"], f"Entry {third['logIndex']} of the log"),
        "Not in this book",
        *("no minutes 2030-2 are in this book", "Tuesday, 4 June 2030: the minutes of", "Tuesday, 3 September 2030"),
        "not a qualified electronic signature",
        *("Minutes 2030-1", "superseded by minutes 2030-2", "Attendance", first["sha256"]),
        *("Minutes 2030-3", "Attendance", third["sha256"]),
    )
    assert "To come" not in text
    assert "2031" not in text
    pages = [page.extract_text().split()[-1] for page in PdfReader(io.BytesIO(file)).pages]
    assert pages == [str(number) for number in range(1, len(pages) + 1)]


def destinations(file: pypdfium2.PdfDocument, at: int) -> list[int]:
    """Returns the indexes of the pages that the links of a page lead to, in their order."""
    raw, page, found = pypdfium2.raw, file[at], []
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        link = raw.FPDFAnnot_GetLink(raw.FPDFPage_GetAnnot(page, number))
        found.append(raw.FPDFDest_GetDestPageIndex(file, raw.FPDFLink_GetDest(file, link)))
    return found


def test_each_entry_of_the_contents_shows_and_leads_to_the_page_where_it_begins(tmp_path: Path) -> None:
    titles = ["Meeting of June", "ישיבת יוני 12", "June " * 40, *(f"Meeting {number}" for number in range(4, 13))]
    with pypdfium2.PdfDocument(drawn_contents(book_of(plain(), *titles), tmp_path)) as file:
        texts = [" ".join(page.get_textpage().get_text_range().split()) for page in file]
        starts = [at for at, text in enumerate(texts) if "Attendance" in text]
        front = range(starts[0])
        led = [dest for at in front for dest in destinations(file, at)]
    assert len(starts) == len(titles)
    assert len(front) > 1
    assert [at for at, _ in groupby(led)] == starts
    told = " ".join(texts[at] for at in front)
    for count, page in enumerate((start + 1 for start in starts), 1):
        from_left, from_right = rf"Minutes 2030-{count}: [^·]*? {page}", rf"{page} [^·]*? 2030-{count}: Minutes"
        assert re.search(f"(?:{from_left}|{from_right}) held on", told), (count, page, told)


def test_gaps_and_meetings_without_approved_minutes_are_listed_by_date(scenario: BoardScenario) -> None:
    votes = ResolutionScenario(scenario)
    decide(votes, "against")
    decide(votes, "against")
    carried = decide(votes)
    year = carried["number"].partition("-")[0]
    later, earlier = (held(scenario, f"{year}-{day}T00:00:00.000Z", "completed") for day in ("12-31", "01-01"))
    text = told(made(earlier, asked(scenario, year)))
    in_order(
        text,
        "Not in this book",
        f"1 January {year}: the minutes of",
        f"no resolution {year}-1 to {year}-2 is in this book",
        f"31 December {year}: the minutes of",
    )
    assert later.path != earlier.path


def test_carried_resolutions_have_text_and_result_and_those_of_committees_are_left_out(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    votes = ResolutionScenario(scenario)
    committee = scenario.committee(votes.manager, *votes.voters)
    decide(votes, title="Only for the committee", committeeId=committee)
    of_board = decide(votes)
    decide(votes, supersedesId=of_board["id"])
    year = of_board["number"].partition("-")[0]
    assert len(book(scenario, year, votes.manager.client)["entries"]) == 3
    file = made(summer, asked(scenario, year, votes.manager.client))
    text, (entry, successor) = told(file), book(scenario, year)["entries"]
    in_order(
        text,
        f"Resolution {entry['number']}: Adopt the budget",
        f"Superseded by resolution {successor['number']}",
        entry["sha256"],
        "Not yet in the log",
        "Not in this book",
        f"no resolution {year}-1 is in this book",
        f"Resolution {entry['number']}",
        *("Text", *of_board["text"].split()[:3], "Result", "For ", "Certificate", entry["sha256"]),
    )
    assert "Only for the committee" not in text
    (attached,) = PdfReader(io.BytesIO(file)).attachments["minute_book.json"]
    assert json.loads(attached)["entries"] == [entry, successor]


def test_an_item_that_is_for_few_is_withheld_whoever_asks() -> None:
    members = json.loads(minutes_version())
    members["items"] = [{"id": "1", "sealed": "5" * 64}, members["items"][1]]
    shown = [line.text for line in lines_in_book(approved(minutes=json.dumps(members)), None)]
    assert [text for text in shown if "Withheld" in text and "5" * 64 in text]
    assert NAMES[ITEM] not in " ".join(shown)


def test_one_seal_holds_over_the_whole_file(scenario: BoardScenario, summer: MeetingScenario) -> None:
    approve(circulated(scenario, SPRING), summer)
    file = made(summer, asked(scenario, client=scenario.token()))
    (seal,) = PdfFileReader(io.BytesIO(file)).embedded_signatures
    trusted = Certificate.load(unarmor(certificates())[2])
    status = validate_pdf_signature(seal, ValidationContext(trust_roots=[trusted], allow_fetching=False))
    assert status.bottom_line
    assert (seal.field_name, status.coverage) == ("MinuteBook", SignatureCoverageLevel.ENTIRE_FILE)
    assert "not yet in the log" in told(file)


def test_only_managers_ask_for_the_document_of_a_year(scenario: BoardScenario) -> None:
    mia = scenario.member("mia", access_type="collaborator")
    assert ask(scenario, client=mia.client).failure == (403, "FORBIDDEN")
    assert ask(scenario, "30").failure == (404, "RESOURCE_NOT_FOUND")
    assert scenario.owner.client.get(f"{scenario.path}/documents").data == []


def test_who_may_not_run_the_board_any_more_gets_no_document(scenario: BoardScenario, summer: MeetingScenario) -> None:
    mia = scenario.member("mia", access_type="manager")
    document = asked(scenario, client=mia.client)
    assert scenario.owner.client.patch(scenario.member_path(mia), {"accessType": "collaborator"}).status == 200
    work()
    assert version(summer, document)["status"] == "failed"


@pytest.mark.parametrize("limit", ["reading", "drawing"])
def test_a_book_that_is_too_long_fails_with_its_reason(
    scenario: BoardScenario, summer: MeetingScenario, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    approve(circulated(scenario, SPRING), summer)
    document = asked(scenario)
    if limit == "reading":
        monkeypatch.setattr(minute_book_files, "MINUTES_FILE_BYTES", 10)
    else:
        monkeypatch.setattr(worker, "run", lambda *_: {"problem": "too_long"})
    work()
    failed = version(summer, document)
    assert failed["status"] == "failed"
    assert failed["reason"].startswith(f"The minute book of {YEAR} is too long for one file.")
