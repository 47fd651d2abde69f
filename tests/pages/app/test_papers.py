"""Papers, agenda and minutes: send a file, read it, order the agenda, write the minutes, finalize."""

import time
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import mails

pytestmark = pytest.mark.slow
CLEAN: list[str] = []
ENDLESS_PAUSES = """
const real = window.setTimeout;
window.setTimeout = (work, milliseconds, ...given) => real(work, milliseconds === 1000 ? 1e8 : milliseconds, ...given);
"""
"""Lets nothing that is typed be saved by itself."""


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
    script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)"
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
    page.click("Close")
    assert page.all(".viewer") == []
    choose(page, file(tmp_path, "Notes 2.txt", b"Newer"))
    page.sees("Notes 2.txt")
    page.until(lambda: len(words(page, ".file b")) == 2 and ".viewer" not in page.text())
    assert words(page, ".file b") == ["Notes 2.txt", "Notes März.txt"]
    page.more(".file")
    page.click("Delete", ".file")
    page.click("Delete the file", ".file")
    page.until(lambda: words(page, ".file b") == ["Notes März.txt"])
    page.sees("Latest", ".file")
    assert page.errors() == CLEAN


def test_a_pdf_is_shown_in_a_frame_of_the_buckets_origin(page: Page, tmp_path: Path) -> None:
    page.sign_in("olivia")
    page.open(document(page.api))
    choose(page, file(tmp_path, "Accounts.pdf", b"%PDF-1.4\n%%EOF\n"))
    page.sees("Latest")
    page.click("Read Accounts.pdf")
    address = page.until(lambda: page.one(".viewer iframe").get_attribute("src"))
    assert not address.startswith(page.api.url)
    assert "response-content-type=application%2Fpdf" in address
    assert page.errors() == CLEAN


def test_what_is_no_paper_is_refused_before_it_is_sent(page: Page, tmp_path: Path) -> None:
    path = document(page.api)
    page.sign_in("olivia")
    page.open(path)
    choose(page, file(tmp_path, "page.html", b"<script>"))
    page.sees("Files of this kind are not accepted")
    page.click("Remove")
    choose(page, file(tmp_path, "empty.pdf", b""))
    page.sees("The file is empty.")
    assert versions(page.api, path) == []


def test_a_file_that_was_cut_off_is_sent_again(page: Page, tmp_path: Path) -> None:
    path = document(page.api)
    page.sign_in("olivia")
    page.open(path)
    page.chrome.execute_cdp_cmd("Network.enable", {})
    page.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*board-governance-papers*"]})
    choose(page, file(tmp_path, "Again.txt", b"twice"))
    page.sees("The service could not be reached")
    page.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    page.click("Try again")
    page.sees("Latest")
    assert [each["status"] for each in versions(page.api, path)] == ["ready"]


def test_who_may_not_change_a_document_reads_its_files_only(page: Page, tmp_path: Path) -> None:
    path = document(page.api)
    page.sign_in("olivia")
    page.open(path)
    choose(page, file(tmp_path, "Read.txt", b"x"))
    page.sees("Latest")
    page.sign_in("colin")
    page.open(path)
    page.sees("Read.txt")
    assert page.all(".drop") == page.all(".file .menu") == []
    page.click("Download Read.txt")
    assert page.all(".problem") == []


def test_a_file_on_a_meeting_becomes_a_paper_of_it(page: Page, tmp_path: Path) -> None:
    api = page.api
    meeting = api.meeting("With papers", soon(9))
    page.sign_in("olivia")
    page.open(meeting)
    choose(page, file(tmp_path, "Budget 2031.csv", b"a,b"))
    page.sees("Budget 2031", "#documents .rows")
    query = f"?meetingId={meeting.rpartition('/')[2]}"
    (paper,) = api.call("olivia", "GET", f"/api/v1/boards/{api.board}/documents{query}")["data"]
    assert (paper["title"], paper["mimeType"]) == ("Budget 2031", "text/csv")


def agenda(api: Api, meeting: str) -> list[str]:
    return [item["title"] for item in api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]]


def test_an_agenda_is_ordered_by_buttons_keys_and_dragging(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Ordered", startTime=soon(8))
    page.sign_in("olivia")
    page.open(meeting)
    page.sees("Nothing is on it yet.")
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
    titles = "return [...document.querySelectorAll('.agenda-line input:not([type])')].map((each) => each.value)"
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


def running(api: Api, title: str) -> str:
    meeting = api.meeting(title, startTime=soon(8))
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": [{"title": "Accounts"}, {"title": "Budget"}]})
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    return meeting


def minutes(api: Api, meeting: str) -> Any:
    return api.call("olivia", "GET", f"/api/v1{meeting}/minutes")["data"]


def test_minutes_are_saved_as_they_are_typed_and_mailed_when_final(page: Page) -> None:
    api = page.api
    meeting = running(api, "Minuted")
    page.sign_in("olivia")
    page.open(meeting)
    page.choose("#minutes .attendance select", "in_person")
    page.all("#minutes textarea")[0].send_keys("The accounts were explained.")
    page.sees("All is saved.", "#minutes")
    page.one("#minutes [open] [id$=-decision]").send_keys("Approved")
    page.until(lambda: minutes(api, meeting)["items"][0].get("decision"))
    saved = minutes(api, meeting)
    assert saved["items"][0]["text"] == "The accounts were explained."
    assert saved["items"][0]["decision"] == {"text": "Approved", "result": "carried"}
    assert saved["quorum"]["present"] == 1
    before = {each.name for each in (api.state / "outbox").glob("*.eml")}
    page.open(meeting)
    page.click("Complete")
    page.click("Finalize")
    page.click("Finalize", ":popover-open")
    page.sees("Final", "#minutes")
    page.sees("The accounts were explained.", "#minutes")
    assert page.all("#minutes textarea") == []
    page.until(lambda: any("Minuted" in mail.as_string() for mail in mails(api, before)))
    assert page.errors() == CLEAN


def test_what_is_typed_last_is_in_the_minutes_that_are_finalized(page: Page) -> None:
    api = page.api
    meeting = running(api, "Typed last")
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "completed"})
    page.sign_in("olivia")
    page.open(meeting)
    page.chrome.execute_script(ENDLESS_PAUSES)
    page.all("#minutes textarea")[0].send_keys("The last word.")
    page.click("Finalize")
    page.click("Finalize", ":popover-open")
    page.sees("The last word.", "#minutes .said")
    assert minutes(api, meeting)["items"][0]["text"] == "The last word."
    assert page.errors() == CLEAN


def test_minutes_that_another_began_meanwhile_are_not_written_over(page: Page) -> None:
    api = page.api
    meeting = running(api, "Two begin")
    page.sign_in("olivia")
    page.open(meeting)
    (item, _) = api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]
    theirs = {"items": [{"agendaItemId": item["id"], "text": "Begun by another"}]}
    api.call("adam", "PUT", f"/api/v1{meeting}/minutes", theirs)
    page.all("#minutes textarea")[0].send_keys("Begun here")
    page.sees("Begun by another", "#minutes .notice")
    assert minutes(api, meeting)["items"][0]["text"] == "Begun by another"
    page.click("Keep yours")
    page.until(lambda: minutes(api, meeting)["items"][0]["text"] == "Begun here")
    assert page.errors() == CLEAN


def test_what_another_wrote_meanwhile_is_shown_beside_what_is_typed(page: Page) -> None:
    api = page.api
    meeting = running(api, "Two writers")
    page.block("*/live/tickets")  # by which the pages would take what nobody here is typing over
    page.sign_in("olivia")
    page.open(meeting)
    page.all("#minutes textarea")[0].send_keys("Mine")
    page.sees("All is saved.", "#minutes")
    (item, _) = api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]
    theirs = {"items": [{"agendaItemId": item["id"], "text": "Theirs alone"}]}
    api.call("adam", "PUT", f"/api/v1{meeting}/minutes", theirs)
    page.all("#minutes textarea")[0].send_keys(" and more")
    page.sees("Somebody else has written, too.", "#minutes")
    page.sees("Theirs alone", "#minutes .notice")
    page.sees("Mine and more", "#minutes .notice")
    page.click("Keep yours")
    page.until(lambda: minutes(api, meeting)["items"][0]["text"] == "Mine and more")
    api.call("adam", "PUT", f"/api/v1{meeting}/minutes", theirs)
    page.all("#minutes textarea")[0].send_keys(", lost")
    page.click("Take theirs")
    page.until(lambda: page.all("#minutes .notice") == [])
    time.sleep(1.5)
    assert [each["text"] for each in minutes(api, meeting)["items"]] == ["Theirs alone"]
