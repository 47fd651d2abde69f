"""Where somebody arrives: the example on the root page, what waits for them, and the search over all of it."""

import time

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Page, soon

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def test_a_visitor_votes_and_books_on_the_root_page_without_one_request_to_the_api(page: Page) -> None:
    page.open("/")
    page.network()
    best = ".grid thead .best"
    before = page.text(best)
    page.all(".grid .own td")[1].find_element("css selector", ".vote.ok").click()
    page.until(lambda: page.text(best) not in (before, ""))
    page.all(".grid tfoot .best button")[0].click()
    page.click("Book", ":popover-open")
    page.sees("A time is booked; voting is closed.")
    page.sees("Invitation: Spring board meeting")
    page.sees("In six calendars")
    page.click("Start over")
    page.sees("Not answered yet: You")
    assert [each for each in page.network() if "/api/" in str(each["params"].get("request", {}).get("url"))] == []
    assert page.errors() == CLEAN


def test_the_home_names_votes_answers_and_the_next_meeting_and_takes_an_answer(page: Page) -> None:
    api = page.api
    unvoted = api.meeting("Wanted: a date", soon(20), soon(21))
    api.call("olivia", "PUT", f"/api/v1{unvoted}/poll", {"closesAt": soon(10)})
    booked = api.meeting("Next of all", startTime=soon(1))
    page.sign_in("paul")
    page.open("/app/for-you")
    page.sees("Wanted: a date")
    page.sees("Next of all")
    assert page.all(f"a[href='{unvoted}'] .pill.warn")
    page.click("Maybe", f"li:has([href='{booked}'])")
    page.until(lambda: "Your answer was kept." in page.text("#announcer"))
    answers = {each["userId"]: each["status"] for each in api.call("paul", "GET", f"/api/v1{booked}/rsvps")["data"]}
    assert "tentative" in answers.values()
    page.until(lambda: not page.all(f".rows [href='{booked}']"))
    assert page.errors() == CLEAN


def test_who_only_reads_has_no_vote_to_give(page: Page) -> None:
    page.api.meeting("Not for readers", soon(22))
    page.sign_in("gwen")
    page.open("/app/for-you")
    page.sees("Next meeting")
    page.until(lambda: not page.all(".loading"))
    assert "to give" not in page.text()


def test_one_key_finds_a_meeting_and_opens_it(page: Page) -> None:
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
    assert page.errors() == CLEAN


def test_a_slash_that_is_typed_into_a_field_is_a_slash(page: Page) -> None:
    page.sign_in("colin")
    page.open("/boards")
    page.click("Create a board")
    page.one("#f-name").send_keys("a/b")
    assert page.one("#f-name").get_attribute("value") == "a/b"
    assert not page.all(".palette[open]")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_home_and_the_root_page_fit_and_axe_finds_nothing(page: Page, width: int) -> None:
    page.width(width)
    page.open("/")
    assert (page.violations(), page.overflow() <= 0) == ([], True)
    page.sign_in("paul")
    page.open("/app/for-you")
    assert (page.violations(), page.overflow() <= 0) == ([], True)


def test_a_newcomer_finds_the_invite_and_accepts_it(page: Page) -> None:
    api = page.api
    body = {"inviteeEmail": "ivy@example.com", "message": "Join us <soon>"}
    api.call("olivia", "POST", f"/api/invite/{api.board}", body)
    page.sign_in(api.session_of("ivy@example.com"))
    page.open("/app/for-you")
    page.sees("Olivia Marsh invites you to the board Northwind Robotics")
    page.sees("Join us <soon>")
    assert "You are on no board yet" not in page.text()
    assert page.violations() == []
    page.click("Accept: Northwind Robotics")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    assert page.errors() == CLEAN


def test_a_newcomer_declines_after_being_asked(page: Page) -> None:
    api = page.api
    api.call("olivia", "POST", f"/api/invite/{api.board}", {"inviteeEmail": "jean@example.com"})
    page.sign_in(api.session_of("jean@example.com"))
    page.open("/boards")
    page.click("Decline")
    page.click("Decline the invite")
    page.sees("You are on no board yet.")
    listed = api.call("olivia", "GET", f"/api/invite/{api.board}/invites")
    assert [each["status"] for each in listed if each["inviteeEmail"] == "jean@example.com"] == ["declined"]


def test_somebody_new_looks_at_the_example_board_of_which_there_is_one(page: Page) -> None:
    page.sign_in(page.api.session_of("kaya@example.com"))
    page.open("/app/for-you")
    page.click("Open the example board")
    page.until(lambda: page.chrome.current_url.rpartition("/")[0].endswith("/boards"))
    page.settle()
    page.click("Meetings", ".sections")
    page.until(lambda: len(page.all(".row-link")) > 1)
    page.open("/boards")
    assert len(page.all(".tile")) == 1
    page.click("Open the example board")
    page.sees("You have an example board already")
    assert page.errors() == CLEAN
