"""Resolutions: drafted from a template, opened, voted on by phones, closed in a meeting, registered, certified."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_papers import CLEAN, choose, document, file, words

pytestmark = pytest.mark.slow
PHONE = 390
NINE = ("ada", "ben", "cleo", "dan", "eva", "finn", "gus", "hana", "ivo")
VISIBLE = """
    const box = arguments[0].getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.top >= 0 && box.bottom <= innerHeight && arguments[0].contains(top);"""
"""Whether an element is in view, and nothing lies over it."""


class Board:
    """A board of nine people: the first of them owns it, and all may vote."""

    def __init__(self, api: Api, names: tuple[str, ...] = NINE) -> None:
        self.api = api
        self.sessions = {name: api.session_of(f"{name}@nine.example") for name in names}
        self.ids = {
            name: api.call(session, "GET", "/api/v1/me")["data"]["id"] for name, session in self.sessions.items()
        }
        first, *others = names
        self.owner = self.sessions[first]
        self.id = api.call(self.owner, "POST", "/api/v1/boards", {"name": "Nine"})["data"]["id"]
        self.path = f"/boards/{self.id}"
        for name in others:
            self._join(name)

    def _join(self, name: str) -> None:
        invite = {"inviteeEmail": f"{name}@nine.example", "accessType": "collaborator"}
        made = self.api.call(self.owner, "POST", f"/api/invite/{self.id}", invite)
        self.api.call(self.sessions[name], "PUT", f"/api/invite/accept/{made['inviteId']}")

    def post(self, path: str, body: Any = None) -> Any:
        return self.api.call(self.owner, "POST", f"/api/v1{self.path}{path}", body)["data"]

    def get(self, path: str) -> Any:
        return self.api.call(self.owner, "GET", f"/api/v1{self.path}{path}")["data"]

    def opened(self, **members: Any) -> str:
        """Opens a vote and returns its path on the board."""
        body = {"title": "Budget of 2027", "text": "The board approves the budget.", "closesAt": soon(3), **members}
        path = f"/resolutions/{self.post('/resolutions', body)['id']}"
        self.post(f"{path}/open")
        return path

    def vote(self, path: str, choice: str, *names: str) -> None:
        for name in names:
            self.api.call(self.sessions[name], "PUT", f"/api/v1{self.path}{path}/ballot", {"choice": choice})


@pytest.fixture(scope="module")
def board(api: Api) -> Board:
    return Board(api)


def enter(page: Page, board: Board, name: str, path: str) -> None:
    page.sign_in(board.sessions[name])
    page.open(board.path + path)


def vote(page: Page, choice: str) -> None:
    """Votes by two taps."""
    page.click(choice, ".ballot.bar")
    page.click(f"Cast “{choice}”", ".ballot.bar")


def close(page: Page) -> None:
    page.click("Close the vote", "#voters")
    page.click("Close the vote", "#voters .confirm-box")


def test_nine_people_vote_on_phones_with_two_proxies_a_recusal_a_tie_and_the_chairs_vote(
    page: Page, board: Board
) -> None:
    rule = {"castingVoteUserId": board.ids["ada"], "proxies": True}
    path = board.opened(rule=rule)
    page.width(PHONE)
    for giver in ("ben", "cleo"):
        enter(page, board, giver, path)
        page.click("Proxy")
        page.choose("#proxy-for", board.ids["dan"])
        page.click("Give the proxy")
        page.until(lambda: page.all(".ballot.bar"))
        page.until(lambda: "dan@nine.example votes for them" in page.text("#voters"))
    enter(page, board, "ivo", path)
    page.click("Recusal")
    page.fill("#recusal-reason", "My firm sells it")
    page.click("Do not take part", ".menu-box")
    page.sees("My firm sells it", "#voters")
    assert page.all(".ballot") == []
    for name, choice in (("ada", "For"), ("eva", "For"), ("finn", "Against"), ("gus", "Against"), ("hana", "Abstain")):
        enter(page, board, name, path)
        assert page.chrome.execute_script(VISIBLE, page.one(".resolution-text"))
        assert all(page.chrome.execute_script(VISIBLE, each) for each in page.all(".ballot.bar .choice"))
        vote(page, choice)
        page.sees(f"The vote is {choice}.", "#vote")
        assert page.overflow() <= 0
    enter(page, board, "dan", path)
    choices = {"yourself": "For", "ben@nine.example": "Against", "cleo@nine.example": "Abstain"}
    while choices:
        asked = page.until(lambda: [name for name in choices if f"Vote for {name}" in page.text(".ballot.bar")])
        vote(page, choices.pop(asked[0]))
    page.until(lambda: page.all(".ballot.bar") == [])
    page.sees("cleo@nine.example: The vote is Abstain.")
    assert page.violations() == CLEAN
    page.width(1280)
    enter(page, board, "ada", path)
    page.sees("8 of 8 have voted")
    page.sees("For 3", "#voters .tally")
    close(page)
    page.sees("Carried", "#outcome ~ *, .pill")
    tally = board.get(path)["tally"]
    counted = {name: tally[name] for name in ("eligible", "for", "against", "abstain", "outcome")}
    assert counted == {"eligible": 8, "for": 3, "against": 3, "abstain": 2, "outcome": "carried"}
    said = page.one("#outcome .tally").get_attribute("aria-label")
    assert said is not None
    assert "3 for, 3 against, 2 abstained." in said
    assert "at a tie the vote of ada@nine.example decides" in said
    assert page.errors() == CLEAN


def test_a_resolution_is_drafted_from_a_template_and_opened_with_what_will_be_counted(page: Page) -> None:
    api = page.api
    path = document(api, title="Travel policy")
    page.sign_in("olivia")
    page.open(f"/boards/{api.board}/resolutions")
    page.click("New resolution")
    page.settle()
    page.click("Adopt a document")
    page.choose("#adopt-document", path.rpartition("/")[2])
    page.click("Fill in", "details[open]")
    assert page.one("#resolution-title").get_attribute("value") == "Adoption of “Travel policy”"
    page.click("How it is decided")
    page.choose("#rule-majority", "two_thirds")
    page.click("Save the draft")
    page.sees("Carried if two thirds of the votes cast are for;")
    said = re.search(r"(\d+) of (\d+) must vote\.", page.text())
    assert said is not None
    page.click("Open the vote")
    page.sees(f"{said[0][:-1]}; until", "#open-vote")
    page.click("Open the vote", "#open-vote .disclosure-box")
    page.sees(f"0 of {said[2]} have voted")
    page.sees("Travel policy", ".meeting")
    (found,) = [each for each in resolutions(api) if each["documentIds"] == [path.rpartition("/")[2]]]
    assert (found["status"], found["rule"]["majority"], len(found["voters"])) == ("open", "two_thirds", int(said[2]))
    assert page.errors() == CLEAN


def resolutions(api: Api) -> list[dict[str, Any]]:
    return list(api.call("olivia", "GET", f"/api/v1/boards/{api.board}/resolutions")["data"])


def test_a_ballot_is_changed_taken_back_and_cast_by_keys(page: Page, board: Board) -> None:
    path = board.opened()
    enter(page, board, "eva", path)
    first = page.one(".ballot .choice.for")
    page.chrome.execute_script("arguments[0].focus()", first)
    page.press(Keys.TAB, Keys.ENTER)
    page.until(lambda: page.all("#ballot-cast"))
    page.press(Keys.TAB, Keys.TAB, Keys.ENTER)
    page.sees("The vote is Against.", "#vote")
    page.click("Change", "#vote")
    page.click("Abstain", "#vote")
    page.click("Cast “Abstain”", "#vote")
    page.sees("The vote is Abstain.", "#vote")
    page.click("Take back", "#vote")
    page.until(lambda: page.all(".ballot .choice"))
    assert board.get(f"{path}/ballots") == []
    assert page.errors() == CLEAN


def test_a_secret_ballot_is_cast_once_and_says_nothing_afterwards(page: Page, board: Board) -> None:
    path = board.opened(ballots="secret")
    enter(page, board, "eva", path)
    page.click("For", ".ballot")
    page.sees("A secret ballot is cast once")
    page.click("Cast “For”", ".ballot")
    page.sees("1 of 9 have voted")
    page.chrome.refresh()
    page.settle()
    page.sees("You have voted.", "#vote")
    assert "Take back" not in page.text("#vote")
    assert words(page, "#voters .name small") == []


def test_a_meeting_votes_closes_and_goes_on_and_its_minutes_have_the_decision(page: Page, board: Board) -> None:
    meeting = board.post("/meetings", {"title": "Autumn", "status": "scheduled", "startTime": soon(1)})["id"]
    at = f"/meetings/{meeting}"
    agenda = {"items": [{"title": "Budget", "kind": "decision"}]}
    (item,) = board.api.call(board.owner, "PUT", f"/api/v1{board.path}{at}/agenda", agenda)["data"]["items"]
    enter(page, board, "ada", at)
    page.click("Draft the resolution", "#agenda")
    page.until(lambda: page.all("#resolution-title"))
    page.fill("#resolution-title", "Budget")
    page.fill("#resolution-text", "The board approves the budget.")
    page.click("Save the draft")
    page.sees("Draft", ".pill")
    board.post("/resolutions", {"title": "Audit plan", "text": "The board adopts the plan.", "meetingId": meeting})
    page.open(board.path + at)
    page.click("Start the meeting")
    page.click("Vote now on Budget")
    page.sees("until it is closed in the meeting", ".confirm-box:popover-open")
    page.click("Vote now", ".confirm-box:popover-open")
    page.sees("0 of 9 have voted", "#decisions")
    page.click("For", "#decisions")
    page.click("Cast “For”", "#decisions")
    (decided,) = [each for each in board.get("/resolutions") if each["agendaItemId"] == item["id"]]
    board.vote(f"/resolutions/{decided['id']}", "for", *NINE[1:])
    page.sees("9 of 9 have voted", "#decisions")
    assert page.violations() == CLEAN
    page.click("Close the vote on Budget")
    page.click("Close the vote", ".confirm-box:popover-open")
    page.sees("Carried", "#decisions")
    page.until(lambda: page.all("#decisions .primary[aria-label='Vote now on Audit plan']"))
    page.sees("All is saved.", "#minutes-state")
    (entry,) = [each for each in board.get(f"{at}/minutes")["items"] if each.get("agendaItemId") == item["id"]]
    assert entry["decision"]["result"] == "carried"
    assert page.errors() == CLEAN


def test_the_register_is_searched_and_saved_as_a_table(page: Page, board: Board) -> None:
    path = board.opened(title="=Lease of the roof")
    board.vote(path, "against", *NINE)
    board.post(f"{path}/close")
    enter(page, board, "eva", "/resolutions")
    page.one("#resolutions-text").send_keys("roof")
    page.until(lambda: len(page.all(".rows > li")) == 1)
    page.sees("0 for, 9 against, 0 abstained")
    page.choose("#resolutions-status", "carried")
    page.sees("Nothing fits.")
    page.choose("#resolutions-status", "rejected")
    page.until(lambda: len(page.all(".rows > li")) == 1)
    page.chrome.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return 'data:,'; };"
    )
    page.click("Save as CSV")
    saved = page.until(lambda: page.chrome.execute_script("return window.saved"))
    number = board.get(path)["number"]
    day = time.strftime("%Y-%m-%d", time.gmtime())
    assert saved.splitlines()[1].split(",")[:3] == [number, "'=Lease of the roof", "Rejected"]
    assert saved.splitlines()[1].split(",")[4:] == ["0", "9", "0", "9"]
    assert day[:4] in saved
    assert page.chrome.execute_script("return location.search") == "?text=roof&status=rejected"
    page.languages("de-DE,de")
    page.width(320)
    page.open(f"{board.path}/resolutions")
    page.sees("Beschlüsse", "h1")
    assert page.overflow() <= 0


def test_the_certificate_is_saved_as_it_was_served(page: Page, board: Board) -> None:
    path = board.opened(title="Certified")
    board.vote(path, "for", *NINE)
    board.post(f"{path}/close")
    enter(page, board, "ada", path)
    page.chrome.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return 'data:,'; };"
    )
    page.click("Download the certificate")
    saved = json.loads(page.until(lambda: page.chrome.execute_script("return window.saved")))
    assert saved["data"]["resolution"]["title"] == "Certified"
    assert saved["data"]["tally"] == board.get(path)["tally"]
    assert len(saved["data"]["ballots"]) == len(NINE)
    assert page.errors() == CLEAN


def test_a_certificate_becomes_a_document_that_is_read_once_it_is_made(page: Page, board: Board) -> None:
    path = board.opened(title="Filed")
    board.vote(path, "for", *NINE)
    number = board.post(f"{path}/close")["number"]
    page.width(PHONE)
    enter(page, board, "ada", path)
    page.click("Make a document of it")
    page.sees(f"{number} Filed", "h1")
    page.click(f"Read {number} Filed.pdf")
    page.until(lambda: page.all("#viewer iframe"))
    (made,) = board.get("/documents")
    assert (made["documentType"], page.chrome.current_url.endswith(made["id"])) == ("resolution", True)
    assert page.overflow() <= 0
    assert page.errors() == CLEAN


def test_a_paper_is_read_as_the_vote_fixed_it_though_its_document_has_a_newer_file(
    page: Page, board: Board, tmp_path: Path
) -> None:
    paper = f"/documents/{board.post('/documents', {'title': 'Lease'})['id']}"
    enter(page, board, "ada", paper)
    choose(page, file(tmp_path, "Lease.txt", b"The first lease"))
    page.sees("Latest")
    path = board.opened(title="Lease of the hall", documentIds=[paper.rpartition("/")[2]])
    page.open(board.path + path)
    page.click("Read Lease")
    assert "first lease" in framed(page)
    assert "newer file" not in page.text()
    page.open(board.path + paper)
    choose(page, file(tmp_path, "Changed.txt", b"Another lease"))
    page.until(lambda: len(words(page, ".file b")) == 2)
    board.vote(path, "for", *NINE)
    for status in ("open", "closed"):
        page.open(board.path + path)
        page.click("Read Lease")
        assert "first lease" in framed(page), status
        page.sees("The document has a newer file than the one that the vote is on.")
        if status == "open":
            board.post(f"{path}/close")
    assert page.violations() == CLEAN
    assert page.errors() == CLEAN


def framed(page: Page) -> str:
    """Returns the text of the paper that is read in place."""
    page.chrome.switch_to.frame(page.one(".viewer iframe"))
    page.until(lambda: page.one("body").text)
    text = page.one("body").text
    page.chrome.switch_to.default_content()
    return text
