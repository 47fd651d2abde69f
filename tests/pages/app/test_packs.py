"""The board pack: made on the page of a meeting, watched while it is made, and read."""

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Page, soon
from tests.pages.app.test_papers import CLEAN, choose, document, file, words

pytestmark = pytest.mark.slow


def figures() -> bytes:
    written = io.BytesIO()
    canvas = Canvas(written)
    canvas.drawString(72, 700, "Figures")
    canvas.save()
    return written.getvalue()


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
    page.click("Documents", ".sections")
    page.sees("The board pack of “Packed” is", ".jobs")
    page.chrome.refresh()
    page.sees("The board pack of “Packed” is ready.", ".jobs")
    page.click("Read the board pack", ".jobs")
    page.until(lambda: words(page, ".file b"))
    page.click(f"Read {words(page, '.file b')[0]}")
    page.until(lambda: page.one(".viewer iframe"))
    damaged = document(api, title="Damaged")
    page.open(damaged)
    choose(page, file(tmp_path, "Damaged.pdf", b"%PDF-1.7 torn"))
    page.sees("Latest")
    items = [{"title": "Figures", "documentIds": [damaged.rpartition("/")[2]]}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.open(meeting)
    page.click("Make the board pack")
    page.sees("The paper “Damaged” cannot be read")
    assert page.errors() == CLEAN


def test_the_papers_are_read_one_after_the_other(page: Page, tmp_path: Path) -> None:
    api = page.api
    meeting = api.meeting("With papers", startTime=soon(9))
    page.sign_in("olivia")
    papers = []
    for name in ("First", "Second"):
        papers.append(document(api, title=name))
        page.open(papers[-1])
        choose(page, file(tmp_path, f"{name}.txt", name.encode()))
        page.sees("Latest")
    papers.append(document(api, title="Elsewhere"))
    ids = [each.rpartition("/")[2] for each in papers]
    items = [{"title": "Opening", "documentIds": ids[:1]}, {"title": "Accounts", "documentIds": ids[1:]}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.open(meeting)
    page.click("Read the papers")
    page.sees("First 1. Opening · 1 of 3")
    page.until(lambda: page.one(".viewer iframe"))
    page.click("Next paper")
    page.sees("Second 2. Accounts · 2 of 3")
    page.one("body").send_keys(Keys.ARROW_RIGHT)
    page.sees("Elsewhere 2. Accounts · 3 of 3")
    page.sees("This paper is not shown here.")
    page.one("body").send_keys(Keys.ARROW_RIGHT)
    page.one("body").send_keys(Keys.ARROW_LEFT)
    page.sees("Second 2. Accounts · 2 of 3")
    page.until(lambda: ids[1] in page.chrome.current_url)
    page.chrome.refresh()
    page.sees("Second 2. Accounts · 2 of 3")
    frame = page.until(lambda: page.one(".viewer iframe"))
    page.chrome.switch_to.frame(frame)
    page.until(lambda: "Second" in page.one("body").text)
    page.chrome.switch_to.default_content()
    assert page.errors() == CLEAN


def test_a_file_that_is_dropped_on_an_item_of_the_agenda_is_its_paper(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Dropped on", startTime=soon(9))
    items = [{"title": "Opening"}, {"title": "Accounts"}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.sign_in("olivia")
    page.open(meeting)
    page.sees("Accounts", "#agenda")
    drop = """
        const data = new DataTransfer();
        data.items.add(new File(['a,b'], 'Accounts 2031.csv', {type: 'text/csv'}));
        const how = {bubbles: true, cancelable: true, dataTransfer: data};
        const item = document.querySelectorAll('.agenda > li')[1];
        item.dispatchEvent(new DragEvent('dragover', how));
        item.dispatchEvent(new DragEvent('drop', how));"""
    page.chrome.execute_script(drop)
    page.sees("Accounts 2031", "#agenda .papers")
    first, second = api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]
    assert (first["documentIds"], len(second["documentIds"])) == ([], 1)
    page.sees("Accounts 2031", "#documents .rows")
    assert page.errors() == CLEAN
