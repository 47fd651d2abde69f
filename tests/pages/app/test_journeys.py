"""What members come for: a visitor tries, a collaborator works, an admin and an owner run the board."""

from datetime import date, timedelta
from urllib.parse import urlsplit

import pytest

from tests.pages.app.browser import Page, next_year, soon

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
    page.click("Book", ".confirm-box[open]")
    page.sees("A time is booked; voting is closed.")
    page.sees("Invitation: Spring board meeting")
    page.sees("In six calendars")
    page.click("Start over")
    page.sees("Not voted yet: You")
    assert [sent for sent in page.network() if "/api/" in str(sent["params"].get("request", {}).get("url"))] == []
    assert page.errors() == CLEAN


def test_a_demo_user_signs_in_with_one_click_and_out(page: Page) -> None:
    page.open("/")
    page.click("Sign in", ".hero")
    page.settle()
    page.click("Colin Abara\nContribute")
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
    page.until(lambda: page.all("#propose-zone"))
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


def test_an_admin_books_invites_and_edits_members(page: Page) -> None:
    api = page.api
    meeting = api.meeting("To be booked", soon(30), soon(31))
    page.sign_in("adam")
    page.open(meeting)
    page.chrome.execute_script("document.querySelector('.grid tfoot .tools button').click()")
    page.sees("other members are told", ".confirm-box[open]")
    page.click("Book", ".confirm-box[open]")
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
    (invite,) = [entry["inviteId"] for entry in invites if entry["inviteeEmail"] == "kim@example.com"]
    api.call(kim, "PUT", f"/api/invite/accept/{invite}")
    members = api.call("adam", "GET", f"/api/v1/boards/{api.board}/members?limit=100")["data"]
    assert [member["accessType"] for member in members if member["email"] == "kim@example.com"] == ["manager"]

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

    page.open(f"/boards/{api.board}/history")
    assert page.all(".history li")[0].text.startswith("Adam Reyes changed a member")
    page.choose("#history-kind", "meetings")
    created = "Olivia Marsh created a meeting To be booked"
    page.until(lambda: any(row.text.startswith(created) for row in page.all(".history li")))
    assert api.url + meeting in [link.get_attribute("href") for link in page.all(".history li a")]
    page.all(".history li button")[-1].click()
    page.until(
        lambda: (
            "The proof of this entry is valid." in page.text(".history") or "within a minute" in page.text(".history")
        )
    )
    page.choose("#history-until", "2020-01-01")
    page.sees("Nothing of this kind has happened.")


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


def come_back(page: Page, meanwhile: str) -> bool:
    """Goes to another document, does something there, and comes back; returns whether the page was in the cache."""
    page.chrome.execute_script("addEventListener('pageshow', (shown) => { document.wasKept = shown.persisted; })")
    page.chrome.get(f"{page.api.url}/app/config.json")
    page.chrome.execute_script(meanwhile)
    page.network()
    page.chrome.back()
    page.until(lambda: not page.chrome.current_url.endswith("config.json"))
    return page.until(lambda: page.chrome.execute_script("return [document.wasKept]"))[0] is True


def test_a_page_from_the_browsers_cache_whose_session_ended_shows_and_does_nothing_of_it(page: Page) -> None:
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}")
    name = page.text("h1")
    assert come_back(page, "")
    page.settle()
    assert page.text("h1") == name
    come_back(page, "sessionStorage.clear(); localStorage.clear()")
    page.until(lambda: page.text("h1") == "Sign in")
    assert name not in page.text("body")
    sent = [event["params"]["request"] for event in page.network() if event["method"] == "Network.requestWillBeSent"]
    assert [request["url"] for request in sent if "Authorization" in request["headers"]] == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("language", "says"), [("en-GB", "times are in UTC"), ("de-DE", "Zeiten sind in UTC")])
def test_a_browser_without_a_known_zone_shows_every_page_in_utc(
    page: Page, width: int, language: str, says: str
) -> None:
    source = """
        const {resolvedOptions} = Intl.DateTimeFormat.prototype;
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return {...resolvedOptions.call(this), timeZone: 'Etc/Unknown'};
        };"""
    added = page.chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    try:
        page.width(width)
        page.languages(f"{language},{language[:2]}")
        page.sign_in(page.api.session_of("nobody.yet@example.com"))
        page.open("/boards")
        page.sees(says)
        assert page.overflow() <= 0
        assert page.violations() == []
        assert page.errors() == []
    finally:
        page.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_an_owner_runs_a_board_from_its_first_day_to_its_last(page: Page) -> None:
    page.sign_in("paul")
    page.open("/boards")
    page.click("Create a board")
    page.fill("#f-name", "Short-lived")
    page.click("Create the board")
    page.until(lambda: page.text("h1") == "Short-lived")
    page.settle()
    page.click("Members", ".sections")
    page.until(lambda: page.text("h1") == "Members")
    page.settle()
    page.click("New committee")
    page.fill("#committee-new", "Audit")
    page.one("[name=memberIds]").click()
    page.click("Create")
    page.sees("Audit")
    row = ".rows > li:has(b)"
    page.more(row)
    page.click("Edit", row)
    page.one(f"{row} input[name=name]").send_keys(" and risk")
    page.click("Save", row)
    page.sees("Audit and risk")
    page.more(row)
    page.click("Delete", row)
    page.click("Delete Audit and risk")
    page.sees("There is no committee.")
    assert "Leave" not in page.text("main")
    page.click("Settings", ".sections")
    page.until(lambda: page.text("h1") == "Settings")
    page.settle()
    page.fill("#f-name", "Shorter-lived")
    page.click("Save")
    page.sees("Shorter-lived", ".board-name")
    page.click("Switch the code off")
    page.sees("The code is switched off")
    page.click("Delete")
    page.click("Delete Shorter-lived")
    page.until(lambda: page.text("h1") == "Your boards")
    page.settle()
    assert "Shorter-lived" not in page.text()
    assert page.errors() == CLEAN


def test_a_meeting_is_discussed_with_mentions_answers_and_an_end(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Discussed")
    maya = api.call("maya", "GET", "/api/v1/me")["data"]["id"]
    page.sign_in("olivia")
    page.open(meeting)
    page.click("Comments", "#comments")
    page.sees("Nobody has commented yet.", "#comments")
    page.click("Comment", "#comments")
    page.fill("#comments form textarea", "Who explains this?\nAnd when?")
    page.click("Tell somebody", "#comments")
    page.one(f"#comments form input[value='{maya}']").click()
    page.click("Send", "#comments")
    page.sees("Who explains this?\nAnd when?", "#comments .talk")
    (first,) = api.call("olivia", "GET", f"/api/v1{meeting}/comments")["data"]
    assert first["mentions"] == [maya]
    page.sign_in("maya")
    page.open(meeting)
    page.click("Comments", "#comments")
    page.click("Reply", "#comments")
    page.fill(f"#comment-{first['id']} form textarea", "I do.")
    page.click("Send", f"#comment-{first['id']}")
    page.sees("In reply to", "#comments .talk")
    page.click("Resolve", f"#comment-{first['id']}")
    page.sees("Resolved", f"#comment-{first['id']}")
    assert not page.all(f"#comment-{first['id']} .menu"), "it is somebody else's"
    message = "has commented on the meeting “Discussed”."
    page.until(lambda: any(message in news["message"] for news in api.call("maya", "GET", "/api/notification/")))
    page.open("/app/notifications")
    page.sees(message)
    assert page.violations() == []
    assert page.errors() == CLEAN
