"""What a printer gets: the text of the PDF that the browser makes of a page, without what only a screen needs."""

from pathlib import Path

import pytest

from tests.pages.app.browser import Page, soon
from tests.pages.app.test_papers import choose, document, file

pytestmark = pytest.mark.slow
NAVIGATION = ("Sign out", "Search", "Overview", "Reports", "Audit log", "Settings")
"""Words of the bars above every page of a board."""


def absent(text: str, *words: str) -> None:
    assert [word for word in words if word in text] == []


def minuted(page: Page, status: str) -> str:
    """Returns the address of a meeting with an agenda and minutes, in a status."""
    api = page.api
    meeting = api.meeting("Spring meeting", startTime=soon(8))
    items = [
        {"title": "Opening", "minutes": 15, "presenterName": "Zoë Çelik", "notes": "Is there a quorum?"},
        {"title": "Accounts", "minutes": 45, "kind": "decision"},
    ]
    path = f"/api/v1{meeting}"
    opening, accounts = api.call("olivia", "PUT", f"{path}/agenda", {"items": items})["data"]["items"]
    api.call("olivia", "PATCH", path, {"status": "in_progress"})
    olivia = api.call("olivia", "GET", "/api/v1/whoami")["userId"]
    entries = [
        {"agendaItemId": opening["id"], "text": "The chair opened."},
        {"agendaItemId": accounts["id"], "text": "Explained.", "decision": {"text": "Approved", "result": "carried"}},
    ]
    minutes = {"attendance": [{"userId": olivia, "present": "in_person"}], "items": entries}
    api.call("olivia", "PUT", f"{path}/minutes", minutes)
    for step in {"in_progress": (), "finalized": ("completed", "finalized")}[status]:
        api.call("olivia", "PATCH", path, {"status": step})
    return meeting


@pytest.mark.parametrize(("name", "status"), [("olivia", "in_progress"), ("colin", "finalized")])
def test_a_meeting_prints_its_agenda_then_its_minutes_alone(page: Page, name: str, status: str) -> None:
    meeting = minuted(page, status)
    page.zone("UTC")
    page.sign_in(name)
    page.open(meeting)
    page.until(lambda: page.all("#agenda .agenda > li"))
    page.until(lambda: "Olivia" in page.text("#minutes"))
    printed = page.printed()
    assert printed.startswith("Spring meeting")
    for said in ("Is there a quorum?", "The chair opened.", "Explained.", "Approved", "In person", "1 of"):
        assert said in printed, said
    assert "Opening 12:00 · 15 minutes · Zoë Çelik" in printed
    assert "12:15 · 45 minutes" in printed
    assert printed.index("12:15 · 45 minutes") < printed.index("The chair opened.") < printed.rindex("Secretary")
    absent(printed, *NAVIGATION, "Edit the agenda", "Print", "Make the board pack", "Attendance", "Comments")
    absent(printed, "What was said", "All is saved.")


def test_the_reader_of_papers_prints_the_paper_without_its_buttons(page: Page, tmp_path: Path) -> None:
    api = page.api
    meeting = api.meeting("With a paper", startTime=soon(9))
    path = document(api, title="The accounts")
    page.sign_in("olivia")
    page.open(path)
    choose(page, file(tmp_path, "Accounts.txt", b"Revenue rose"))
    page.sees("Latest")
    items = [{"title": "Figures", "documentIds": [path.rpartition("/")[2]]}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.open(f"{meeting}/papers")
    frame = page.until(lambda: page.one(".viewer iframe"))
    page.chrome.switch_to.frame(frame)
    page.until(lambda: "Revenue rose" in page.one("body").text)
    page.chrome.switch_to.default_content()
    printed = page.printed()
    for shown in ("Papers of With a paper", "The accounts", "1. Figures", "Revenue rose"):
        assert shown in printed, shown
    absent(printed, *NAVIGATION, "Previous", "Next", "Back to the meeting")


def test_every_other_page_prints_what_it_shows(page: Page) -> None:
    page.sign_in("olivia")
    for section in ("members", "action-items", "documents"):
        page.open(f"/boards/{page.api.board}/{section}")
        words = page.until(lambda: [row.text for row in page.all("main .rows > li b, main .rows > li a") if row.text])
        assert words[0] in page.printed(), section
