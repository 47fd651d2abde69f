"""What people come for who are no members yet: a guest votes and gets the booked time, an invitee joins."""

import re
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def test_a_guest_votes_by_the_link_alone_and_takes_the_booked_time_into_a_calendar(page: Page) -> None:
    api = page.api
    meeting = api.meeting("A date for guests", soon(10), soon(11))
    token = api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    page.open(f"/guest/{token}")
    page.sees("A date for guests")
    page.fill("#guest-email", "visitor@example.net")
    page.click("✓\nYes")
    page.sees("Your answer: Yes.")
    page.sees("2 yes")
    page.click("✗\nNo", ".slot-cards:nth-of-type(2)")
    page.sees("Your answer: No.")
    page.click("Add a comment", ".slot-cards:nth-of-type(2)")
    page.all("textarea")[1].send_keys("Away that week")
    page.click("Save the comment", ".slot-cards:nth-of-type(2)")
    page.until(lambda: guest_votes(api, meeting) == [("ok", None), ("cant", "Away that week")])
    assert token not in page.one("body").get_attribute("innerHTML")  # type: ignore[operator]
    assert token not in str(page.chrome.execute_script("return JSON.stringify(localStorage)"))
    page.chrome.refresh()
    page.settle()
    page.sees("Your answer: No.")
    assert page.one("#guest-email").get_attribute("value") == "visitor@example.net"
    page.click("✓\nYes", ".slot-cards:nth-of-type(2)")
    page.until(lambda: guest_votes(api, meeting) == [("ok", None), ("ok", "Away that week")])
    page.click("Forget my answers on this device")
    page.chrome.refresh()
    page.settle()
    assert "Your answer:" not in page.text()
    slot = api.call("olivia", "GET", f"/api/v1{meeting}/slots")["data"][0]["id"]
    api.call("olivia", "POST", f"/api/v1{meeting}/slots/{slot}/confirm")
    page.open(f"/guest/{token}")
    page.network()
    page.click("Add it to your calendar")

    def answers() -> list[int]:
        responses = [sent["params"] for sent in page.network() if sent["method"] == "Network.responseReceived"]
        return [sent["response"]["status"] for sent in responses if sent["response"]["url"].endswith("/meeting.ics")]

    assert page.until(answers) == [200]
    assert page.text("h1") == "A date for guests"
    assert page.errors() == CLEAN


def guest_votes(api: Api, meeting: str) -> list[tuple[str, str | None]]:
    slots = api.call("olivia", "GET", f"/api/v1{meeting}/slots")["data"]
    return [(vote["vote"], vote["comment"]) for slot in slots for vote in slot["feedbacks"] if vote["isGuest"]]


def mailed_link(api: Api, email: str) -> Any:
    """Returns path and query of the link in a new invitation to an address, as the page waits for it."""
    invite = api.call("olivia", "POST", f"/api/invite/{api.board}", {"inviteeEmail": email})
    api.call("olivia", "POST", f"/api/invite/{invite['inviteId']}/send-email")
    return lambda: invite_link(api, email)


def test_an_invitee_accepts_on_the_page_of_the_mail_also_while_the_boards_code_is_off(page: Page) -> None:
    api = page.api
    link = page.until(mailed_link(api, "lena@example.com"))
    api.call("olivia", "PATCH", f"/api/v1/boards/{api.board}", {"inviteCodeEnabled": False})
    page.chrome.get(api.url + link)
    page.click("Sign in to answer")
    page.settle()
    page.click("Gwen Ito\nguest")
    page.click("Accept the invitation")
    page.sees("another e-mail address")
    page.click("Sign in to answer")
    page.settle()
    page.click("Use an access token")
    page.fill("#token", "svc_pat_not-a-token")
    page.click("Sign in with this token")
    page.sees("This token is not valid")
    page.fill("#token", api.session_of("lena@example.com"))
    page.click("Sign in with this token")
    page.click("Accept the invitation")
    page.sees("You are a member of Northwind Robotics")
    page.click("Open the board")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    assert page.errors() == CLEAN


def invite_link(api: Api, email: str) -> str | None:
    """Returns path and query of the link in the invitation that went to an address."""
    for file in (api.state / "outbox").glob("*.eml"):
        mail = message_from_bytes(file.read_bytes(), policy=default)
        body = mail.get_body(("plain",))
        link = re.search(r"/invite/\S+", body.get_content()) if body and email in str(mail["To"]) else None
        if link:
            return link[0]
    return None
