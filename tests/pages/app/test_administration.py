"""What managers, admins and owners do beside meetings: reports, documents, invites, committees, settings."""

from pathlib import Path

import pytest

from tests.pages.app.browser import Page
from tests.pages.app.test_guests_and_invitees import reloaded
from tests.pages.app.test_papers import choose, file

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def test_a_manager_writes_a_report_until_it_is_final(page: Page) -> None:
    page.sign_in("maya")
    page.open(f"/boards/{page.api.board}/reports")
    page.click("New report")
    page.fill("#f-title", "Half year")
    page.click("Create the report")
    page.until(lambda: page.text("h1") == "Half year")
    page.settle()
    page.click("Add a dashboard")
    page.fill("#dashboard-title", "People")
    page.click("Add")
    page.sees("No figure yet.", ".dashboard")
    page.click("Edit", ".dashboard")
    page.one(".dashboard textarea").send_keys("Two joined, nobody left.")
    page.click("Save", ".dashboard")
    page.sees("Two joined, nobody left.", ".dashboard .narrative")
    page.click("Ready for review")
    page.click("Mark as reviewed")
    page.sees("Reviewed", ".dashboard")
    page.click("Publish")
    page.click("Publish", ":popover-open")
    page.sees("published", ".report")
    page.click("Finalize")
    page.click("Finalize", ":popover-open")
    page.sees("Finalized")
    assert [button.text for button in page.all("main button") if button.is_displayed()] == ["Print"]
    assert page.errors() == CLEAN


def test_a_collaborator_changes_documents_of_their_own_only(page: Page, tmp_path: Path) -> None:
    page.sign_in("colin")
    page.open(f"/boards/{page.api.board}/documents")
    page.choose("#f-documentType", "policy")
    choose(page, file(tmp_path, "Rules of the house.txt", b"Be on time."))
    page.sees("Rules of the house", ".rows")
    page.settle()
    page.one(".rows .row-link").click()
    page.until(lambda: page.text("h1") == "Rules of the house")
    page.settle()
    page.click("Edit")
    page.fill("#document-title", "Rules of the board")
    page.click("Save")
    page.until(lambda: page.text("h1") == "Rules of the board")
    page.more("main .view")
    page.click("Delete")
    page.click("Delete the document")
    page.until(lambda: page.text("h1") == "Documents")
    page.settle()
    page.click("Articles of association\nPolicy · changed 30 days ago")
    page.until(lambda: page.text("h1") == "Articles of association")
    page.settle()
    offered = [button.text for button in page.all("main summary, main button") if button.is_displayed()]
    assert offered == ["Comments"]
    assert page.errors() == CLEAN


def test_an_invite_is_sent_again_taken_back_and_declined(page: Page) -> None:
    api = page.api
    invitee = api.session_of("ida@example.com")
    api.call(invitee, "GET", "/api/v1/me")
    page.sign_in("adam")
    page.open(f"/boards/{api.board}/invites")
    page.fill("#f-addresses", "Omar Reed <omar@example.com>, ida@example.com; colin@example.com\nnobody")
    assert page.one("[name=accessType]:checked").get_attribute("value") == "collaborator"
    page.click("Invite", "form")
    page.sees("omar@example.com is invited. The mail was sent.", ".results")
    page.sees("ida@example.com is invited.", ".results")
    page.sees("colin@example.com This person is on the board already.", ".results")
    page.sees("nobody This is no e-mail address.", ".results")
    assert page.one("#f-addresses").get_attribute("value") == "colin@example.com\nnobody"
    page.settle()
    row = ".rows > li:has(summary[aria-label*='omar@example.com'])"
    page.more(row)
    page.click("Send the mail to omar@example.com")
    page.sees("Not sent: At most one mail an hour is sent for an invite.")
    page.more(row)
    page.click("Take back", row)
    page.click("Take it back", row)
    page.until(lambda: not page.all(row))
    page.choose("[name=shown]", "")
    page.sees("Taken back")
    page.sign_in(invitee)
    page.open("/app/notifications")
    page.until(lambda: page.all(".news button.primary") or reloaded(page))
    page.click("Decline")
    page.sees("You declined.")
    found = api.call("adam", "GET", f"/api/invite/{api.board}/invites")
    statuses = {each["inviteeEmail"]: each["status"] for each in found}
    assert (statuses["omar@example.com"], statuses["ida@example.com"]) == ("retracted", "declined")
    assert page.errors() == CLEAN


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


def test_a_member_leaves_and_an_owner_hands_over(page: Page) -> None:
    api = page.api
    board = api.call("olivia", "POST", "/api/v1/boards", {"name": "Handed over"})["data"]["id"]
    invite = api.call("olivia", "POST", f"/api/invite/{board}", {"inviteeEmail": "gwen@example.com"})
    api.call("gwen", "PUT", f"/api/invite/accept/{invite['inviteId']}")
    page.sign_in("olivia")
    members = api.call("olivia", "GET", f"/api/v1/boards/{board}/members")["data"]
    member = next(each["id"] for each in members if each["email"] == "gwen@example.com")
    page.open(f"/boards/{board}/settings")
    page.sees("Choose a member")
    assert page.all("#new-owner-name") == []
    page.choose("#f-memberId", member)
    page.fill("#new-owner-name", "Olivia Marsh")
    page.click("Make Gwen Ito the owner")
    page.sees("This is not the name of Gwen Ito. Nothing was changed.")
    page.fill("#new-owner-name", "gwen ito")
    page.click("Make Gwen Ito the owner")
    page.until(lambda: api.call("gwen", "GET", f"/api/v1/boards/{board}")["data"]["myRole"] == "owner")
    page.open(f"/boards/{board}/members")
    page.more()
    page.click("Leave")
    page.click("Leave the board")
    page.until(lambda: page.text("h1") == "Your boards")
    assert board not in str(api.call("olivia", "GET", "/api/v1/boards"))
    assert page.errors() == CLEAN
