"""What goes wrong is said in words where it happened; nothing typed is lost; a retry is one click."""

from typing import Any

import pytest

from tests.pages.app.browser import Page, soon
from tests.pages.app.failing_requests import fault

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("faults")]


@pytest.mark.parametrize(
    ("status", "more", "said"),
    [
        (0, {}, "could not be reached"),
        (403, {"requiredScope": "meetings:write"}, "lacks the scope meetings:write"),
        (429, {"wait": 12}, "You can try again in 12 seconds."),
        (503, {}, "The service is busy."),
        (500, {}, "Something went wrong."),
    ],
)
def test_a_form_that_failed_keeps_what_was_typed(page: Page, status: int, more: dict[str, Any], said: str) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    title = f"Typed once, status {status}"
    page.fill("#f-title", title)
    fault(page, "POST", "/meetings", status, **more)
    page.click("Create the meeting")
    page.sees(said, ".form .problem")
    assert page.one("#f-title").get_attribute("value") == title
    page.click("Create the meeting" if status == 403 else "Try again")
    page.until(lambda: page.text("h1") == title)


def test_a_repeat_after_a_lost_answer_creates_nothing_twice(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Once only")
    script = """
        const sent = window.fetch;
        window.fetch = async (...args) => {
          const response = await sent(...args);
          if (args[1]?.method !== 'POST' || !String(args[0]).endsWith('/meetings') || window.lost) return response;
          window.lost = true;
          throw new TypeError('Failed to fetch');
        };"""
    page.chrome.execute_script(script)
    page.click("Create the meeting")
    page.sees("could not be reached", ".problem")
    page.click("Try again")
    page.until(lambda: page.text("h1") == "Once only")
    found = page.api.call("colin", "GET", f"/api/v1/boards/{page.api.board}/meetings?limit=100")["data"]
    assert [meeting["title"] for meeting in found].count("Once only") == 1


def test_a_view_that_failed_is_loaded_again_with_one_click(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}")
    fault(page, "GET", "/documents", 503)
    page.click("Documents", ".sections")
    page.sees("The service is busy.")
    assert "Notes on succession" not in page.text()
    page.click("Try again")
    page.sees("Notes on succession")


@pytest.mark.parametrize("fails", [False, True], ids=["arrives", "fails"])
def test_a_view_that_arrives_or_fails_after_its_reader_went_on_changes_nothing(page: Page, fails: bool) -> None:
    page.chrome.execute_cdp_cmd("Network.enable", {})
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/rooms/documents.js"] if fails else []})
    script = """
        const [done] = arguments;
        for (const next of ['documents', 'meetings']) document.querySelector(`.sections a[href$='/${next}']`).click();
        const { src } = document.querySelector("script[src$='/main.js']");
        import(new URL('rooms/documents.js', src)).then(() => done('arrived'), () => done('failed'));"""
    assert page.chrome.execute_async_script(script) == ("failed" if fails else "arrived")
    page.settle()
    assert page.text("h1") == "Meetings"
    page.button("New meeting")
    assert page.errors() == []


def test_a_view_whose_actions_are_not_known_says_so_and_asks_again(page: Page) -> None:
    page.sign_in("adam")
    page.open("/boards")
    fault(page, "POST", "/access/evaluations", 503)
    page.one(f".tile[href$='{page.api.board}']").click()
    page.sees("What you may change here is not known.")
    page.sees("Next meeting")
    assert "Settings" not in page.text(".sections")
    page.click("Try again")
    page.sees("Settings", ".sections")
    assert "not known" not in page.text()


def test_what_failed_offline_is_loaded_when_the_connection_is_back(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}")
    page.chrome.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.open(f"/boards/{page.api.board}/documents")
    page.open(f"/boards/{page.api.board}")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
    page.click("Documents", ".sections")
    page.sees("You are offline.")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
    page.sees("Notes on succession")


def test_offline_is_said_and_passes(page: Page) -> None:
    meeting = page.api.meeting("Tunnel", soon(9))
    page.sign_in("colin")
    page.open(meeting)
    page.chrome.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
    page.chrome.execute_script("document.querySelector('.own .vote.ok').click()")
    page.sees("You are offline.", "#times")
    assert page.all(".own [aria-pressed=true]") == []
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
    page.click("Try again")
    page.until(lambda: page.all(".own [aria-pressed=true].ok"))


def test_a_session_that_ends_is_renewed_in_place(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Begun before the session ended")
    fault(page, "POST", "/meetings", 401, code="INVALID_API_TOKEN")
    page.click("Create the meeting")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Colin Abara\ncollaborator", "dialog")
    page.until(lambda: not page.one("dialog").is_displayed())
    assert page.one("#f-title").get_attribute("value") == "Begun before the session ended"
    page.click("Try again")
    page.until(lambda: page.text("h1") == "Begun before the session ended")


def test_who_signs_in_as_somebody_else_sees_their_own_notifications(page: Page) -> None:
    page.sign_in("colin")
    page.api.meeting("News for Colin, by Olivia", startTime=soon(5))
    page.until(lambda: "News for Colin, by Olivia" in str(page.api.call("colin", "GET", "/api/notification/")))
    page.open("/app/notifications")
    page.sees("News for Colin, by Olivia")
    fault(page, "PUT", "/notification/read/all", 401, code="INVALID_API_TOKEN")
    page.click("Mark all as read")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Olivia Marsh\nowner", "dialog")
    page.until(lambda: "News for Colin, by Olivia" not in page.text())
    assert page.text("h1") == "Notifications"


def test_after_signing_in_again_what_had_failed_is_loaded(page: Page) -> None:
    page.sign_in("adam")
    page.open(f"/boards/{page.api.board}")
    fault(page, "GET", "/documents", 401, code="INVALID_API_TOKEN")
    page.click("Documents", ".sections")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Colin Abara\ncollaborator", "dialog")
    page.sees("Notes on succession")


def test_after_signing_in_as_somebody_else_the_page_offers_what_they_may_do(page: Page) -> None:
    page.sign_in("adam")
    page.open(f"/boards/{page.api.board}/settings")
    page.sees("Audit log", ".pages")
    fault(page, "PATCH", f"/boards/{page.api.board}", 401, code="INVALID_API_TOKEN")
    page.fill("#f-name", "Northwind")
    page.click("Save")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Colin Abara\ncollaborator", "dialog")
    page.until(lambda: "Audit log" not in page.text())


def test_what_is_not_there_says_so(page: Page) -> None:
    page.sign_in("colin")
    for path in (f"/boards/{page.api.board}/meetings/{'0' * 24}", f"/boards/{'0' * 24}", "/boards/nonsense/reports"):
        page.open("/boards")
        page.chrome.get(page.api.url + path)
        page.sees("This does not exist, or you may not see it.")


def test_a_bad_body_names_the_field(page: Page) -> None:
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Ends before it starts")
    page.choose("#f-startTime", "2027-05-02T10:00")
    page.choose("#f-endTime", "2027-05-02T09:00")
    page.click("Create the meeting")
    page.sees("The end must come after the start.", "#f-endTime-error")
    page.sees("Nothing was saved. Correct what is marked above.", ".problem")
    assert page.chrome.execute_script("return document.activeElement.id") == "f-endTime"
    assert "startTime" not in page.text()
    assert page.one("#f-title").get_attribute("value") == "Ends before it starts"


@pytest.mark.parametrize(
    ("status", "more", "said"),
    [
        (404, {}, "This does not exist, or you may not see it."),
        (409, {"reason": "LIMIT_REACHED"}, "The limit is reached."),
        (429, {"wait": 120}, "You can try again in 2 minutes."),
        (503, {}, "Nothing was changed."),
    ],
)
def test_a_button_that_failed_says_so_beside_it_and_works_again(
    page: Page, status: int, more: dict[str, Any], said: str
) -> None:
    meeting = page.api.meeting(f"Guests, status {status}", soon(8))
    page.sign_in("colin")
    page.open(meeting)
    page.click("Guests")
    fault(page, "POST", "/guest-link", status, **more)
    page.click("Create a guest link")
    page.sees(said)
    page.click("Try again" if status in (429, 503) else "Create a guest link")
    page.until(lambda: page.all("#guest-url"))
    assert page.all(".problem") == []


def test_half_typed_forms_outlive_a_reload_and_are_forgotten_when_sent_or_signed_out(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Half typed")
    page.fill("#f-virtualMeetingUrl", "zoom dot us")
    page.chrome.refresh()
    page.settle()
    assert page.one("#f-title").get_attribute("value") == "Half typed"
    page.click("Create the meeting")
    page.sees("is no address that opens with a click")
    page.fill("#f-virtualMeetingUrl", "https://zoom.example/j/1")
    page.click("Create the meeting")
    page.until(lambda: page.text("h1") == "Half typed")
    assert page.one(".facts a").get_attribute("href") == "https://zoom.example/j/1"
    page.open(f"/boards/{page.api.board}/meetings")
    assert not page.one("#f-title").is_displayed()
    page.click("New meeting")
    page.fill("#f-title", "Never sent")
    page.click("Sign out")
    page.until(lambda: "Run your board" in page.text("h1"))
    assert page.chrome.execute_script("return sessionStorage.length") == 0
