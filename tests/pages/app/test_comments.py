"""Comments beside meetings, documents and dashboards, and who may edit a dashboard."""

from typing import Any

import pytest

from tests.pages.app.browser import Api, Page
from tests.pages.app.test_papers import CLEAN

pytestmark = pytest.mark.slow


def user_id(api: Api, name: str) -> str:
    return str(api.call(name, "GET", "/api/v1/me")["data"]["id"])


def comments(api: Api, path: str, by: str = "olivia") -> list[Any]:
    found: list[Any] = api.call(by, "GET", f"/api/v1{path}/comments")["data"]
    return found


def dashboard(api: Api, title: str) -> tuple[str, str]:
    """Creates a report of Olivia's with a dashboard; returns the addresses of both."""
    reports = f"/boards/{api.board}/reports"
    report = f"{reports}/{api.call('olivia', 'POST', f'/api/v1{reports}', {'title': title})['data']['id']}"
    figure = {"fieldId": "cash", "isStub": False, "label": "Cash", "displayOrder": 1, "value": 1}
    body = {"dashboardType": "uniform", "title": title, "uniform": {"fields": [figure]}}
    made = api.call("olivia", "POST", f"/api/v1{report}/dashboards", body)["data"]["id"]
    return report, f"{report}/dashboards/{made}"


def test_a_meeting_is_discussed_with_mentions_answers_and_an_end(page: Page) -> None:
    api = page.api
    meeting = api.meeting("Discussed")
    maya = user_id(api, "maya")
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
    (first,) = comments(api, meeting)
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
    page.until(lambda: any(message in each["message"] for each in api.call("maya", "GET", "/api/notification/")))
    page.open("/app/notifications")
    page.sees(message)
    assert page.violations() == []
    assert page.errors() == CLEAN


def test_the_author_changes_and_deletes_a_comment_on_a_document(page: Page) -> None:
    api = page.api
    documents = f"/boards/{api.board}/documents"
    path = f"{documents}/{api.call('olivia', 'POST', f'/api/v1{documents}', {'title': 'Talked of'})['data']['id']}"
    api.call("olivia", "POST", f"/api/v1{path}/comments", {"text": "Frist"})
    page.sign_in("olivia")
    page.open(path)
    page.click("Comments", "#comments")
    page.more("#comments")
    page.click("Edit", "#comments")
    page.fill("#comments .menu textarea", "First")
    page.click("Save", "#comments")
    page.until(lambda: [each["text"] for each in comments(api, path)] == ["First"])
    page.open(path)
    page.click("Comments", "#comments")
    page.more("#comments")
    page.click("Delete", "#comments")
    page.click("Delete the comment", "#comments")
    page.sees("Nobody has commented yet.", "#comments")
    assert page.violations() == []
    assert page.errors() == CLEAN


def test_an_admin_of_the_board_deletes_what_somebody_else_wrote_and_never_changes_it(page: Page) -> None:
    api = page.api
    documents = f"/boards/{api.board}/documents"
    path = f"{documents}/{api.call('olivia', 'POST', f'/api/v1{documents}', {'title': 'Moderated'})['data']['id']}"
    first = api.call("maya", "POST", f"/api/v1{path}/comments", {"text": "Out of place"})["data"]["id"]
    api.call("colin", "POST", f"/api/v1{path}/comments", {"text": "Indeed.", "replyToId": first})
    page.sign_in("adam")
    page.open(path)
    page.click("Comments", "#comments")
    page.more(f"#comment-{first}")
    assert page.text(f"#comment-{first} .menu-box").strip() == "Delete"
    page.click("Delete", f"#comment-{first}")
    page.click("Delete the comment", f"#comment-{first}")
    page.sees("In reply to a comment that was deleted", "#comments")
    assert [each["text"] for each in comments(api, path)] == ["Indeed."]
    assert page.errors() == CLEAN


def test_a_figure_is_commented_on_and_who_may_edit_it_is_said_in_place(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, "Shared out")
    guest = user_id(api, "gwen")
    page.sign_in("gwen")
    page.open(report)
    page.sees("Shared out", ".dashboard")
    assert not page.all(".dashboard form"), "a guest edits nothing"
    page.sign_in("olivia")
    page.open(report)
    page.click("Comments", ".dashboard")
    page.click("Comment", ".discussion")
    page.fill(".discussion form textarea", "Is this right?")
    page.choose(".discussion select", "cash")
    page.click("Send", ".discussion")
    page.sees("Is this right?", ".discussion .talk")
    assert [each["fieldId"] for each in comments(api, path)] == ["cash"]
    page.click("Who may edit", ".dashboard")
    page.sees("owns this dashboard.", ".access")
    page.click("Let somebody edit", ".access")
    page.choose(".access select", guest)
    page.click("Let them edit", ".access")
    page.until(lambda: api.call("olivia", "GET", f"/api/v1{path}/access")["data"]["editors"])
    assert page.violations() == []
    page.sign_in("gwen")
    page.open(report)
    page.click("Edit", ".dashboard")
    page.fill(".dashboard form input[name=title]", "Edited by a guest")
    page.click("Save", ".dashboard")
    page.sees("Edited by a guest", ".dashboard h2")
    assert "Mark as reviewed" not in page.text(".dashboard")
    page.sign_in("olivia")
    page.open(report)
    page.click("Who may edit", ".dashboard")
    page.more(".access")
    page.click("End the right", ".access .menu-box")
    page.click("End the right", ":popover-open")
    page.until(lambda: not api.call("olivia", "GET", f"/api/v1{path}/access")["data"]["editors"])
    page.click("Hand over", ".access")
    page.choose(".access .disclosure[open] select", guest)
    page.click("Hand over", ".access .disclosure[open] form")
    page.until(lambda: api.call("olivia", "GET", f"/api/v1{path}/access")["data"]["ownerUserId"] == guest)
    assert page.errors() == CLEAN
