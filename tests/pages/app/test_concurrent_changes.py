"""Of two who change one thing, nobody overwrites what they have not seen, and nobody loses what they typed."""

import pytest

from tests.pages.app.browser import Page, soon
from tests.pages.app.failing_requests import fault

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("faults", "unheard")]


@pytest.fixture
def unheard(page: Page) -> None:
    """Lets the page hear nothing of others: it has no live channel."""
    page.block("*/live/tickets")


def test_a_refused_vote_is_put_back_with_the_reason(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Booked meanwhile", soon(8), soon(9))
    page.sign_in("colin")
    page.open(meeting)
    page.chrome.execute_script("document.querySelector('.own .vote.cant').click()")
    page.until(lambda: page.all(".own [aria-pressed=true].cant"))
    slot = api.call("colin", "GET", f"/api/v1{meeting}/slots")["data"][0]["id"]
    page.until(lambda: "cant" in str(api.call("colin", "GET", f"/api/v1{meeting}/slots")["data"][0]["feedbacks"]))
    api.call("olivia", "POST", f"/api/v1{meeting}/slots/{slot}/confirm")
    page.chrome.execute_script("document.querySelector('.own .vote.ok').click()")
    page.sees("was not taken", "#times")
    page.sees("Voting on this time is closed.", "#times")
    assert len(page.all(".own [aria-pressed=true].cant")) == 1
    assert page.all(".own [aria-pressed=true].ok") == []


def test_of_two_who_change_one_thing_the_second_is_told_and_loses_nothing(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Edited by two")
    page.sign_in("colin")
    page.open(meeting)
    page.more()
    page.click("Edit")
    page.fill("#f-location", "Room 4")
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"title": "Renamed by Olivia"})
    fault(page, "PATCH", "/meetings/", 412, code="PRECONDITION_FAILED")
    page.click("Save")
    page.sees("Somebody else changed this in the meantime.", ".form .problem")
    page.click("Load their version")
    page.until(lambda: page.text("h1") == "Renamed by Olivia")
    assert page.one("#f-location").get_attribute("value") == "Room 4"
    page.click("Save")
    page.until(lambda: api.call("olivia", "GET", f"/api/v1{meeting}")["data"]["location"] == "Room 4")
    assert api.call("olivia", "GET", f"/api/v1{meeting}")["data"]["title"] == "Renamed by Olivia"


def test_a_second_save_on_a_page_is_told_of_what_another_changed_between(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Saved twice", soon(9))
    page.sign_in("colin")
    page.open(meeting)
    page.more()
    page.click("Edit")
    page.fill("#f-location", "Room 4")
    page.click("Save")
    page.sees("Room 4", ".facts")
    page.chrome.execute_script("document.querySelector('.own .vote.ok').click()")
    page.until(lambda: page.all(".own [aria-pressed=true].ok"))
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"location": "Room 5"})
    page.more()
    page.click("Edit")
    page.fill("#f-location", "Room 6")
    page.click("Save")
    page.sees("Somebody else changed this in the meantime.", ".form .problem")
    assert api.call("olivia", "GET", f"/api/v1{meeting}")["data"]["location"] == "Room 5"
    page.click("Load their version")
    page.sees("Room 5", ".facts")
    page.click("Save")
    page.sees("Room 6", ".facts")


def test_a_meeting_can_be_changed_after_it_was_booked(page: Page) -> None:
    meeting = page.api.meeting("Booked, then moved", soon(9), by="colin")
    page.sign_in("colin")
    page.open(meeting)
    page.chrome.execute_script("document.querySelector('[aria-label^=Book]').click()")
    page.click("Book", ":popover-open")
    page.sees("Open the voting again")
    page.more()
    page.click("Edit")
    page.fill("#f-location", "Room 7")
    page.click("Save")
    page.sees("Room 7", ".facts")


def test_a_webhook_that_is_saved_twice_overwrites_nothing_unseen(page: Page) -> None:
    api = page.api
    body = {"url": "https://hooks.example.com/a", "events": ["*"], "name": "Twice"}
    path = f"/boards/{api.board}/webhooks"
    path += "/" + api.call("olivia", "POST", f"/api/v1{path}", body)["data"]["id"]
    page.sign_in("olivia")
    page.open(path)
    page.more("main .view")
    page.click("New secret")
    page.click("Create a new secret")
    page.sees("Copy the new secret.")
    page.click("Switch off")
    page.button("Switch on")
    api.call("olivia", "PATCH", f"/api/v1{path}", {"name": "By another"})
    page.click("Switch on")
    page.sees("Somebody else changed this in the meantime.")
    page.click("Load their version")
    page.until(lambda: page.text("h1") == "By another")
    page.click("Switch on")
    page.button("Switch off")
    assert api.call("olivia", "GET", f"/api/v1{path}")["data"]["name"] == "By another"
