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
    page.sees("Your answer: Yes.")
    page.sees("2 yes")
    page.click("✗\nNo", ".slot-cards:nth-of-type(2)")
    page.sees("Your answer: No.")
    page.click("Add a comment", ".slot-cards:nth-of-type(2)")
    page.all("textarea")[1].send_keys("Away that week")
    page.click("Save the comment", ".slot-cards:nth-of-type(2)")
    page.until(lambda: guest_votes(page.api, meeting) == [("ok", None), ("cant", "Away that week")])
    assert token not in page.one("body").get_attribute("innerHTML")  # type: ignore[operator]
    assert token not in str(page.chrome.execute_script("return JSON.stringify(localStorage)"))
    page.chrome.refresh()
    page.settle()
    page.sees("Your answer: No.")
    assert page.one("#guest-email").get_attribute("value") == "visitor@example.net"
    page.click("✓\nYes", ".slot-cards:nth-of-type(2)")
    page.until(lambda: guest_votes(page.api, meeting) == [("ok", None), ("ok", "Away that week")])
    page.click("Forget my answers on this device")
    page.chrome.refresh()
    page.settle()
    assert "Your answer:" not in page.text()
    assert page.errors() == CLEAN


def test_a_guest_takes_the_booked_time_into_their_calendar(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Booked for guests", soon(10))
    token = api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    (slot,) = api.call("olivia", "GET", f"/api/v1{meeting}/slots")["data"]
    api.call("olivia", "POST", f"/api/v1{meeting}/slots/{slot['id']}/confirm")
    page.open(f"/guest/{token}")
    page.network()
    page.click("Add it to your calendar")

    def answers() -> list[int]:
        found = [each["params"] for each in page.network() if each["method"] == "Network.responseReceived"]
        return [each["response"]["status"] for each in found if each["response"]["url"].endswith("/meeting.ics")]

    assert page.until(answers) == [200]
    assert page.text("h1") == "Booked for guests"


def test_the_link_of_a_completed_meeting_can_still_be_closed(page: Page) -> None:
    meeting = page.api.meeting("Over, but open to guests", soon(10))
    token = page.api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    page.api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "completed"})
    page.sign_in("olivia")
    page.open(meeting)
    page.click("Guests")
    page.more(".card:has([aria-label*='the guests'])")
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


def test_a_pending_invitation_says_who_invites_to_what_board_and_shows_no_token(page: Page) -> None:
    api = page.api
    link = page.until(mailed_link(api, "page@example.com"))
    page.open(link)
    assert page.text("h1") == "Olivia Marsh invites you to the board Northwind Robotics"
    code, token = link.removeprefix("/invite/").split("?i=")
    assert code in page.text()
    assert token not in str(page.one("body").get_attribute("innerHTML"))
    assert page.errors() == CLEAN


def test_every_invalid_link_shows_the_same_page_and_names_nobody(page: Page) -> None:
    code = page.until(mailed_link(page.api, "same@example.com")).partition("?")[0]
    shown = set()
    for wrong in (f"{code}?i=1f50599a-9fdd-476c-861a-b184c261b4f0", code, "/invite/nonsense?i=x"):
        page.open(wrong)
        shown.add(page.text())
    (text,) = shown
    assert "This invitation is no longer open" in text
    assert "Northwind" not in text


def test_an_invitation_that_cannot_be_loaded_is_no_closed_one_and_can_be_tried_again(page: Page) -> None:
    link = page.until(mailed_link(page.api, "again@example.com"))
    page.chrome.execute_cdp_cmd("Network.enable", {})
    page.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/*"]})
    page.open(link)
    page.sees("could not be reached")
    page.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    page.click("Try again")
    page.sees("invites you to the board")


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
    page.sees("invites you to the board Northwind Robotics")
    page.click("Join with an invite code")
    page.fill("#f-code", "1f50599a-9fdd-476c-861a-b184c261b4f0")
    page.click("Join the board")
    page.until(lambda: page.all(".problem"))
    page.fill("#f-code", code)
    page.click("Join the board")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
