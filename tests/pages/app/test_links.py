"""What comes by a link: a guest votes, an invitee joins, and all that the service sends or prints opens a page."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from urllib.request import urlopen

import pytest

from infra.local.run import Address, startup_message
from infra.pages.app import site
from infra.stack.template import ROOT
from tests.pages.app.browser import Api, Page, soon

pytestmark = pytest.mark.slow
ADDRESS = re.compile(r"https?://[^\s\"'<>]+")
LOST = ("There is no such page", "could not be loaded", "This does not exist", "Something went wrong")
CLEAN: list[str] = []
BOARDCTL = "from infra.operator.main import main; main()"


def mails(api: Api, since: set[str]) -> Iterator[EmailMessage]:
    for file in sorted((api.state / "outbox").glob("*.eml")):
        if file.name not in since:
            yield message_from_bytes(file.read_bytes(), policy=default)


def links(mail: EmailMessage) -> set[str]:
    """Returns the addresses in both parts of a mail, without those of calls, which people name."""
    parts = [part.get_content() for part in mail.walk() if part.get_content_type() in {"text/plain", "text/html"}]
    addresses = {address.replace("&amp;", "&").rstrip(".") for part in parts for address in ADDRESS.findall(part)}
    return {address for address in addresses if not address.startswith("https://meet.example.com/")}


def assert_opens(page: Page, address: str) -> None:
    """Opens an address in the browser and reads what it shows."""
    assert address.startswith(page.api.url), address
    page.chrome.get(address)
    page.until(lambda: page.text("h1") and not page.all(".loading"))
    assert not any(text in page.text() for text in LOST), address


def cause_mails(api: Api) -> None:
    """Does what is mailed: a task, minutes, a report, a review, an invitation and its preview, a wanted paper."""
    board = f"/api/v1/boards/{api.board}"
    users = {user["email"].partition("@")[0]: user["id"] for user in api.demo["users"]}
    meeting = f"/api/v1{api.meeting('Mailed about', soon(5))}"
    task = {"title": "Read the mail", "assigneeUserId": users["colin"], "status": "in_progress"}
    api.call("olivia", "POST", f"{meeting}/action-items", task)
    api.call("olivia", "PATCH", meeting, {"status": "completed"})
    api.call("olivia", "PUT", f"{meeting}/minutes", {"items": [{"text": "The mail was read."}]})
    api.call("olivia", "PATCH", meeting, {"status": "finalized"})
    report = api.call("maya", "POST", f"{board}/reports", {"title": "Mailed report"})["data"]["id"]
    dashboard = api.call("maya", "POST", f"{board}/reports/{report}/dashboards", {"dashboardType": "uniform"})["data"]
    ready = {"uniform": {"reviewStatus": "ready_for_review"}}
    api.call("maya", "PATCH", f"{board}/reports/{report}/dashboards/{dashboard['id']}", ready)
    api.call("maya", "PATCH", f"{board}/reports/{report}", {"status": "published"})
    invite = api.call("olivia", "POST", f"/api/invite/{api.board}", {"inviteeEmail": "newcomer@example.com"})
    api.call("olivia", "POST", f"/api/invite/{invite['inviteId']}/send-email")
    api.call("olivia", "POST", f"/api/invite/{api.board}/test")
    person = {"firstName": "Anna", "email": "anna@example.com"}
    asked = {"unregisteredUserId": api.call("olivia", "POST", f"{board}/unregistered-users", person)["data"]["id"]}
    paper = {"title": "Mailed paper", "from": asked, "dueAt": soon(4)}
    meeting = f"/api/v1{api.meeting('Paper mailed about')}"
    api.call("olivia", "POST", f"{meeting}/paper-requests", paper)


def test_every_link_of_every_mail_and_every_notification_opens_a_page(page: Page) -> None:
    api = page.api
    before = {file.name for file in (api.state / "outbox").glob("*.eml")}
    cause_mails(api)
    subjects = ("Read the mail", "finalized the minutes", "published the report", "review", "invites you", "asks you")

    def sent() -> list[EmailMessage]:
        arrived = list(mails(api, before))
        return arrived if all(any(text in str(mail["Subject"]) for mail in arrived) for text in subjects) else []

    addresses = {(str(mail["To"]).partition("@")[0], address) for mail in page.until(sent) for address in links(mail)}
    ids = r"[0-9a-f-]{24,36}|(?<=/unsubscribe/).*|(?<=/paper/).*"
    paths = {re.sub(ids, "…", address.removeprefix(api.url)).partition("?")[0] for _, address in addresses}
    pages = {"/boards/…/meetings/…", "/boards/…/reports/…", "/app/account", "/unsubscribe/…", "/invite/…", "/paper/…"}
    assert paths == pages
    opened = {re.sub(r"[0-9a-f-]{36}.*", "", address): (name, address) for name, address in addresses}
    for name, address in opened.values():
        page.sign_in(name if name in ("colin", "olivia", "maya", "paul", "adam", "gwen") else "olivia")
        assert_opens(page, address)
        assert page.errors() == []
    page.sign_in("olivia")
    script = "return [...document.querySelectorAll('.news a[href]')].map((link) => link.getAttribute('href'))"

    def told() -> set[str]:
        page.open("/app/notifications")
        return set(page.chrome.execute_script(script))

    api.meeting("Told about", soon(5), by="maya")
    page.until(lambda: len(told()) > 1)
    for address in {re.sub(r"[0-9a-f]{24}$", "", path): path for path in told()}.values():
        assert_opens(page, api.url + address)


def boardctl(api: Api, *words: str) -> str:
    """Returns what the operator's tool prints."""
    kept = ("HOME", "PATH", "PYTHONPATH")  # other tests leave settings of their engine in the environment
    environment = {name: os.environ[name] for name in kept if name in os.environ} | {"LOCAL_STATE": str(api.state)}
    done = subprocess.run(  # noqa: S603 - our own tool
        [sys.executable, "-c", BOARDCTL, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_every_address_that_boardctl_prints_opens_a_page(page: Page) -> None:
    api = page.api
    olivia = next(user["id"] for user in api.demo["users"] if user["email"].startswith("olivia"))
    said = boardctl(api, "user", "show", olivia) + boardctl(api, "billing", "set", api.board, "PAID_ACTIVE")
    said += boardctl(api, "session", "olivia@example.com")
    addresses = set(ADDRESS.findall(said))
    assert f"{api.url}/boards/{api.board}" in said
    assert f"{api.url}/app/sign-in" in said
    page.sign_in("olivia")
    for address in addresses:
        assert_opens(page, address.rstrip('.,"'))


def test_every_page_that_the_start_prints_is_there(api: Api) -> None:
    host, _, port = api.url.removeprefix("http://").partition(":")
    shown = startup_message(Address(host, int(port)))
    addresses = ADDRESS.findall(shown)
    assert len(addresses) == shown.count("\n") + 1 == 4
    for address in addresses:
        with urlopen(address, timeout=20) as answer:  # noqa: S310 - our own service
            assert "text/html" in answer.headers["Content-Type"], address


def test_whatever_the_views_link_to_beside_themselves_is_there(page: Page) -> None:
    api = page.api
    report = api.call("maya", "GET", f"/api/v1/boards/{api.board}/reports?status=published")["data"][-1]["id"]
    page.sign_in("olivia")
    paths: set[str] = set()
    for path in ("/", f"/boards/{api.board}/webhooks", f"/boards/{api.board}/reports/{report}", "/app/account"):
        page.open(path)
        paths |= set(page.chrome.execute_script("return [...document.links].map((link) => link.pathname)"))
    others = {path for path in paths if site.object_path(path) != site.PAGE}
    assert others == {"/docs", "/docs/calendars.html", "/docs/webhooks.html", "/api/ontology/browse/"}
    for path in (*others, "/api/ontology/browse/#nothing.like-this"):
        page.chrome.get(api.url + path)
        page.until(lambda: page.text("body h1, body h2"))
    assert page.errors() == []


# -- guests and invitees


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
    page.click("Gwen Ito\nRead")
    page.click("Accept the invite")
    page.sees("another e-mail address")
    page.click("Sign in to answer")
    page.settle()
    page.click("Use an access token")
    page.fill("#token", "svc_pat_not-a-token")
    page.click("Sign in with this token")
    page.sees("This token is not valid")
    page.fill("#token", api.session_of("lena@example.com"))
    page.click("Sign in with this token")
    page.click("Accept the invite")
    page.sees("You are a member of Northwind Robotics")
    page.click("Open the board")
    page.until(lambda: page.text("h1") == "Northwind Robotics")
    assert page.errors() == CLEAN


def invite_link(api: Api, email: str) -> str | None:
    """Returns path and query of the link in the invitation that went to an address."""
    matches = [re.search(r"/invite/\S+", plain_text(mail)) for mail in mails(api, set()) if email in str(mail["To"])]
    return next((link[0] for link in matches if link), None)


def plain_text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body else ""
