"""What people come for who are no members yet: a guest votes, an invitee joins."""

import re
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def test_a_guest_votes_by_the_link_alone(page: Page) -> None:
    meeting = page.api.meeting("A date for guests", soon(10), soon(11))
    token = page.api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    page.open(f"/guest/{token}")
    page.sees("A date for guests")
    page.click("✓\nYes")
    page.sees("Enter your address first")
    page.fill("#guest-email", "visitor@example.net")
    page.click("✓\nYes")
    page.sees("Saved: Yes.")
    page.sees("2 yes")
    page.click("✗\nNo", ".slot-cards > li:nth-child(2)")
    page.sees("Saved: No.")
    page.click("Add a comment", ".slot-cards > li:nth-child(2)")
    page.all("textarea")[1].send_keys("Away that week")
    page.click("Save the comment", ".slot-cards > li:nth-child(2)")
    page.until(lambda: guest_votes(page.api, meeting) == [("ok", None), ("cant", "Away that week")])
    assert token not in page.one("body").get_attribute("innerHTML")  # type: ignore[operator]
    assert page.errors() == CLEAN


def test_the_link_of_a_completed_meeting_can_still_be_closed(page: Page) -> None:
    meeting = page.api.meeting("Over, but open to guests", soon(10))
    token = page.api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    page.api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "completed"})
    page.sign_in("olivia")
    page.open(meeting)
    page.click("Close the link")
    page.click("Close it")
    page.until(lambda: "is closed" in page.text("#announcer"))
    assert "Create a guest link" not in page.text()
    page.open(f"/guest/{token}")
    assert "This link does not work" in page.text("h1")


def guest_votes(api: Api, meeting: str) -> list[tuple[str, str | None]]:
    slots = api.call("olivia", "GET", f"/api/v1{meeting}/slots")["data"]
    return [(vote["vote"], vote["comment"]) for slot in slots for vote in slot["feedbacks"] if vote["isGuest"]]


def test_a_closed_guest_link_says_what_to_do(page: Page) -> None:
    page.open(f"/guest/{'x' * 64}")
    assert "This link does not work" in page.text("h1")
    assert "Ask the person who sent it" in page.text()


def test_an_invitee_signs_in_and_accepts(page: Page) -> None:
    api = page.api
    invited = {"inviteeEmail": "iris@example.com", "message": "Join <us> & bring ideas"}
    api.call(api.session_of("iris@example.com"), "GET", "/api/v1/me")
    api.call("olivia", "POST", f"/api/invite/{api.board}", invited)
    page.open("/app/notifications")
    assert page.text("h1") == "Sign in"
    page.click("Use an access token")
    page.fill("#token", "svc_pat_not-a-token")
    page.click("Sign in with this token")
    page.sees("This token is not valid")
    page.fill("#token", api.session_of("iris@example.com"))
    page.click("Sign in with this token")
    page.until(lambda: "Notifications" in page.text("h1"))
    page.until(lambda: page.all(".news button.primary") or reloaded(page))
    page.click("Accept")
    page.sees("You are now a member.")
    page.click("Open Northwind Robotics")
    page.settle()
    page.sees("Next meeting")
    assert "iris@example.com" in str(api.call("olivia", "GET", f"/api/v1/boards/{api.board}/members"))
    assert page.errors() == CLEAN


def mailed_link(api: Api, email: str) -> Any:
    """Returns path and query of the link in a new invitation to an address, as the page waits for it."""
    invite = api.call("olivia", "POST", f"/api/invite/{api.board}", {"inviteeEmail": email})
    api.call("olivia", "POST", f"/api/invite/{invite['inviteId']}/send-email")
    return lambda: invite_link(api, email)


def test_an_invitee_accepts_on_the_page_of_the_mail(page: Page) -> None:
    api = page.api
    page.chrome.get(api.url + page.until(mailed_link(api, "lena@example.com")))
    page.click("Sign in to answer")
    page.settle()
    page.click("Gwen Ito\nguest")
    page.click("Accept the invitation")
    page.sees("another e-mail address")
    page.click("Sign in to answer")
    page.settle()
    page.click("Use an access token")
    page.fill("#token", api.session_of("lena@example.com"))
    page.click("Sign in with this token")
    page.click("Accept the invitation")
    page.sees("You are a member of Northwind Robotics")
    page.click("Open the board")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    assert page.errors() == CLEAN


def test_an_invitee_declines_on_the_page_of_the_mail(page: Page) -> None:
    api = page.api
    link = page.until(mailed_link(api, "nils@example.com"))
    page.sign_in(api.session_of("nils@example.com"))
    page.chrome.get(api.url + link)
    page.click("Decline")
    page.sees("You declined the invitation")
    listed = api.call("olivia", "GET", f"/api/invite/{api.board}/invites")
    assert [each["status"] for each in listed if each["inviteeEmail"] == "nils@example.com"] == ["declined"]
    page.chrome.refresh()
    page.sees("This invitation is no longer open")
    assert page.errors() == CLEAN


def test_an_invitee_accepts_by_the_mail_while_the_boards_code_is_off(page: Page) -> None:
    api = page.api
    link = page.until(mailed_link(api, "nora@example.com"))
    api.call("olivia", "PATCH", f"/api/v1/boards/{api.board}", {"inviteCodeEnabled": False})
    page.sign_in(api.session_of("nora@example.com"))
    page.chrome.get(api.url + link)
    page.click("Accept the invitation")
    page.sees("You are a member of Northwind Robotics")
    api.call("olivia", "PATCH", f"/api/v1/boards/{api.board}", {"inviteCodeEnabled": True})


def reloaded(page: Page) -> bool:
    """Loads the page again, for a notification comes a moment after what it tells of."""
    page.chrome.refresh()
    page.settle()
    return False


def invite_link(api: Api, email: str) -> str | None:
    """Returns path and query of the link in the invitation that went to an address."""
    for file in (api.state / "outbox").glob("*.eml"):
        mail = message_from_bytes(file.read_bytes(), policy=default)
        body = mail.get_body(("plain",))
        found = re.search(r"/invite/\S+", body.get_content()) if body and email in str(mail["To"]) else None
        if found:
            return found[0]
    return None


def test_an_invitee_joins_with_the_code(page: Page) -> None:
    api = page.api
    api.call("olivia", "POST", f"/api/invite/{api.board}", {"inviteeEmail": "jon@example.com"})
    code = api.call("olivia", "GET", f"/api/invite/{api.board}/code")["inviteCode"]
    page.sign_in(api.session_of("jon@example.com"))
    page.open("/boards")
    page.sees("You are on no board yet.")
    page.click("Join with an invite code")
    page.fill("#f-code", "1f50599a-9fdd-476c-861a-b184c261b4f0")
    page.click("Join the board")
    page.until(lambda: page.all(".problem"))
    page.fill("#f-code", code)
    page.click("Join the board")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
