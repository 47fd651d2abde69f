"""The agenda and the minutes of a meeting, as those who prepare it and those who attend it use the pages."""

import json
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def agenda_of(api: Api, meeting: str) -> list[Any]:
    return list(api.call("olivia", "GET", f"/api/v1{meeting}/agenda")["data"]["items"])


def minutes_of(api: Api, meeting: str) -> Any:
    return api.call("olivia", "GET", f"/api/v1{meeting}/minutes")["data"]


def with_agenda(api: Api, title: str, *items: str) -> str:
    """Creates a meeting with an agenda; returns the path of its page."""
    meeting = api.meeting(title, startTime=soon(9))
    api.call("olivia", "PUT", f"/api/v1{meeting}/agenda", {"items": [{"title": item, "minutes": 10} for item in items]})
    return meeting


def shown(page: Page) -> list[str]:
    """Returns the titles of the agenda as they are shown, in order."""
    return [each.text.partition(". ")[2] for each in page.all(".agenda li b")]


def test_an_agenda_is_written_and_ordered_by_keyboard(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Agenda by keyboard", startTime=soon(9))
    page.sign_in("colin")
    page.open(meeting)
    for title, minutes in (("Opening", "5"), ("Budget", "30"), ("Closing", "")):
        page.click("Add an agenda item")
        page.fill("#agenda-new-title", title)
        page.fill("#agenda-new-minutes", minutes)
        page.choose("#agenda-new-kind", "decision" if title == "Budget" else "")
        page.click("Add", "#agenda")
        page.sees(title, ".agenda")
    page.click("Move Closing up")
    page.until(lambda: shown(page) == ["Opening", "Closing", "Budget"])
    page.until(
        lambda: (
            page.chrome.execute_script("return document.activeElement.getAttribute('aria-label')") == "Move Closing up"
        )
    )
    page.until(lambda: [each["title"] for each in agenda_of(api, meeting)] == ["Opening", "Closing", "Budget"])
    assert [each["kind"] for each in agenda_of(api, meeting)] == [None, None, "decision"]
    page.more("#agenda .item")
    page.click("Remove", "#agenda .item")
    page.until(lambda: shown(page) == ["Closing", "Budget"])
    assert page.errors() == CLEAN


def test_an_agenda_item_is_dragged_to_its_place(page: Page) -> None:
    meeting = with_agenda(page.api, "Agenda by dragging", "One", "Two", "Three")
    page.sign_in("colin")
    page.open(meeting)
    page.until(lambda: shown(page) == ["One", "Two", "Three"])
    page.chrome.execute_script(
        """const [first, , last] = document.querySelectorAll('.agenda li'), dataTransfer = new DataTransfer();
        const send = (to, name) => to.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true }));
        send(last, 'dragstart'); send(first, 'dragover'); send(first, 'drop');"""
    )
    page.until(lambda: shown(page) == ["Three", "One", "Two"])
    page.until(lambda: [each["title"] for each in agenda_of(page.api, meeting)] == ["Three", "One", "Two"])
    assert page.errors() == CLEAN


def test_what_stayed_open_is_carried_over_once(page: Page) -> None:
    api = page.api
    earlier = with_agenda(api, "Earlier with an open point", "Left open")
    meeting = api.meeting("Takes over", startTime=soon(10))
    page.sign_in("colin")
    page.open(meeting)
    for _ in range(2):
        page.click("Carry over what stayed open", "#agenda summary, #agenda")
        page.choose("#f-fromMeetingId", earlier.rpartition("/")[2])
        page.click("Carry over what stayed open", "#agenda form")
        page.until(lambda: shown(page) == ["Left open"])
    assert [each["title"] for each in agenda_of(api, meeting)] == ["Left open"]
    assert page.errors() == CLEAN


def test_minutes_are_saved_as_typed_and_read_by_all_when_the_meeting_is_finalized(page: Page) -> None:
    api = page.api
    meeting = with_agenda(api, "Has minutes", "Opening", "Budget")
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    page.sign_in("olivia")
    page.open(meeting)
    page.fill("#minutes-0-text", "The chair opened the meeting.")
    page.until(lambda: "Saved at" in page.text("#minutes"))
    page.fill("#minutes-1-decision", "The budget is approved.")
    page.until(lambda: page.all("#minutes-1-result"))
    page.choose("#minutes-1-result", "carried")
    page.click("Who is there")
    page.choose("#attended select", "in_person")

    def is_saved() -> bool:
        found = minutes_of(api, meeting)
        return len(found["items"]) == 2 and found["quorum"]["present"] == 1

    page.until(is_saved)
    assert minutes_of(api, meeting)["items"][1]["decision"] == {"text": "The budget is approved.", "result": "carried"}
    page.sign_in("gwen")
    page.open(meeting)
    assert not page.all("#minutes")
    for status in ("completed", "finalized"):
        api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": status})
    page.open(meeting)
    page.sees("The budget is approved.", "#minutes")
    page.sees("The chair opened the meeting.", "#minutes")
    assert not page.all("#minutes textarea")
    assert page.errors() == CLEAN


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", "Mine"), ("Take theirs", "Theirs")])
def test_two_who_write_at_once_see_both_versions_side_by_side(page: Page, choice: str, kept: str) -> None:
    api = page.api
    meeting = with_agenda(api, f"Written twice: {choice}", "Opening")
    api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    page.sign_in("olivia")
    page.open(meeting)
    page.fill("#minutes-0-text", "First")
    page.until(lambda: "Saved at" in page.text("#minutes"))
    (item,) = agenda_of(api, meeting)
    theirs = {"items": [{"agendaItemId": item["id"], "text": "Theirs"}]}
    api.call("colin", "PUT", f"/api/v1{meeting}/minutes", theirs)
    page.fill("#minutes-0-text", "Mine")
    page.sees("Compare both versions", "#minutes")
    assert {"Mine", "Theirs"} <= {each.text for each in page.all("#minutes .pair .text-value")}
    assert minutes_of(api, meeting)["items"][0]["text"] == "Theirs"
    page.click(choice)
    page.until(lambda: minutes_of(api, meeting)["items"][0]["text"] == kept)
    page.until(lambda: page.one("#minutes-0-text").get_attribute("value") == kept)
    assert "Compare both versions" not in page.text("#minutes")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_agenda_and_the_minutes_fit_and_axe_finds_nothing(page: Page, width: int) -> None:
    meeting = with_agenda(page.api, f"At {width} pixels", "A title that needs more than one line of a phone", "Two")
    page.api.call("olivia", "PATCH", f"/api/v1{meeting}", {"status": "in_progress"})
    page.width(width)
    page.sign_in("olivia")
    page.open(meeting)
    page.until(lambda: page.all("#minutes-0-text"))
    page.click("Who is there")
    page.click("Add an agenda item")
    assert page.violations() == []
    assert page.overflow() <= 0, json.dumps(page.text())
