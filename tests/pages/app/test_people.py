"""People without an account on the pages: added, invited, flagged, merged; chosen for agendas; their own link."""

import re
import urllib.error
from email import policy
from email.parser import BytesParser
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page, soon

pytestmark = pytest.mark.slow

LINK = re.compile(r"/guest/[\w-]+")


def add(api: Api, first: str, last: str, email: str | None = None) -> str:
    body = {"firstName": first, "lastName": last, **({"email": email} if email else {})}
    made = api.call("olivia", "POST", f"/api/v1/boards/{api.board}/unregistered-users", body)
    return str(made["data"]["id"])


def people(api: Api) -> dict[str, dict[str, Any]]:
    """Returns the board's people without an account by their full names."""
    found = api.call("olivia", "GET", f"/api/v1/boards/{api.board}/unregistered-users?limit=100")["data"]
    return {person["fullName"]: person for person in found}


def members(api: Api) -> list[dict[str, Any]]:
    return list(api.call("olivia", "GET", f"/api/v1/boards/{api.board}/members")["data"])


def row(page: Page, person_id: str) -> str:
    return page.text(f"#person-{person_id}")


def test_people_are_added_from_what_is_pasted_each_line_with_its_own_result(page: Page) -> None:
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}/members")
    page.click("Add people")
    page.until(lambda: page.all("#f-people"))
    page.one("#f-people").send_keys("Anna Berg, anna.berg@example.org\nOlivia Marsh; olivia@example.com\nNils Holm")
    page.until(lambda: len(page.all("#people tbody tr")) == 3)
    page.click("Add 3 people")
    page.until(lambda: len(page.all("#people .results li")) == 3)
    assert [li.get_attribute("class") for li in page.all("#people .results li")] == ["", "refused", ""]
    page.sees("A member, or somebody else without an account, has this address.", "#people .results")
    page.until(lambda: page.one("#f-people").get_attribute("value") == "Olivia; Marsh; olivia@example.com")
    found = people(page.api)
    assert (found["Anna Berg"]["email"], found["Nils Holm"]["email"]) == ("anna.berg@example.org", None)
    assert page.violations() == []
    for width in (1280, 390, 320):
        page.width(width)
        assert page.overflow() == 0


def test_who_cannot_write_to_the_board_sees_names_and_no_controls(page: Page) -> None:
    person = add(page.api, "Hidden", "Address", "hidden.address@example.org")
    page.sign_in("gwen")
    page.open(f"/boards/{page.api.board}/members")
    page.sees("Hidden Address", "#people")
    assert "hidden.address" not in page.text("#people")
    assert page.all(f"#person-{person} button, #people .disclosure") == []


def test_a_person_is_invited_with_a_click_and_marked_once_the_mail_comes_back(page: Page) -> None:
    person = add(page.api, "Bea", "Bounced", "bounce@simulator.amazonses.com")
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}/members")
    page.click("Invite Bea Bounced")
    page.sees("Bea Bounced gets a mail to join the board", ":popover-open")
    page.click("Invite", ":popover-open")
    page.sees("is invited", f"#person-{person}")
    page.until(lambda: people(page.api)["Bea Bounced"]["bounce"])
    page.open(f"/boards/{page.api.board}/invites")
    page.sees("Mails come back", ".rows")
    page.open(f"/boards/{page.api.board}/members")
    page.sees("A mail came back", f"#person-{person}")
    assert page.violations() == []
    page.click("Send mails again", f"#person-{person}")
    page.until(lambda: "A mail came back" not in row(page, person))
    assert people(page.api)["Bea Bounced"]["bounce"] is None


def test_before_a_merge_it_is_seen_what_moves(page: Page) -> None:
    api = page.api
    person = add(api, "Maya", "Lindqvist", "maya.private@example.org")
    meeting = api.meeting("Merged later", soon(8))
    items = [{"title": "Letter", "presenterUnregisteredUserId": person}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})
    page.sign_in("olivia")
    page.open(f"/boards/{api.board}/members")
    page.sees("This looks like Maya Lindqvist, a member.", f"#person-{person}")
    page.click("Merge them …", f"#person-{person}")
    page.sees("one agenda item", f"#person-{person}")
    assert page.violations() == []
    assert people(api)["Maya Lindqvist"]["status"] == "active"


def test_who_looks_like_a_member_becomes_that_member(page: Page) -> None:
    api = page.api
    person = add(api, "Paul", "Novak", "paul.private@example.org")
    page.sign_in("olivia")
    page.open(f"/boards/{api.board}/members")
    page.click("Merge them …", f"#person-{person}")
    page.sees("Nothing is recorded of them", f"#person-{person}")
    page.click("Merge with Paul Novak", f"#person-{person}")
    page.until(lambda: not page.all(f"#person-{person}"))
    assert people(api)["Paul Novak"]["status"] == "merged"
    page.choose("#people-shown", "")
    page.sees("Is the member Paul Novak now.", f"#person-{person}")


def test_where_both_attended_the_meetings_lead_to_what_has_to_be_taken_out(page: Page) -> None:
    api = page.api
    person = add(api, "Colin", "Abara", "colin.private@example.org")
    meeting = api.meeting("Noted twice", status="in_progress")
    colin = next(each for each in members(api) if each["email"].startswith("colin@"))
    both = [{"userId": colin["userId"], "present": "in_person"}, {"unregisteredUserId": person, "present": "remote"}]
    api.call("olivia", "PUT", f"/api/v1{meeting}/minutes", {"attendance": both, "items": []})
    page.sign_in("olivia")
    page.width(390)
    page.open(f"/boards/{api.board}/members")
    page.click("Merge them …", f"#person-{person}")
    page.sees("Both are noted in the attendance of the same meeting", f"#person-{person}")
    page.until(lambda: "Noted twice" in row(page, person))
    assert page.violations() == []
    page.click("Noted twice", f"#person-{person}")
    page.until(lambda: page.all(f"#present-{person}"))
    page.choose(f"#present-{person}", "")
    page.sees("All is saved.", "#minutes-state")
    page.chrome.back()
    page.settle()
    page.click("Merge them …", f"#person-{person}")
    page.sees("Nothing is recorded of them", f"#person-{person}")
    assert page.errors() == []


def test_somebody_is_edited_archived_and_brought_back_in_a_menu_that_closes(page: Page) -> None:
    api = page.api
    person = add(api, "Edda", "Edited", "edda@example.org")
    here = f"#person-{person}"
    page.sign_in("olivia")
    page.width(390)
    page.open(f"/boards/{api.board}/members")
    page.more(here)
    page.click("Edit", here)
    page.fill(f'[id="{person}-last"]', "Changed")
    assert page.overflow() == 0
    page.click("Save", here)
    page.sees("Edda Changed", here)
    assert page.all(".menu[open]") == []
    assert page.chrome.switch_to.active_element == page.one(f"{here} .menu > summary")
    page.more(here)
    page.click("Archive", here)
    page.sees("Archived: gets no mails", here)
    assert people(api)["Edda Changed"]["status"] == "archived"
    assert page.violations() == []
    page.click("Bring back", f"{here} .notice")
    page.until(lambda: "Archived" not in row(page, person))
    assert people(api)["Edda Changed"]["status"] == "active"
    assert page.errors() == []


def test_whose_data_was_removed_is_shown_without_a_name_among_all(page: Page) -> None:
    api = page.api
    person = add(api, "Sofia", "Scrubbed", "sofia@example.org")
    here = f"#person-{person}"
    page.sign_in("olivia")
    page.open(f"/boards/{api.board}/members")
    page.more(here)
    page.click("Remove their data", here)
    page.sees("are removed for good", ":popover-open")
    page.click("Remove their data", ":popover-open")
    page.until(lambda: page.all(here) == [])
    assert "Sofia Scrubbed" not in people(api)
    page.choose("#people-shown", "")
    page.sees("data removed on", here)
    assert "Sofia" not in page.text("#people")
    assert page.all(f"{here} .menu") == []
    assert page.errors() == []


def test_a_menu_closes_by_a_press_elsewhere_and_by_escape(page: Page) -> None:
    person = add(page.api, "Mia", "Menu")
    page.sign_in("olivia")
    page.open(f"/boards/{page.api.board}/members")
    page.more(f"#person-{person}")
    page.one("h1").click()
    page.until(lambda: page.all(".menu[open]") == [])
    page.more(f"#person-{person}")
    page.click("Remove their data", f"#person-{person}")
    page.until(lambda: page.all(":popover-open"))
    page.press(Keys.ESCAPE)
    page.until(lambda: page.all(":popover-open") == [])
    assert len(page.all(".menu[open]")) == 1, "Escape closes what is on top"
    page.press(Keys.ESCAPE)
    page.until(lambda: page.all(".menu[open]") == [])
    assert page.chrome.switch_to.active_element == page.one(f"#person-{person} .menu > summary")


def test_presenters_and_attendees_are_chosen_among_members_and_these_people(page: Page) -> None:
    api = page.api
    person = add(api, "Petra", "Presenter")
    meeting = api.meeting("Presented", status="in_progress")
    page.sign_in("colin")
    page.open(meeting)
    page.chrome.execute_script("document.getElementById('agenda').open = true")
    page.click("Edit the agenda")
    page.fill(".agenda-line input", "Opening")
    page.chrome.execute_script("document.querySelector('.agenda-more').open = true")
    page.choose("[id^=agenda-presenter]", f"person {person}")
    page.click("Save the agenda")
    page.until(lambda: api.call("colin", "GET", f"/api/v1{meeting}/agenda")["data"]["items"])
    item = api.call("colin", "GET", f"/api/v1{meeting}/agenda")["data"]["items"][0]
    assert (item["presenterUnregisteredUserId"], item["presenterName"]) == (person, "Petra Presenter")
    page.choose(f"#present-{person}", "remote")

    def noted() -> Any:
        try:
            found = api.call("colin", "GET", f"/api/v1{meeting}/minutes")["data"]
        except urllib.error.HTTPError:
            return False
        return [entry["present"] for entry in found["attendance"] if entry["unregisteredUserId"] == person]

    page.until(lambda: noted() == ["remote"])
    assert page.violations() == []
    assert page.overflow() == 0


def test_a_link_of_ones_own_asks_for_no_address(page: Page) -> None:
    api = page.api
    add(api, "Vera", "Voter", "vera.voter@example.org")
    api.meeting("Voted by link", soon(8), soon(9))
    address = page.until(lambda: _link_in_mail(api, "vera.voter@example.org"), 180)
    page.open(address)
    page.sees("This link was sent to you alone")
    assert page.all("#guest-email") == []
    assert page.violations() == []
    page.chrome.execute_script("document.querySelector('.vote.ok').click()")
    page.until(lambda: page.all(".vote.ok[aria-pressed=true]"))
    page.sees("Your answer")


def _link_in_mail(api: Api, email: str) -> str | None:
    """Returns the path of the personal link in a mail to an address."""
    for file in (api.state / "outbox").glob("*.eml"):
        mail = BytesParser(policy=policy.default).parsebytes(file.read_bytes())
        body = mail.get_body(("plain",))
        if email in str(mail["To"]) and body and (found := LINK.search(body.get_content())):
            return found[0]
    return None
