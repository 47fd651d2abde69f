"""What goes wrong around the views: a lost connection, an ended session, somebody else's change."""

import pytest

from tests.pages.app.browser import Page, soon
from tests.pages.app.failing_requests import fault

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("faults")]


def test_a_view_that_arrives_or_fails_after_its_reader_went_on_changes_nothing(page: Page) -> None:
    page.sign_in("colin")
    for blocked, outcome in ((["*/rooms/documents.js"], "failed"), ([], "arrived")):
        page.block(*blocked)
        page.open(f"/boards/{page.api.board}/meetings")
        script = """
            const [done] = arguments;
            const link = (page) => document.querySelector(`.sections a[href$='/${page}']`);
            for (const page of ['documents', 'meetings']) link(page).click();
            const { src } = document.querySelector("script[src$='/main.js']");
            import(new URL('rooms/documents.js', src)).then(() => done('arrived'), () => done('failed'));"""
        assert page.chrome.execute_async_script(script) == outcome
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
    page.chrome.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.open(f"/boards/{page.api.board}/documents")
    page.open(f"/boards/{page.api.board}")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
    page.click("Documents", ".sections")
    page.sees("You are offline.")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
    page.sees("Notes on succession")


def test_minutes_that_were_typed_offline_are_saved_when_the_connection_is_back(page: Page) -> None:
    meeting = page.api.meeting("Offline", startTime=soon(1))
    page.api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    page.sign_in("olivia")
    page.chrome.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.open(meeting)
    field = page.one("#minutes textarea")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
    field.send_keys("Said without a connection.")
    page.sees("You are offline.", "#minutes")
    page.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
    page.sees("Everything is saved.", "#minutes")
    minutes = page.api.call("olivia", "GET", f"/api/v1{meeting}/minutes")["data"]
    assert [item["text"] for item in minutes["items"]] == ["Said without a connection."]


def test_a_session_that_ends_is_renewed_in_place(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Begun before the session ended")
    fault(page, "POST", "/meetings", 401, code="INVALID_API_TOKEN")
    page.click("Create the meeting")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Colin Abara\nContribute", "dialog")
    page.until(lambda: not page.one("dialog").is_displayed())
    assert page.one("#f-title").get_attribute("value") == "Begun before the session ended"
    page.click("Try again")
    page.until(lambda: page.text("h1") == "Begun before the session ended")


def test_after_signing_in_as_somebody_else_what_had_failed_is_loaded_and_offered_as_they_may(page: Page) -> None:
    api = page.api
    api.meeting("News for Adam, by Olivia", startTime=soon(5))
    page.until(lambda: "News for Adam, by Olivia" in str(api.call("adam", "GET", "/api/notification/")))
    page.sign_in("adam")
    page.open("/app/notifications")
    page.sees("News for Adam, by Olivia")
    page.open(f"/boards/{api.board}")
    page.sees("Settings", ".sections")
    fault(page, "GET", "/documents", 401, code="INVALID_API_TOKEN")
    page.click("Documents", ".sections")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Olivia Marsh\nOwner", "dialog")
    page.sees("Notes on succession")
    page.one("#top a[href='/app/notifications']").click()
    page.until(lambda: page.text("h1") == "Notifications")
    page.settle()
    assert "News for Adam, by Olivia" not in page.text()
    page.sign_in("adam")
    page.open(f"/boards/{api.board}/settings")
    page.sees("History", ".pages")
    fault(page, "PATCH", f"/boards/{api.board}", 401, code="INVALID_API_TOKEN")
    page.fill("#f-name", "Northwind")
    page.click("Save")
    page.sees("Your sign-in has ended.")
    page.click("Sign in again")
    page.click("Colin Abara\nContribute", "dialog")
    page.until(lambda: "History" not in page.text(".pages"))


def test_a_second_save_on_a_page_is_told_of_what_another_changed_between(page: Page) -> None:
    """Also after a vote and a booking, whose answers the page shows in place of what it had read."""
    api = page.api
    meeting = api.meeting("Saved twice", soon(9))
    page.block("*/live/tickets")  # by which the page would hear of the change
    page.sign_in("colin")
    page.open(meeting)
    page.click("Edit")
    page.fill("#f-location", "Room 4")
    page.click("Save")
    page.sees("Room 4", ".facts")
    page.chrome.execute_script("document.querySelector('.own .vote.ok').click()")
    page.until(lambda: page.all(".own [aria-pressed=true].ok"))
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"location": "Room 5"})
    page.click("Edit")
    page.fill("#f-location", "Room 6")
    page.click("Save")
    page.sees("Somebody else changed this in the meantime.", ".form .problem")
    assert api.call("olivia", "GET", f"/api/v1{meeting}")["data"]["location"] == "Room 5"
    page.click("Load their version")
    page.sees("Room 5", ".facts")
    page.click("Save")
    page.sees("Room 6", ".facts")
    page.chrome.execute_script("document.querySelector('[aria-label^=Book]').click()")
    page.click("Book", ".confirm-box[open]")
    page.sees("Open the voting again")
    page.click("Edit")
    page.fill("#f-location", "Room 7")
    page.click("Save")
    page.sees("Room 7", ".facts")


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
    page.sees("is not an address that opens with a click")
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
