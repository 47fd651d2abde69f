"""A paper of a person without an account, from the request on a meeting's page to the end of the link in their mail."""

import re
from pathlib import Path

import pytest

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_clicks import Clicks
from tests.pages.app.test_links import mails, plain_text
from tests.pages.app.test_papers import choose, figures, file

pytestmark = pytest.mark.slow
ANNA = "anna@example.com"
CLEAN: list[str] = []
FITS = {390: (0, CLEAN), 1280: (0, CLEAN)}


def fit(page: Page) -> dict[int, tuple[int, list[str]]]:
    """Returns by how much the page is too wide on a phone and on a desk, and what axe-core finds there."""
    found = {}
    for width in FITS:
        page.width(width)
        found[width] = (page.overflow(), page.violations())
    return found


def paper_link(api: Api) -> str | None:
    """Returns the link in the mail to Anna, once it is there."""
    found = [re.search(r"\S+/paper/\S+", plain_text(mail)) for mail in mails(api, set()) if mail["To"] == ANNA]
    return next((link[0] for link in found if link), None)


def ask(page: Page, meeting: str, person: str, item: str) -> None:
    """Asks a person for a paper of an agenda item on the page of the meeting."""
    page.open(meeting)
    page.click("Ask for a paper")
    page.fill("#paper-title", "Forecast")
    page.choose("#paper-from", f"person {person}")
    page.sees("They deliver by a link in a mail, without an account.", "#papers")
    page.choose("#paper-due", f"{soon(5)[:10]}T10:30")
    page.choose("#paper-item", item)
    assert fit(page) == FITS
    page.click("Ask", "#papers form")
    page.sees("One paper is missing.", "#papers")
    assert "Anna Berg" in page.text("#papers tbody")


def test_a_paper_is_delivered_by_three_clicks_from_the_mail_and_the_link_ends_once_it_is_approved(
    page: Page, tmp_path: Path
) -> None:
    """A click opens the link, one begins the choice of a file, and one ends it: the file is sent at once."""
    api = page.api
    people = f"/api/v1/boards/{api.board}/unregistered-users"
    anna = api.call("olivia", "POST", people, {"firstName": "Anna", "lastName": "Berg", "email": ANNA})["data"]["id"]
    meeting = api.meeting("Papers of others", startTime=soon(9))
    items = {"items": [{"title": "Figures"}]}
    item = api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", items)["data"]["items"][0]["id"]
    page.sign_in("olivia")
    ask(page, meeting, anna, item)
    link = page.until(lambda: paper_link(api))
    page.chrome.execute_script("sessionStorage.clear()")

    clicks = Clicks(page)
    clicks.number += 1
    page.chrome.get(link)
    page.sees("Nothing is delivered yet.")
    assert page.text("h1") == "Forecast"
    assert fit(page) == FITS
    clicks.number += 2
    choose(page, file(tmp_path, "Forecast.pdf", figures()))
    page.sees("Your paper is delivered")
    assert "Forecast.pdf" in page.text(".files")
    assert clicks.number <= 3
    assert fit(page) == FITS

    page.sign_in("olivia")
    page.open(meeting)
    assert fit(page) == FITS
    page.click("Approve “Forecast”", "#papers")
    page.sees("Forecast", "#agenda .papers")
    (shown,) = api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"]
    assert len(shown["documentIds"]) == 1

    page.chrome.get(link)
    page.sees("It has ended: the paper is approved")
    assert page.text("h1") == "This link does not work"
    assert fit(page) == FITS
    assert page.errors() == CLEAN
