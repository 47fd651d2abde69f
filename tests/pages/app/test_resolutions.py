"""Resolutions: drafted from a template, opened, voted on by phones, closed in a meeting, registered, certified."""

from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_papers import CLEAN

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
        assert all(page.chrome.execute_script(VISIBLE, button) for button in page.all(".ballot.bar .choice"))
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
    assert "at a tie the casting vote of ada@nine.example decides" in said
    assert page.errors() == CLEAN


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
    page.click("Start the meeting", ".confirm-box[open]")
    page.click("Vote now on Budget")
    page.sees("until it is closed in the meeting", ".confirm-box[open]")
    page.click("Vote now", ".confirm-box[open]")
    page.sees("0 of 9 have voted", "#decisions")
    page.click("For", "#decisions")
    page.click("Cast “For”", "#decisions")
    (decided,) = [resolution for resolution in board.get("/resolutions") if resolution["agendaItemId"] == item["id"]]
    board.vote(f"/resolutions/{decided['id']}", "for", *NINE[1:])
    page.sees("9 of 9 have voted", "#decisions")
    assert page.violations() == CLEAN
    page.click("Close the vote on Budget")
    page.click("Close the vote", ".confirm-box[open]")
    page.sees("Carried", "#decisions")
    page.until(lambda: page.all("#decisions .primary[aria-label='Vote now on Audit plan']"))
    page.sees("Everything is saved.", "#minutes-state")
    (entry,) = [entry for entry in board.get(f"{at}/minutes")["items"] if entry.get("agendaItemId") == item["id"]]
    assert entry["decision"]["result"] == "carried"
    assert page.errors() == CLEAN
