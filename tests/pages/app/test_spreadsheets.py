"""A dashboard is filled from the cells of a spreadsheet."""

from typing import Any

import pytest

from tests.pages.app.browser import Page
from tests.pages.app.test_comments import dashboard
from tests.pages.app.test_papers import CLEAN

pytestmark = pytest.mark.slow


def figures(page: Page, path: str) -> Any:
    return page.api.call("olivia", "GET", f"/api/v1{path}")["data"]["uniform"]


def test_pasted_cells_are_shown_before_they_fill_the_dashboard(page: Page) -> None:
    report, path = dashboard(page.api, "From a spreadsheet")
    field = f"#sheet-{path[-24:]}"
    page.sign_in("olivia")
    page.open(report)
    page.click("Fill from a spreadsheet")
    page.until(lambda: page.all(field))
    paste(page, field, "Kennzahl\tQ2\tQ3\nARR\t4,1 Mio\tviel\nNo such thing\t1\t2")
    page.sees("One line is unclear and is left out.", ".dashboard details[open] .disclosure-box")
    page.sees("Enter a number such as 1250.50", ".dashboard .disclosure-box .data")
    paste(page, field, "Kennzahl\tQ2\tQ3\nARR\t4.100.000,00\t4.910.000,50")
    page.sees("4,910,000.5", ".dashboard .disclosure-box .data")
    assert [each["value"] for each in figures(page, path)["fields"] if each["rogueId"] == "revenue.arr"] != [4910000.5]
    page.choose("[id$=-day]", "2026-09-30")
    page.click("Fill the dashboard", ".dashboard details[open] .disclosure-box")
    page.sees("4,910,000.5", ".figures")
    page.sees("Cash", ".figures")
    assert figures(page, path)["dataAnchorDate"] == "2026-09-30"
    assert page.violations() == CLEAN
    assert page.errors() == CLEAN


def paste(page: Page, field: str, text: str) -> None:
    script = """
        const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', {bubbles: true}));"""
    page.chrome.execute_script(script, field, text)


def test_who_may_not_change_the_dashboard_is_not_offered_to_fill_it(page: Page) -> None:
    report, _ = dashboard(page.api, "Read only")
    page.sign_in("colin")
    page.open(report)
    page.sees("Cash", ".figures")
    page.settle()
    assert "Fill from a spreadsheet" not in page.text()
