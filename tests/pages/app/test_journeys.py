"""What members come for: a collaborator works, an admin runs the board, an owner hands out tokens."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.pages.app.browser import Api, Page, Receiver, next_year, soon, status_of
from tests.pages.app.test_papers import choose, file

pytestmark = pytest.mark.slow
CLEAN: list[str] = []
ATTENDANCE = ("I will attend", "Maybe", "I will not attend")


def test_a_demo_user_signs_in_with_one_click_and_out(page: Page) -> None:
    page.open("/")
    page.click("Sign in", ".hero")
    page.settle()
    page.click("Colin Abara\ncollaborator")
    page.until(lambda: page.text("h1") == "For you")
    page.sees("Northwind Robotics")
    page.click("Sign out")
    page.until(lambda: "Run your board" in page.text("h1"))
    assert page.chrome.execute_script("return sessionStorage.length") == 0
    page.open("/boards")
    assert page.text("h1") == "Sign in"


def test_a_collaborator_proposes_votes_and_adds_an_item(page: Page) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/meetings")
    page.click("New meeting")
    page.fill("#f-title", "Offsite")
    page.click("Create the meeting")
    page.until(lambda: page.text("h1") == "Offsite")
    skipped = skipped_hour(next_year())
    page.click("Propose times")
    page.choose("#propose-zone", "Europe/Paris")
    page.click("Paste a list")
    page.fill("#propose-list", "\n".join([skipped, *[f"{next_year()}-03-{day} 09:00" for day in (10, 10, 11, 12)]]))
    page.click("Choose these")
    page.click("Propose 4 times")
    page.sees("skip Sun", "#times")
    page.all(".chosen button")[-1].click()
    page.click("Propose 3 times")
    page.until(lambda: len(page.all(".grid .own .votes")) == 3)
    assert page.all(".grid thead .best") == []
    page.chrome.execute_script("document.querySelector('.grid .own td:nth-of-type(2) .vote.cant').click()")
    path = "/api/v1" + urlsplit(page.chrome.current_url).path
    first = page.api.call("adam", "GET", f"{path}/slots")["data"][0]["id"]
    page.api.call("adam", "PUT", f"{path}/slots/{first}/vote", {"vote": "ok"})
    page.until(lambda: page.all(".grid .own .vote.cant[aria-pressed=true]"))
    page.chrome.refresh()
    page.sees("Best so far")
    page.sees("Cannot vote: Gwen Ito.")
    page.click("Add an action item")
    page.fill("#item-new-title", "Book the rooms")
    page.click("Add")
    page.sees("Book the rooms")
    page.chrome.refresh()
    page.settle()
    pressed = "return [...document.querySelectorAll('.grid .own [aria-pressed=true]')].map((e) => e.title)"
    assert page.chrome.execute_script(pressed) == ["Yes", "No", "Yes"]
    assert "Book the rooms" in page.text()
    assert "Audit log" not in page.text("nav.sections")
    assert page.errors() == CLEAN


def skipped_hour(year: int) -> str:
    """Returns a time that the clocks of the European Union skip in a year: on the last Sunday of March."""
    last = date(year, 3, 31)
    return f"{last - timedelta(days=last.isoweekday() % 7)}T02:30"


def test_a_member_answers_and_puts_a_file_on_the_agenda(page: Page, tmp_path: Path) -> None:
    meeting = page.api.meeting("Who comes?", soon(14))
    page.sign_in("colin")
    page.open(meeting)
    page.click("Attendance", "main")
    page.click("Maybe")
    page.click("Add a comment")
    page.fill("#rsvp-comment", "If the train runs")
    page.click("Save the comment")
    page.sees("If the train runs")
    rsvps = page.until(lambda: [each for each in answers(page.api, meeting) if each["comment"]])
    assert [(each["status"], each["comment"]) for each in rsvps] == [("tentative", "If the train runs")]
    page.click("I will attend")
    page.until(lambda: {"accepted"} == {each["status"] for each in answers(page.api, meeting) if each["comment"]})
    page.click("Take back")
    page.until(lambda: {each["status"] for each in answers(page.api, meeting)} == {"noAnswer"})
    choose(page, file(tmp_path, "Budget of next year.txt", b"1"))
    page.sees("Budget of next year", "#documents .rows")
    page.settle()
    page.choose("#documents .place", "new")
    page.sees("Budget of next year", "#agenda .papers")
    page.click("Budget of next year", "#documents")
    page.until(lambda: page.text("h1") == "Budget of next year")
    page.sees("Who comes?")
    assert page.errors() == CLEAN


def answers(api: Api, meeting: str) -> list[dict[str, Any]]:
    return list(api.call("olivia", "GET", f"/api/v1{meeting}/rsvps")["data"])


def test_an_admin_connects_a_server_that_is_told_what_happens(page: Page, receiver: Receiver) -> None:
    page.sign_in("adam")
    page.open(f"/boards/{page.api.board}/webhooks")
    page.click("New webhook")
    page.fill("#webhook-url", receiver.url)
    page.fill("#webhook-name", "Office")
    page.click("Create the webhook")
    secret = page.until(lambda: page.all("#webhook-secret"))[0].get_attribute("value")
    assert secret.startswith("whsec_")
    page.click("I have it")
    assert secret not in page.chrome.page_source
    page.one(".row-link").click()
    page.until(lambda: page.text("h1") == "Office")
    page.click("Send a test")
    page.until(lambda: "webhook.tested" in [event["type"] for event in receiver.received])
    page.until(lambda: refreshed(page, "Succeeded"))
    page.click("Attempts")
    page.sees("200 after")
    page.click("Switch off")
    page.sees("Disabled")
    page.more("main .view")
    page.click("Delete")
    page.click("Delete the webhook")
    page.until(lambda: page.text("h1") == "Webhooks")
    assert page.errors() == CLEAN


def refreshed(page: Page, text: str) -> bool:
    """Loads the deliveries again, for an attempt takes a moment."""
    page.click("Refresh")
    return text in page.text()


def test_an_admin_books_invites_and_edits_members(page: Page) -> None:
    api = page.api
    meeting = api.meeting("To be booked", soon(30), soon(31))
    page.sign_in("adam")
    page.open(meeting)
    page.chrome.execute_script("document.querySelector('.grid tfoot .tools button').click()")
    page.sees("other members are told", ".confirm-box:popover-open")
    page.click("Book", ".confirm-box:popover-open")
    page.until(lambda: "Open the voting again" in page.text())
    page.click("Times", "main")
    page.sees("A time is booked; voting is closed.")
    assert api.call("olivia", "GET", f"/api/v1{meeting}")["data"]["startTime"] == soon(30).replace("Z", ".000Z")

    page.open(f"/boards/{api.board}/invites")
    page.fill("#f-addresses", "kim@example.com")
    page.fill("#f-message", "See you <soon> & well")
    assert page.one("[name=boardPositions]:checked").get_attribute("value") == "board member"
    assert page.one("[name=accessType]:checked").get_attribute("value") == "collaborator"
    page.one("[value=manager]").click()
    page.click("Invite", "form")
    page.sees("kim@example.com")
    page.sees("See you <soon> & well")
    page.until(lambda: any("kim@example.com" in mail.read_text() for mail in (api.state / "outbox").glob("*.eml")))

    kim = api.session_of("kim@example.com")
    invites = api.call("adam", "GET", f"/api/invite/{api.board}/invites")
    (invite,) = [each["inviteId"] for each in invites if each["inviteeEmail"] == "kim@example.com"]
    api.call(kim, "PUT", f"/api/invite/accept/{invite}")
    members = api.call("adam", "GET", f"/api/v1/boards/{api.board}/members?limit=100")["data"]
    assert [each["accessType"] for each in members if each["email"] == "kim@example.com"] == ["manager"]

    page.open(f"/boards/{api.board}/members")
    row = "li:has(.name small)"
    page.until(lambda: page.all(row))
    paul = "return [...document.querySelectorAll('.rows > li')].find((e) => e.innerText.includes('Paul Novak'))"
    item = page.chrome.execute_script(paul)
    item.find_element("css selector", ".menu > summary").click()
    item.find_element("css selector", ".disclosure > summary").click()
    item.find_element("css selector", "[name=otherPosition]").send_keys("treasurer")
    item.find_element("css selector", "button[type=submit]").click()
    page.until(lambda: "Treasurer" in page.chrome.execute_script(paul).text)

    page.open(f"/boards/{api.board}/audit")
    assert page.all(".audit li")[0].text.startswith("Adam Reyes changed a member paul@example.com")
    page.choose("#audit-action", "meetingCreate")
    page.until(lambda: page.all(".audit li")[0].text.startswith("Olivia Marsh created a meeting To be booked"))
    assert page.one(".audit li a").get_attribute("href") == api.url + meeting
    page.choose("#audit-until", "2020-01-01")
    page.sees("Nothing of this kind has happened.")


def test_an_owner_makes_a_token_once_seen_and_revokes_it(page: Page) -> None:
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}/tokens")
    page.click("Create a token")
    page.fill("#token-name", "Nightly export")
    page.click("Make the token")
    secret = page.until(lambda: page.all("#secret"))[0].get_attribute("value")
    assert secret.startswith("svc_bat_")
    assert page.api.call(secret, "GET", "/api/v1/whoami")["tokenName"] == "Nightly export"
    page.click("I have it")
    assert secret not in page.chrome.page_source
    page.click("Revoke", ".rows > li:first-child")
    page.click("Revoke", ".rows > li:first-child .confirm-box")
    page.sees("Revoked")


def test_a_member_subscribes_to_a_calendar_and_ends_it(page: Page) -> None:
    api = page.api
    api.meeting("In the calendar", startTime=soon(6))
    page.sign_in("paul")
    page.open("/app/account")
    page.click("New calendar")
    page.choose("#feed-board", api.board)
    page.fill("#feed-name", "Board dates")
    page.click("Create the address")
    address = str(page.until(lambda: page.all("#feed-address"))[0].get_attribute("value"))
    assert address.startswith(f"{api.url}/calendar/")
    calendar = read(address).replace("\r\n ", "")
    assert "SUMMARY:In the calendar" in calendar
    assert f"URL:{api.url}/boards/{api.board}/meetings/" in calendar
    page.click("I have it")
    assert address not in page.chrome.page_source
    page.click("Delete", ".card:has(#feed-name)")
    page.click("Delete the calendar")
    page.sees("There is no calendar yet.")
    assert status_of(lambda: read(address)) == 404
    assert page.errors() == CLEAN


def read(address: str) -> str:
    with urlopen(address, timeout=20) as answer:  # noqa: S310 - our own service
        return str(answer.read().decode())


def test_a_boards_token_sees_its_board_and_is_offered_no_vote(page: Page) -> None:
    page.sign_in(page.api.demo["boards"][0]["token"])
    page.open("/app/for-you")
    page.until(lambda: page.chrome.current_url.endswith("/boards"))
    page.settle()
    page.click("Northwind Robotics")
    page.settle()
    page.sees("Next meeting")
    meeting = page.api.meeting("Robots look on", soon(12))
    page.open(meeting)
    assert page.all(".grid .vote") == []
    assert page.errors() == CLEAN


def test_who_only_reads_is_offered_nothing_to_write(page: Page) -> None:
    page.sign_in("gwen")
    board = f"/boards/{page.api.board}"
    for address in (f"{board}/meetings", f"{board}/documents", f"{board}/reports", page.api.meeting("Look", soon(13))):
        page.open(address)
        script = (
            "return [...document.querySelectorAll('main :is(button, summary.button)')]"
            ".filter((e) => e.checkVisibility()).map((e) => e.innerText.trim())"
        )
        assert set(page.chrome.execute_script(script)) <= {"Show", *ATTENDANCE}, address
    page.open(f"{board}/invites")
    assert page.all("#f-addresses") == []


def test_back_forward_and_reload_keep_the_place(page: Page) -> None:
    page.sign_in("olivia")
    page.open("/boards")
    page.one(f".tile[href$='{page.api.board}']").click()
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    page.settle()
    page.click("Meetings", ".sections")
    page.until(lambda: page.text("h1") == "Meetings")
    page.settle()
    page.choose("[name=status]", "finalized")
    page.sees("Annual general meeting")
    page.chrome.refresh()
    page.settle()
    assert page.one("[name=status]").get_attribute("value") == "finalized"
    assert "Quarterly board meeting" not in page.text()
    page.chrome.back()
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    page.chrome.forward()
    page.until(lambda: page.text("h1") == "Meetings")
    assert page.chrome.current_url.endswith("/meetings?status=finalized")


def test_a_removed_time_and_a_deleted_item_can_be_taken_back(page: Page) -> None:
    meeting = page.api.meeting("Undone", soon(14), soon(15))
    page.api.call("olivia", "POST", f"/api/v1{meeting}/action-items", {"title": "Book the rooms"})
    path = f"/api/v1{meeting}/slots"
    page.sign_in("olivia")
    page.open(meeting)
    page.all(".grid tfoot .danger")[0].click()
    page.until(lambda: len(page.all(".grid tfoot td")) == 1)
    assert page.chrome.switch_to.active_element.text == "Undo"
    page.click("Undo")
    page.until(lambda: len(page.all(".grid tfoot td")) == 2)
    page.all(".grid tfoot .danger")[1].click()
    page.more("#items")
    page.click("Delete", "#items")
    page.sees("“Book the rooms” is removed.", "#items")
    assert len(page.api.call("olivia", "GET", path)["data"]) == 2
    page.click("Documents", ".sections")
    page.until(lambda: len(page.api.call("olivia", "GET", path)["data"]) == 1)
    page.until(lambda: page.api.call("olivia", "GET", f"/api/v1{meeting}/action-items")["data"] == [])
    assert page.errors() == CLEAN
