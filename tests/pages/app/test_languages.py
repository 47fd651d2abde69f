"""The pages in the language of their reader, of the account or else of the browser; with titles of any; in a zone."""

import pytest

from tests.pages.app.browser import Api, Page

pytestmark = pytest.mark.slow


@pytest.fixture
def german(page: Page) -> Page:
    """A browser whose first language is German."""
    page.languages("de-DE,de,en")
    return page


def test_a_visitor_reads_the_pages_in_the_language_of_the_browser(german: Page) -> None:
    german.open("/")
    german.sees("Ihre Gremienarbeit an einem Ort")
    assert german.one("html").get_attribute("lang") == "de"
    assert "Über den Dienst" in german.text("footer")
    german.one(".tools button").click()
    german.click("Festlegen", ":popover-open")
    german.sees("Einladung: Frühjahrssitzung")


def test_an_account_has_a_language_that_comes_before_the_browsers_until_it_signs_out(page: Page, api: Api) -> None:
    page.sign_in("colin")
    api.call("colin", "PATCH", "/api/v1/me", {"language": "de"})
    page.open("/app/account")
    page.sees("Ihr Konto")
    assert page.one("html").get_attribute("lang") == "de"
    page.choose("#f-language", "en")
    page.click("Speichern")
    page.sees("Your account")
    assert page.one("html").get_attribute("lang") == "en"
    page.choose("#f-language", "")
    page.click("Save")
    page.until(lambda: api.call("colin", "GET", "/api/v1/me")["data"]["language"] is None)
    api.call("colin", "PATCH", "/api/v1/me", {"language": "de"})
    page.open("/app/account")
    page.click("Abmelden", "#top")
    page.until(lambda: page.one("html").get_attribute("lang") == "en")
    page.sees("Sign in", "#top")
    api.call("colin", "PATCH", "/api/v1/me", {"language": None})


def test_a_title_has_its_own_direction_and_reverses_nothing_beside_it(page: Page) -> None:
    """A Hebrew title ends at its left with its mark; an override in a title does not reach what follows it."""
    page.sign_in("olivia")
    meeting = page.api.meeting("\u05e9\u05dc\u05d5\u05dd!")
    page.api.call("olivia", "POST", f"/api/v1{meeting}/action-items", {"title": "\u202edaer", "assigneeName": "Robin"})
    page.open(meeting)
    assert left_of(page, "h1", 4) < left_of(page, "h1", 0)
    assert left_of(page, ".item .soft", 0) < left_of(page, ".item .soft", 4)
    assert page.one(".item .soft").text == "Robin"


def left_of(page: Page, selector: str, character: int) -> float:
    """Returns where a character of an element's first text stands."""
    script = """
        const texts = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        range.setStart(texts.nextNode(), arguments[1]);
        range.setEnd(texts.currentNode, arguments[1] + 1);
        return range.getBoundingClientRect().left;"""
    return float(page.chrome.execute_script(script, selector, character))


def test_times_are_in_the_readers_locale_and_in_the_zone_of_the_browser_or_else_of_the_account(page: Page) -> None:
    meeting = page.api.meeting("Where and how", "2037-01-15T12:00:00Z")
    page.zone("Asia/Kathmandu")
    page.sign_in("paul")
    page.open(meeting)
    page.sees("17:45\u201318:45", "#times")
    page.sees("21:00\u201322:00 Asia/Tokyo")
    page.api.call("paul", "PATCH", "/api/v1/me", {"timezone": "America/New_York"})
    page.locale("en-US")
    page.open(meeting)
    page.sees("7:00 AM\u20138:00 AM", "#times")
    page.sees("Times are in your zone, America/New York.")
    page.api.call("paul", "PATCH", "/api/v1/me", {"timezone": None})
