"""Papers, agenda and minutes: send a file, read it, order the agenda, make the pack, write minutes, print it all."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import mails

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def document(api: Api, **members: Any) -> str:
    """Creates a document and returns its address in the pages."""
    path = f"/api/v1/boards/{api.board}/documents"
    made = api.call("olivia", "POST", path, {"title": "Accounts", **members})["data"]
    return f"/boards/{api.board}/documents/{made['id']}"


def versions(api: Api, path: str) -> list[Any]:
    return list(api.call("olivia", "GET", f"/api/v1{path}/versions")["data"])


def choose(page: Page, *files: Path) -> None:
    page.one("#files-choose").send_keys("\n".join(map(str, files)))


def file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def words(page: Page, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)"
    return list(page.chrome.execute_script(script, selector))


def test_a_file_is_sent_and_read_in_place(page: Page, tmp_path: Path) -> None:
    api = page.api
    path = document(api)
    page.sign_in("olivia")
    page.open(path)
    page.sees("There is no file yet.")
    choose(page, file(tmp_path, "Notes März.txt", b"Read me in place"))
    page.sees("Notes März.txt")
    page.sees("Latest")
    (version,) = versions(api, path)
    assert (version["status"], version["size"], version["mimeType"]) == ("ready", 16, "text/plain")
    page.click("Read Notes März.txt")
    frame = page.until(lambda: page.one(".viewer iframe"))
    assert frame.get_attribute("sandbox") is not None
    page.chrome.switch_to.frame(frame)
    page.until(lambda: "Read me in place" in page.one("body").text)
    page.chrome.switch_to.default_content()
    choose(page, file(tmp_path, "Accounts.pdf", b"%PDF-1.4\n%%EOF\n"))
    page.until(lambda: words(page, ".file b") == ["Accounts.pdf", "Notes März.txt"])
    page.click("Read Accounts.pdf")
    address = page.until(lambda: page.one(".viewer iframe[title='Accounts.pdf']").get_attribute("src"))
    assert not address.startswith(api.url), "it is shown by the bucket's origin"
    assert "response-content-type=application%2Fpdf" in address
    page.more(".file")
    page.click("Delete", ".file")
    page.click("Delete the file", ".file")
    page.until(lambda: words(page, ".file b") == ["Notes März.txt"])
    page.sees("Latest", ".file")
    assert page.errors() == CLEAN


def figures() -> bytes:
    written = io.BytesIO()
    canvas = Canvas(written)
    canvas.drawString(72, 700, "Figures")
    canvas.save()
    return written.getvalue()


def violations_of_both_schemes(page: Page) -> list[str]:
    """Returns what axe-core finds in the light and in the dark."""
    found = []
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        found += page.violations()
    return found


def test_the_board_pack_is_made_and_read(page: Page, tmp_path: Path) -> None:
    api = page.api
    meeting = api.meeting("Packed", startTime=soon(9))
    path = document(api, title="Accounts")
    page.sign_in("olivia")
    page.open(path)
    choose(page, file(tmp_path, "Accounts.pdf", figures()))
    page.sees("Latest")
    items = [{"title": "Figures", "documentIds": [path.rpartition("/")[2]]}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.open(meeting)
    page.click("Make the board pack")
    page.sees("The board pack is being made.")
    page.block("*/versions?*")  # nobody learns how far it is
    page.click("Documents", ".sections")
    page.sees("The board pack of “Packed” is being made.", ".jobs")
    assert violations_of_both_schemes(page) == CLEAN
    page.block()
    page.chrome.refresh()
    page.sees("The board pack of “Packed” is ready.", ".jobs")
    assert violations_of_both_schemes(page) == CLEAN
    page.click("Read the board pack", ".jobs")
    page.until(lambda: words(page, ".file b"))
    assert page.all(".jobs") == []
    page.click(f"Read {words(page, '.file b')[0]}")
    page.until(lambda: page.one(".viewer iframe"))
    assert page.errors() == CLEAN


def agenda(api: Api, meeting: str) -> list[str]:
    return [item["title"] for item in api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]]


def test_an_agenda_is_ordered_by_buttons_keys_and_dragging(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Ordered", startTime=soon(8))
    page.sign_in("olivia")
    page.open(meeting)
    page.sees("The agenda has no item yet.")
    page.click("Edit the agenda")
    for number, title in enumerate(("Opening", "Accounts", "Closing")):
        if number:
            page.click("Add an item")
        page.sees(f"⠿ {number + 1}", "#agenda")
        page.all(".agenda-line input:not([type])")[number].send_keys(title)
    page.all(".agenda-item input[type=number]")[0].send_keys("15")
    page.click("Move item 3 up")
    page.until(lambda: page.chrome.switch_to.active_element.get_attribute("aria-label") == "Move item 2 up")
    page.chrome.switch_to.active_element.send_keys(Keys.ALT, Keys.ARROW_UP)
    titles = "return [...document.querySelectorAll('.agenda-line input:not([type])')].map((input) => input.value)"
    page.until(lambda: page.chrome.execute_script(titles) == ["Closing", "Opening", "Accounts"])
    drag = """
        const [first, , third] = document.querySelectorAll('.agenda-item');
        const data = new DataTransfer();
        const how = {bubbles: true, cancelable: true, dataTransfer: data};
        const send = (target, type) => target.dispatchEvent(new DragEvent(type, how));
        send(first, 'dragstart'); send(third, 'dragover'); send(first, 'dragend');"""
    page.chrome.execute_script(drag)
    page.until(lambda: page.chrome.execute_script(titles) == ["Opening", "Accounts", "Closing"])
    page.click("Save the agenda")
    page.until(lambda: page.all(".agenda-item") == [])
    assert agenda(api, meeting) == ["Opening", "Accounts", "Closing"]
    assert "15 min" in page.text("#agenda")
    assert page.errors() == CLEAN


def minutes(api: Api, meeting: str) -> Any:
    return api.call("olivia", "GET", f"/api/v1{meeting}/minutes")["data"]


def test_minutes_are_saved_as_they_are_typed_and_mailed_when_final(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Minuted", startTime=soon(8))
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": [{"title": "Accounts"}, {"title": "Budget"}]})
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    page.sign_in("olivia")
    page.open(meeting)
    page.choose("#minutes .attendance select", "in_person")
    page.all("#minutes textarea")[0].send_keys("The accounts were explained.")
    page.sees("Everything is saved.", "#minutes")
    page.one("#minutes [open] [id$=-decision]").send_keys("Approved")
    page.until(lambda: minutes(api, meeting)["items"][0].get("decision"))
    saved = minutes(api, meeting)
    assert saved["items"][0]["text"] == "The accounts were explained."
    assert saved["items"][0]["decision"] == {"text": "Approved", "result": "carried"}
    assert saved["quorum"]["present"] == 1
    before = {path.name for path in (api.state / "outbox").glob("*.eml")}
    page.open(meeting)
    page.click("Complete")
    page.click("Finalize")
    page.click("Finalize", ".confirm-box[open]")
    page.sees("Final", "#minutes")
    page.sees("The accounts were explained.", "#minutes")
    assert page.all("#minutes textarea") == []
    page.until(lambda: any("Minuted" in mail.as_string() for mail in mails(api, before)))
    assert page.errors() == CLEAN


# -- what a printer gets: the text of the PDF that the browser makes of a page, without what only a screen needs

NAVIGATION = ("Sign out", "Search", "Overview", "Reports", "Audit log", "Settings")
"""Words of the bars above every page of a board."""


def absent(text: str, *unwanted: str) -> None:
    assert [word for word in unwanted if word in text] == []


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
    written = {"attendance": [{"userId": olivia, "present": "in_person"}], "items": entries}
    api.call("olivia", "PUT", f"{path}/minutes", written)
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
    assert re.match(r"1 / [12]\nSpring meeting ", printed)
    for said in ("Is there a quorum?", "The chair opened.", "Explained.", "Approved", "In person", "1 of"):
        assert said in printed, said
    assert "Opening 12:00 · 15 minutes · Zoë Çelik" in printed
    assert "12:15 · 45 minutes" in printed
    assert printed.index("12:15 · 45 minutes") < printed.index("The chair opened.") < printed.rindex("Secretary")
    absent(printed, *NAVIGATION, "Edit the agenda", "Print", "Make the board pack", "Who will attend", "Comments")
    absent(printed, "What was said", "Everything is saved.")


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
    page.chrome.switch_to.frame(page.one(".viewer iframe"))
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
        shown = page.until(lambda: [row.text for row in page.all("main .rows > li b, main .rows > li a") if row.text])
        assert shown[0] in page.printed(), section
