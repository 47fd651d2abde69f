"""A reporting cycle from its dispatch to the published package, and the bets of a board."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import mails

pytestmark = pytest.mark.slow
CLEAN: list[str] = []

PACKAGE = "Board package of the year"


def call(api: Api, name: str, method: str, path: str, body: Any = None) -> Any:
    return api.call(name, method, f"/api/v1/boards/{api.board}/{path}", body)["data"]


def members(api: Api) -> dict[str, str]:
    """Returns the user ids of the board's members, by the first part of their addresses."""
    return {each["email"].partition("@")[0]: each["userId"] for each in call(api, "olivia", "GET", "members?limit=100")}


def report_of(api: Api, owners: dict[str, str]) -> tuple[str, list[str]]:
    """Makes a report with a section of each owner; returns the path of the report and those of the sections."""
    report = f"reports/{call(api, 'adam', 'POST', 'reports', {'title': PACKAGE})['id']}"
    paths = []
    for name, user_id in owners.items():
        uniform = {"sourceSectionName": f"Section of {name}"}
        made = call(api, "adam", "POST", f"{report}/dashboards", {"dashboardType": "uniform", "uniform": uniform})
        paths.append(f"{report}/dashboards/{made['id']}")
        if name != "adam":
            call(api, "adam", "POST", f"{paths[-1]}/ownership-transfer", {"userId": user_id})
    return report, paths


def mail_to(api: Api, before: set[str], name: str, words: str) -> None:
    """Waits for a mail to a member whose subject has these words."""
    for _ in range(600):
        if any(name in str(mail["To"]) and words in str(mail["Subject"]) for mail in mails(api, before)):
            return
        time.sleep(0.1)
    raise AssertionError(f"no mail to {name} with {words}")


def test_a_package_of_five_owners_is_asked_for_reviewed_and_published(page: Page) -> None:
    api = page.api
    known = members(api)
    owners = {name: known[name] for name in sorted(known)[:5]}
    assert len(owners) == 5
    report, sections = report_of(api, owners)
    before = {file.name for file in (api.state / "outbox").glob("*.eml")}
    page.sign_in("adam")
    page.open(f"/boards/{api.board}/cycles")
    page.click("New cycle")
    page.fill("#f-name", "Package of the year")
    page.choose("#f-reportId", report.partition("/")[2])
    page.choose("#f-dueAt", soon(20)[:16])
    page.click("Create the cycle")
    page.sees("Section of")
    page.sees("planned for")
    assert len(page.all("main .rows li")) == 5
    page.click("Ask the owners")
    page.sees("The owners were asked on")
    for name in owners.keys() - {"adam"}:
        mail_to(api, before, name, f"section “Section of {name}”")
    for path, statuses in zip(sections, [("ready_for_review", "internally_reviewed")] * 4 + [()], strict=True):
        for status in statuses:
            call(api, "adam", "PATCH", path, {"uniform": {"reviewStatus": status}})
    page.chrome.refresh()
    page.sees("Package of the year")
    page.click("Publish the package")
    page.sees("Some sections are not reviewed")
    for status in ("ready_for_review", "internally_reviewed"):
        call(api, "adam", "PATCH", sections[-1], {"uniform": {"reviewStatus": status}})
    page.chrome.refresh()
    page.sees("Package of the year")
    page.click("Publish the package")
    page.sees("all members are told")
    page.click("Publish the package", ":popover-open")
    page.sees("Published on")
    assert call(api, "adam", "GET", report)["status"] == "published"
    for name in owners.keys() - {"adam"}:
        mail_to(api, before, name, PACKAGE)
    assert page.errors() == CLEAN


def test_the_link_of_a_suggested_meeting_opens_the_form(page: Page) -> None:
    page.sign_in("adam")
    page.open(f"/boards/{page.api.board}/meetings/new")
    page.fill("#f-title", "About the package")
    page.click("Create the meeting")
    page.until(lambda: "About the package" in page.text("h1"))
    assert page.errors() == CLEAN


def test_bets_show_their_figures_and_how_they_went(page: Page) -> None:
    api = page.api
    report = f"reports/{call(api, 'adam', 'POST', 'reports', {'title': 'Older'})['id']}"
    for day, value in (("2025-01-31", 3), ("2025-02-28", 5)):
        figure = {"fieldId": "f", "rogueId": "people.headcount", "isStub": False, "label": "F", "displayOrder": 1}
        uniform = {"dataAnchorDate": day, "fields": [{**figure, "value": value}]}
        call(api, "adam", "POST", f"{report}/dashboards", {"dashboardType": "uniform", "uniform": uniform})
    call(api, "adam", "PATCH", report, {"status": "published"})
    page.sign_in("adam")
    page.open(f"/boards/{api.board}/bets")
    page.sees("ARR passes 5 million")
    page.click("New bet")
    page.fill("#f-title", "We stay few")
    page.choose("#f-dueOn", soon(30)[:10])
    page.fill("#f-rogueId", "people.headcount")
    page.choose("#f-bound", "atMost")
    page.fill("#f-aim", "70")
    page.click("Create the bet")
    page.sees("We stay few")
    page.sees("Target: at most 70")
    page.chrome.refresh()
    page.sees("We stay few")
    page.click("Show how the figures went")
    page.until(lambda: page.all("svg.spark polyline"))
    assert page.violations() == CLEAN
    assert page.errors() == CLEAN


def test_who_may_not_write_is_offered_nothing(page: Page) -> None:
    page.sign_in("colin")
    for view in ("cycles", "bets"):
        page.open(f"/boards/{page.api.board}/{view}")
        page.settle()
        assert page.all("main .disclosure, main .menu") == []
