"""A dashboard is filled from the cells of a spreadsheet."""

from typing import Any

import pytest

from tests.pages.app.browser import Page
from tests.pages.app.test_comments import dashboard
from tests.pages.app.test_papers import CLEAN

pytestmark = pytest.mark.slow


def figures(page: Page, path: str) -> Any:
    return page.api.call("olivia", "GET", f"/api/v1{path}")["data"]["uniform"]


def test_pasted_cells_fill_the_dashboard_and_each_mistake_is_named_by_its_line(page: Page) -> None:
    report, path = dashboard(page.api, "From a spreadsheet")
    field = f"#sheet-{path[-24:]}"
    page.sign_in("olivia")
    page.open(report)
    page.click("Fill from a spreadsheet")
    page.until(lambda: page.all(field))
    page.choose(field, "rogueId\tvalue\tdate\nrevenue.arr\t12,50\t2026-09-30\nfinance.nothing\t1\t2026-09-29")
    page.click("Fill the dashboard", ".disclosure-box")
    page.sees("Line 2, value: Enter a number such as 1250.50")
    page.sees("Line 3, KPI: The catalog has no KPI with the id “finance.nothing”.")
    page.sees("Line 3, date: The date differs from that of line 2")
    assert figures(page, path)["dataAnchorDate"] is None
    page.choose(field, "rogueId;value;date\nrevenue.arr;4910000.50;2026-09-30")
    page.click("Fill the dashboard", ".disclosure-box")
    page.sees("4,910,000.5", ".figures")
    page.sees("Cash", ".figures")
    assert figures(page, path)["dataAnchorDate"] == "2026-09-30"
    assert page.violations() == CLEAN
    assert page.errors() == CLEAN


def test_who_may_not_change_the_dashboard_is_not_offered_to_fill_it(page: Page) -> None:
    report, _ = dashboard(page.api, "Read only")
    page.sign_in("colin")
    page.open(report)
    page.sees("Cash", ".figures")
    page.settle()
    assert "Fill from a spreadsheet" not in page.text()
