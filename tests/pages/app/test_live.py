"""Three people in a meeting see each other's changes without a reload, and lose nothing that they type."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count

import pytest
from selenium.common.exceptions import TimeoutException

from tests.harness.browser import browser
from tests.pages.app.browser import Api, Page, soon, visiting

pytestmark = pytest.mark.slow

BESIDE = "Somebody else has written, too."


@pytest.fixture
def people(api: Api) -> Iterator[dict[str, Page]]:
    """Three people, each in a browser of their own."""
    with ExitStack() as stack:
        opened = {}
        for name in ("olivia", "maya", "adam"):
            page = stack.enter_context(visiting(stack.enter_context(browser(1280, 1000)), api))
            page.sign_in(name)
            opened[name] = page
        yield opened
        assert [page.errors() for page in opened.values()] == [[], [], []]


def meet(people: dict[str, Page], path: str) -> None:
    """Opens a meeting for all, and waits until each of them is in its board's room: sees what rings."""
    for page in people.values():
        page.open(path)
    rooms = count()

    def all_follow() -> bool:
        room = f"Room {next(rooms)}"
        people["olivia"].api.call("olivia", "PATCH", f"/api/v1{path}", {"location": room})
        return all(shows(page, room, ".facts") for page in people.values())

    people["olivia"].until(all_follow, 120)


def shows(page: Page, text: str, selector: str) -> bool:
    return holds(page, lambda: text in page.text(selector))


def holds(page: Page, condition: Callable[[], bool]) -> bool:
    """Returns whether something comes to hold within some seconds."""
    try:
        page.until(condition, 5)
    except TimeoutException:
        return False
    return True


def all_come_to(pages: Iterable[Page], condition: Callable[[Page], object]) -> None:
    for page in pages:
        page.until(partial(condition, page))


def write(page: Page, entry: str, text: str) -> None:
    """Types into an entry of the minutes, which is opened."""
    page.until(lambda: page.all(f"[id='{entry}']"))
    page.chrome.execute_script("document.getElementById(arguments[0]).closest('details').open = true", entry)
    page.one(f"[id='{entry}']").send_keys(text)


def value(page: Page, entry: str) -> str:
    return str(page.chrome.execute_script("return document.getElementById(arguments[0]).value", entry))


def test_three_people_in_a_meeting_follow_each_other_without_a_reload(people: dict[str, Page], api: Api) -> None:
    meeting = api.meeting("Followed", soon(8), soon(9))
    meet(people, meeting)
    olivia, maya, adam = people["olivia"], people["maya"], people["adam"]

    before = len(adam.all("tbody .sign.challenging"))
    maya.chrome.execute_script("document.querySelector('.own .vote.challenging').click()")
    all_come_to((olivia, adam), lambda page: len(page.all("tbody .sign.challenging")) == before + 1)

    olivia.click("Edit the agenda")
    olivia.fill(".agenda-line input", "Budget")
    olivia.click("Save the agenda")
    for page in (maya, adam):
        page.sees("Budget", "#agenda")

    for page in (olivia, maya):
        page.chrome.execute_script("document.getElementById('comments').open = true")
        page.sees("Nobody has commented yet.", "#comments")
    path = f"/api/v1{meeting}/comments"
    api.call("adam", "POST", path, {"text": "I come by train."})
    for page in (olivia, maya):
        page.sees("I come by train.", "#comments")

    olivia.click("Start the meeting")
    olivia.click("Start the meeting", ".confirm-box[open]")
    all_come_to(people.values(), lambda page: "In progress" in page.text() and page.all("#minutes form"))


def test_what_two_write_in_the_minutes_at_once_is_joined_or_shown_side_by_side(
    people: dict[str, Page], api: Api
) -> None:
    meeting = api.meeting("Written by two", status="in_progress")
    items = [{"title": "Budget"}, {"title": "Outlook"}]
    made = api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": items})["data"]["items"]
    first, second = (f"minutes-{item['id']}" for item in made)
    meet(people, meeting)
    olivia, maya, adam = people["olivia"], people["maya"], people["adam"]

    write(olivia, first, "Olivia on the budget.")
    write(maya, second, "Maya on the outlook.")
    all_come_to(people.values(), lambda page: value(page, first) == "Olivia on the budget.")
    all_come_to(people.values(), lambda page: value(page, second) == "Maya on the outlook.")

    # Adam writes while his connection is down, and Olivia about the same item: he keeps his words, and sees hers.
    adam.block("*/minutes")
    write(adam, first, " From Adam.")
    write(olivia, first, " From Olivia.")
    maya.until(lambda: value(maya, first).endswith("From Olivia."))
    adam.block()
    adam.sees(BESIDE, "#minutes")
    adam.sees("From Olivia.", "#minutes .notice")
    assert value(adam, first).endswith("From Adam.")
    adam.click("Keep yours")
    all_come_to(people.values(), lambda page: value(page, first).endswith("From Adam."))
