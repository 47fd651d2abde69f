"""How many clicks what people do often takes: a click on a page is a press of a button or a link; typing is none."""

import time
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, next_year, soon
from tests.pages.app.test_resolutions import Board

pytestmark = pytest.mark.slow
ASKED = ".confirm-box[open]"


class Clicks:
    """The clicks of a person, counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.number = 0

    def click(self, text: str, within: str = "body") -> None:
        self.number += 1
        self.page.click(text, within)

    def more(self) -> None:
        self.number += 1
        self.page.more()


@pytest.fixture
def clicks(page: Page) -> Clicks:
    page.sign_in("olivia")
    return Clicks(page)


@pytest.fixture(scope="module")
def decided(api: Api) -> tuple[Board, str]:
    """A board, and the path of a resolution that it carried this year."""
    board = Board(api)
    path = board.opened(voters=[{"userId": board.ids["ada"]}])
    board.vote(path, "for", "ada")
    board.post(f"{path}/close")
    while "resolution.closed" not in [event["type"] for event in board.get("/events?limit=100")]:
        time.sleep(0.1)  # the feed follows within seconds, and the page reads it once
    return board, path


def test_a_meeting_is_cancelled_by_three_clicks(clicks: Clicks) -> None:
    clicks.page.open(clicks.page.api.meeting("Cancelled by clicks", startTime=soon(9)))
    clicks.more()
    clicks.click("Cancel the meeting")
    clicks.click("Cancel the meeting", ASKED)
    clicks.page.sees("This meeting is cancelled.")
    assert clicks.number == 3


def test_a_meeting_is_postponed_by_three_clicks(clicks: Clicks) -> None:
    page = clicks.page
    page.open(page.api.meeting("Postponed by clicks", startTime=soon(9)))
    clicks.click("Edit")
    page.choose("#f-startTime", f"{soon(10)[:10]}T10:30")
    clicks.click("Save")
    clicks.click("Move the meeting", ASKED)
    page.sees("10:30", ".facts")
    assert clicks.number == 3


def test_a_pack_is_published_by_two_clicks(clicks: Clicks) -> None:
    page = clicks.page
    meeting = page.api.meeting("Published by clicks", startTime=soon(9))
    made = page.api.call("olivia", "POST", f"/api/v1{meeting}/pack")["data"]
    while not newest(page.api, made["id"])["latestVersionId"]:
        time.sleep(0.1)
    page.open(meeting)
    clicks.click("Publish the pack: tell 5 members")
    clicks.click("Publish the pack: tell 5 members", ASKED)
    page.sees("Published", "#agenda")
    assert clicks.number == 2


def newest(api: Api, document: str) -> Any:
    return api.call("olivia", "GET", f"/api/v1/boards/{api.board}/documents/{document}")["data"]


def test_a_decision_of_a_year_is_found_by_two_clicks(page: Page, decided: tuple[Board, str]) -> None:
    board, path = decided
    page.sign_in(board.owner)
    clicks = Clicks(page)
    page.open(board.path)
    clicks.click("Decisions", ".sections")
    page.sees(f"Decided {time.gmtime().tm_year}")
    title = board.get(path)["title"]
    clicks.click(next(link.text for link in page.all("main .rows a") if title in link.text))
    page.sees("Carried", "#outcome ~ *, .pill")
    assert clicks.number == 2


def test_the_history_of_a_resolution_is_read_by_two_clicks(page: Page, decided: tuple[Board, str]) -> None:
    board, path = decided
    page.sign_in(board.owner)
    clicks = Clicks(page)
    page.open(f"{board.path}/resolutions")
    title = board.get(path)["title"]
    page.sees(title)
    clicks.click(next(link.text for link in page.all("main .rows a") if title in link.text))
    clicks.click("History", "main")
    page.sees("opened the vote on a resolution", ".history")
    assert clicks.number == 2


def test_a_year_of_meetings_with_templates_and_plan_takes_twelve_clicks_at_most(page: Page) -> None:
    """From the overview of a board with two committees and nothing else: 8 meetings of the board, 20 of committees."""
    api, year = page.api, next_year()
    board = api.call("olivia", "POST", "/api/v1/boards", {"name": "A year by clicks"})["data"]["id"]
    path = f"/api/v1/boards/{board}"
    member = api.call("olivia", "GET", f"{path}/members")["data"][0]["id"]
    committees = {
        name: api.call("olivia", "POST", f"{path}/committees", {"name": name, "memberIds": [member]})["data"]["id"]
        for name in ("Audit", "Pay")
    }
    page.sign_in("olivia")
    clicks = Clicks(page)
    page.open(f"/boards/{board}")
    clicks.click("Meetings", ".sections")
    clicks.click("Year", ".pages")
    clicks.click("New template")
    for name in ("Of the board", "Of committees"):
        page.fill("#template-new-name", name)
        page.fill("#template-new-lines", "Minutes of the last meeting (5 min)\nAnnual accounts (45 min) @ March")
        clicks.click("Create the template")
        page.sees(name, "[aria-labelledby=templates] .rows")
    clicks.click("Add matters")
    page.fill("#matters-new", "Annual accounts @ March\nBudget (30 min) @ 10, 11\nInsurance @ Jan-Jun")
    clicks.click("Add the matters")
    page.sees("Insurance", ".year")
    template = api.call("olivia", "GET", f"{path}/agenda-templates")["data"][0]["id"]
    clicks.click("New series of meetings")
    for title, months in (
        ("Of the board", "Jan-Jun, 9-10"),
        ("Audit", "Jan-Jun, Sep-Dec"),
        ("Pay", "Jan-Jun, Sep-Dec"),
    ):
        page.fill("#series-new-title", title)
        page.choose("#series-new-start", f"{year}-01-12T09:00")
        page.fill("#series-new-months", months)
        page.choose("#series-new-template", template)
        page.choose("#series-new-committee", committees.get(title, ""))
        clicks.click("Create the series")
        page.sees(title, ".year")
    days = f"occurrences?from={year}-01-01&to={year + 1}-01-01"
    series = api.call("olivia", "GET", f"{path}/series")["data"]
    meetings = {
        each["title"]: len(api.call("olivia", "GET", f"{path}/series/{each['id']}/{days}")["data"]) for each in series
    }
    assert meetings == {"Of the board": 8, "Audit": 10, "Pay": 10}
    assert {each["templateId"] for each in series} == {template}
    assert clicks.number <= 12
