"""The pages as their reader needs them: by keyboard alone, in a language and a zone, with titles of any language."""

import time
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import guest_votes

pytestmark = pytest.mark.slow


def test_everything_of_a_vote_works_by_keyboard_alone(page: Page) -> None:
    meeting = page.api.meeting("By keyboard", soon(15), soon(16))
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    tab_to(page, "By keyboard")
    page.press(Keys.ENTER)
    page.until(lambda: page.text("h1") == "By keyboard")
    page.settle()
    assert page.chrome.execute_script("return document.activeElement.id") == "main"
    tab_to(page, "Yes")
    page.press(Keys.SPACE)
    page.until(lambda: page.all(".grid .own [aria-pressed=true].ok"))
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert page.chrome.execute_script(outline) == "solid"
    page.press(Keys.ENTER)
    tab_to(page, "Propose times")
    page.press(Keys.ENTER)
    page.until(lambda: page.all("#propose .calendar"))
    tab_to(page, (datetime.now(ZoneInfo("Europe/Paris")) + timedelta(days=1)).strftime("%A %-d %B"))
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.SPACE)
    page.press(Keys.ARROW_RIGHT, Keys.SPACE)
    tab_to(page, "Propose 2 times")
    page.press(Keys.ENTER)
    page.until(lambda: len(slots(page.api, meeting)) == 4)
    page.chrome.back()
    page.until(lambda: page.text("h1") == "Meetings")
    colin = next(user["id"] for user in page.api.demo["users"] if user["email"].startswith("colin"))
    page.until(lambda: [vote["vote"] for vote in votes(page.api, meeting) if vote["userId"] == colin] == ["cant"])


def votes(api: Api, meeting: str) -> list[dict[str, Any]]:
    """Returns the votes on the first proposed time."""
    return list(slots(api, meeting)[0]["feedbacks"])


def slots(api: Api, meeting: str) -> list[dict[str, Any]]:
    return list(api.call("olivia", "GET", f"/api/v1{meeting}/slots")["data"])


def test_a_guest_votes_by_keyboard_alone(page: Page) -> None:
    meeting = page.api.meeting("Guest keys", soon(10))
    token = page.api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    page.open(f"/guest/{token}")
    tab_to(page, "(✓)")
    page.press(Keys.ENTER)
    page.until(lambda: page.chrome.execute_script("return document.activeElement.id") == "guest-email")
    page.press("keys@example.net")
    tab_to(page, "(✓)")
    page.press(Keys.SPACE)
    page.sees("Your answer: If need be.")
    assert guest_votes(page.api, meeting) == [("challenging", None)]


def test_somebody_signs_in_books_and_signs_out_by_keyboard_alone(page: Page) -> None:
    meeting = page.api.meeting("Admin keys", soon(17))
    page.open(meeting)
    tab_to(page, "Adam Reyes")
    page.press(Keys.ENTER)
    page.until(lambda: page.text("h1") == "Admin keys")
    page.settle()
    tab_to(page, "Book")
    page.press(Keys.ENTER)
    tab_to(page, "Book")
    page.press(Keys.ENTER)
    page.sees("Open the voting again")
    tab_to(page, "More for Admin keys")
    page.press(Keys.ENTER)
    for _ in ("asked", "answered"):
        tab_to(page, "Cancel the meeting")
        page.press(Keys.ENTER)
    page.sees("This meeting is cancelled.")
    tab_to(page, "Sign out")
    page.press(Keys.ENTER)
    page.until(lambda: "Run your board" in page.text("h1"))


def test_one_key_finds_a_meeting_and_opens_it_and_is_a_letter_in_fields(page: Page) -> None:
    number = str(time.time_ns())
    meeting = page.api.meeting(f"Zebra crossing {number}", soon(15))
    page.sign_in("colin")
    page.open("/boards")
    page.press("/")
    page.until(lambda: page.all(".palette[open] input"))
    page.press(f"{number} zeb")
    page.until(lambda: number in page.text("#palette-list"))
    assert page.violations() == []
    page.press(Keys.ENTER)
    page.until(lambda: number in page.text("h1"))
    assert page.chrome.current_url.endswith(meeting)
    ActionChains(page.chrome).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    page.until(lambda: page.all(".palette[open] input"))
    page.press("meetings")
    page.until(lambda: len(page.all("[role=option]")) > 1)
    page.press(Keys.ARROW_DOWN)
    assert page.all("[role=option]")[1].get_attribute("aria-selected") == "true"
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all(".palette[open]"))
    page.open("/boards")
    page.click("Create a board")
    page.one("#f-name").send_keys("a/b")
    assert page.one("#f-name").get_attribute("value") == "a/b"
    assert not page.all(".palette[open]")
    assert page.errors() == []


def test_a_menu_closes_by_a_press_elsewhere_and_by_escape(page: Page) -> None:
    api = page.api
    people = f"/api/v1/boards/{api.board}/unregistered-users"
    person = api.call("olivia", "POST", people, {"firstName": "Mia", "lastName": "Menu"})["data"]["id"]
    page.sign_in("olivia")
    page.open(f"/boards/{api.board}/members")
    page.more(f"#person-{person}")
    page.one("h1").click()
    page.until(lambda: page.all(".menu[open]") == [])
    page.more(f"#person-{person}")
    page.click("Remove their data", f"#person-{person}")
    page.until(lambda: page.all(".confirm-box[open]"))
    page.press(Keys.ESCAPE)
    page.until(lambda: page.all(".confirm-box[open]") == [])
    assert len(page.all(".menu[open]")) == 1, "Escape closes what is on top"
    page.press(Keys.ESCAPE)
    page.until(lambda: page.all(".menu[open]") == [])
    assert page.chrome.switch_to.active_element == page.one(f"#person-{person} .menu > summary")


def tab_to(page: Page, words: str) -> None:
    """Presses the tab key until what has the focus says these words."""
    script = "const at = document.activeElement; return (at.ariaLabel || at.title || at.innerText).trim()"
    for _ in range(80):
        page.press(Keys.TAB)
        if str(page.chrome.execute_script(script)).startswith(words):
            return
    raise AssertionError(f"the tab key never reaches {words!r}")


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
    german.click("Festlegen", ".confirm-box[open]")
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
    """A Hebrew title ends at its left with its mark, and does not reverse what follows it."""
    page.sign_in("olivia")
    meeting = page.api.meeting("\u05e9\u05dc\u05d5\u05dd!")
    page.api.call(
        "olivia",
        "POST",
        f"/api/v1{meeting}/action-items",
        {"title": "\u05e9\u05dc\u05d5\u05dd", "assigneeName": "Robin"},
    )
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
