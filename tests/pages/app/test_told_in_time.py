"""What keeps a board in time: deadlines of votes, reminders, due dates, and the switches of what is mailed."""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import links, mails

pytestmark = pytest.mark.slow
CLEAN: list[str] = []


def user_id(api: Api, name: str) -> str:
    return next(str(user["id"]) for user in api.demo["users"] if user["email"].startswith(name))


def turn_off_link(api: Api, title: str) -> str:
    """Assigns a task to Colin and returns the path of the link in its mail that turns mails like it off."""
    meeting = api.meeting("Of a task", soon(9))
    task = {"title": title, "assigneeUserId": user_id(api, "colin"), "status": "in_progress"}
    before = {file.name for file in (api.state / "outbox").glob("*.eml")}
    api.call("olivia", "POST", f"/api/v1{meeting}/action-items", task)
    for _ in range(600):
        for mail in mails(api, before):
            if title in str(mail["Subject"]):
                (address,) = [link for link in links(mail) if "/unsubscribe/" in link]
                return address.removeprefix(api.url)
        time.sleep(0.1)
    raise AssertionError("no mail came")


def test_a_meeting_has_a_deadline_and_those_who_are_missing_are_reminded_once_a_day(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Deadline", soon(20), soon(21))
    page.sign_in("colin")
    page.open(meeting)
    page.click("Set a deadline")
    page.choose("#f-closesAt", soon(10)[:16])
    page.click("Save the deadline")
    page.sees("Vote until")
    page.sees("get one reminder")
    assert api.call("adam", "GET", f"/api/v1{meeting}/poll")["data"]["closesAt"] == soon(10).replace(
        "12:00:00Z", "11:00:00.000Z"
    )
    page.one(".grid .vote.ok").click()
    page.click("Change the deadline")
    page.choose("#f-closesAt", soon(11)[:16])
    page.click("Save the deadline")
    page.until(lambda: api.call("adam", "GET", f"/api/v1{meeting}/poll")["data"]["closesAt"].startswith(soon(11)[:10]))
    page.until(lambda: "Not answered yet: You" not in page.text("#times"))
    page.click(next(text for text in words(page, "#times button") if text.startswith("Remind ")))
    page.click("Remind", ":popover-open")
    page.sees("Reminded: ")
    assert "Colin" not in page.text("#times .saved")
    page.open(meeting)
    page.click(next(text for text in words(page, "#times button") if text.startswith("Remind ")))
    page.click("Remind", ":popover-open")
    page.sees("less than a day ago. You can remind them again in 24 hours.")
    page.click("Change the deadline")
    page.click("Remove the deadline")
    page.until(lambda: "Vote until" not in page.text("#times"))
    assert page.errors() == CLEAN


def words(page: Page, selector: str) -> list[str]:
    return [each.text for each in page.all(selector)]


def test_after_the_deadline_nobody_is_offered_a_vote(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Too late", soon(20))
    closes = (datetime.now(UTC) + timedelta(seconds=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    api.call("olivia", "PUT", f"/api/v1{meeting}/poll", {"closesAt": closes})
    page.sign_in("colin")
    page.open(meeting)

    def is_closed() -> bool:
        page.chrome.refresh()
        page.settle()
        return "Voting ended" in page.text("#times")

    page.until(is_closed)
    assert page.all(".grid .vote") == []


def test_those_who_have_not_answered_a_booked_meeting_are_reminded(page: Page) -> None:
    meeting = page.api.meeting("Will you come?", startTime=soon(8))
    page.sign_in("olivia")
    page.open(meeting)
    page.sees("are reminded a day before")
    page.click(next(text for text in words(page, ".card button") if text.startswith("Remind all")))
    page.click("Remind", ":popover-open")
    page.sees("Reminded: ")


def test_an_item_has_a_day_and_the_nearest_comes_first(page: Page) -> None:
    api = page.api
    meeting = api.meeting("What is due", soon(9))
    page.sign_in("colin")
    page.open(meeting)
    for title, day in (("Without a day", ""), ("Later", soon(12)[:10]), ("Sooner", soon(5)[:10])):
        page.click("Add an action item")
        page.fill("#item-new-title", title)
        page.choose("#item-new-who", f"member {user_id(api, 'colin')}")
        page.choose("#item-new-due", day)
        page.click("Add")
        page.sees(title)
        page.until(lambda: not page.one("#item-new-title").is_displayed())
    assert words(page, ".item b") == ["Sooner", "Later", "Without a day"]
    page.open("/app/action-items")
    mine = [each for each in words(page, ".item b") if each in ("Sooner", "Later", "Without a day")]
    assert mine == ["Sooner", "Later", "Without a day"]
    page.open(meeting)
    page.until(lambda: words(page, ".item b")[:1] == ["Sooner"])
    page.more(".item")
    page.click("Edit", ".item")
    page.choose(".item [name=dueOn]", "")
    page.click("Save", ".item")
    page.until(lambda: words(page, ".item b")[0] == "Later")
    assert due_items(api, meeting) == {"Later"}
    assert page.errors() == CLEAN


def due_items(api: Api, meeting: str) -> set[Any]:
    """Returns the titles of a meeting's items that have a day."""
    dated = {each["actionItemId"] for each in api.call("colin", "GET", f"/api/v1/boards/{api.board}/due-dates")["data"]}
    items = api.call("colin", "GET", f"/api/v1{meeting}/action-items")["data"]
    return {each["title"] for each in items if each["_id"] in dated}


def test_the_link_of_a_mail_turns_mails_like_it_off_and_a_reload_shows_the_present_choice(page: Page) -> None:
    api = page.api
    page.open(turn_off_link(api, "Unsubscribed"))
    page.sees("These e-mails are turned off")
    page.sees("A task is assigned to you")

    def channels() -> list[str]:
        return list(api.call("colin", "GET", "/api/notification/preferences")["preferences"]["action_item"])

    assert channels() == ["in_app"]
    choice = {"eventCategory": "action_item", "channels": ["email", "in_app"]}
    api.call("colin", "PUT", "/api/notification/preferences", choice)
    page.chrome.refresh()
    page.sees("You get these e-mails again")
    assert sorted(channels()) == ["email", "in_app"]
    page.open("/unsubscribe/nothing")
    page.sees("This link does not work")
    assert page.errors() == CLEAN


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_page_of_the_link_fits_and_axe_finds_nothing(page: Page, width: int) -> None:
    page.width(width)
    page.open("/unsubscribe/nothing")
    assert page.violations() == []
    page.sign_in("paul")
    page.open("/app/account")
    assert page.violations() == []
    assert page.overflow() <= 0


def test_each_switch_says_what_it_does_and_is_kept(page: Page) -> None:
    api = page.api
    page.sign_in("paul")
    page.open("/app/account")
    shown = page.all(".choices tbody th")
    assert len(shown) == 9
    assert all(re.fullmatch(r"\S.*\n\S.*\.", each.text) for each in shown)

    def settings() -> tuple[bool, bool]:
        found = api.call("paul", "GET", "/api/v1/me/calendar")["data"]
        return found["voteRequests"], found["invitations"]

    def click(switch: str) -> None:
        page.until(lambda: page.all(".choices input") and not page.all(".choices input:disabled"))
        page.one(f"#calendar-{switch}").click()

    click("vote-requests")
    page.until(lambda: settings() == (False, True))
    click("invitations")
    page.until(lambda: settings() == (False, False))
    click("vote-requests")
    click("invitations")
    page.until(lambda: settings() == (True, True))
    assert page.errors() == CLEAN
