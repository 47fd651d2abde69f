"""Reports: written until they are final, and filled in by hand."""

from __future__ import annotations

import re
import urllib.request
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page

pytestmark = pytest.mark.slow
CLEAN: list[str] = []
SAVED = "Everything is saved."


def dashboard(api: Api, *fields: dict[str, Any]) -> tuple[str, str]:
    """Makes a report with a dashboard of these fields; returns the address of its page and the dashboard's path."""
    reports = f"/boards/{api.board}/reports"
    report = f"{reports}/{api.call('maya', 'POST', f'/api/v1{reports}', {'title': 'By hand'})['data']['id']}"
    body = {"dashboardType": "uniform", "title": "Figures", "uniform": {"fields": list(fields)}}
    made = api.call("maya", "POST", f"/api/v1{report}/dashboards", body)["data"]
    return report, f"/api/v1{report}/dashboards/{made['id']}"


def figure(field_id: str, value: Any, order: int = 1, **more: Any) -> dict[str, Any]:
    return {"fieldId": field_id, "isStub": False, "label": field_id, "displayOrder": order, "value": value, **more}


def kpi(rogue_id: str, value: Any, order: int) -> dict[str, Any]:
    return figure(rogue_id, value, order, rogueId=rogue_id)


def fields(api: Api, path: str) -> list[Any]:
    shown = api.call("maya", "GET", path)["data"]["uniform"]["fields"]
    return sorted(shown, key=lambda field: float(field["displayOrder"]))


def written(api: Api, path: str) -> list[str]:
    """Returns the values of a dashboard as the answer has them, digit for digit."""
    request = urllib.request.Request(api.url + path, headers={"Authorization": f"Bearer {api.session('maya')}"})  # noqa: S310 - our own
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own address
        return re.findall(r'"value":([-\d.eE+]+)', answer.read().decode())


def fill(page: Page, report: str, name: str = "maya") -> None:
    page.sign_in(name)
    page.open(report)
    page.click("Fill by hand")
    page.until(lambda: page.all(".figure-row"))


def paste(page: Page, selector: str, text: str) -> None:
    script = """
        const data = new DataTransfer();
        data.setData('text/plain', arguments[1]);
        const how = {bubbles: true, cancelable: true, clipboardData: data};
        document.querySelector(arguments[0]).dispatchEvent(new ClipboardEvent('paste', how));"""
    page.chrome.execute_script(script, selector, text)


def focused(page: Page) -> str:
    """Returns the id of the element that has the focus."""
    return page.chrome.switch_to.active_element.get_attribute("id") or ""


def labels(page: Page) -> list[str]:
    script = "return [...document.querySelectorAll('.figure-row [id$=-label]')].map((each) => each.value)"
    return list(page.chrome.execute_script(script))


def test_a_kpi_is_found_by_an_alias_and_its_number_is_saved_as_written_and_checked(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, kpi("finance.revenue", 20, 1), kpi("finance.cost-of-revenue", 7, 2))
    fill(page, report)
    page.click("Add a figure")
    page.until(lambda: page.chrome.switch_to.active_element.get_attribute("role") == "combobox")
    page.press("gross inc")
    page.sees("Gross income", ".kpi-picker [role=option]")
    assert page.violations() == CLEAN
    page.press(Keys.ENTER)
    page.until(lambda: focused(page).endswith("-value"))
    assert labels(page)[-1] == "Gross profit"
    page.press("12.50", Keys.TAB)
    page.until(lambda: len(fields(api, path)) == 3)
    page.until(lambda: written(api, path) == ["20", "7", "12.50"])
    saved = fields(api, path)[2]
    assert (saved["rogueId"], saved["label"], saved["isStub"]) == ("finance.gross-profit", "Gross profit", False)
    assert saved["widget"] == {"type": "currency", "options": {}}
    page.sees("Agrees with its formula", ".figure-row:last-child .check")
    page.click("Done")
    page.until(lambda: page.chrome.switch_to.active_element.text == "Fill by hand")
    page.sees("12.5", ".figures")
    assert page.errors() == CLEAN


def test_cells_of_a_spreadsheet_are_pasted_into_a_table_and_a_chart(page: Page) -> None:
    api = page.api
    chart = {"type": "chart", "options": {}}
    report, path = dashboard(api, figure("Regions", None, 1), figure("Growth", None, 2, widget=chart))
    fill(page, report)
    page.choose(".figure-row:first-child [id$=-kind]", "table")
    page.until(lambda: page.all(".figure-row:first-child [data-row]"))
    cells = 'Region\tNet\r\n"North\nand ""South"""\t12.50\r\n007\t12 %\r\n'
    paste(page, ".figure-row:first-child [data-row='0'][data-column='0']", cells)
    page.sees(SAVED)
    paste(page, ".figure-row:last-child [data-row='1'][data-column='0']", "Q1\t1.50\nQ2\t3\nQ3\tn/a")
    page.sees("Row 4, column 2 is not a number.")
    last = page.one(".figure-row:last-child [data-row='3'][data-column='1']")
    assert last.get_attribute("aria-invalid") == "true"
    last.send_keys(Keys.BACKSPACE * 3, Keys.ARROW_UP)
    page.until(lambda: page.chrome.switch_to.active_element.get_attribute("data-row") == "2")
    page.sees(SAVED)
    table, growth = fields(api, path)
    assert table["value"] == {
        "columns": ["Region", "Net"],
        "rows": [['North\nand "South"', 12.5], ["007", "12 %"]],
    }
    points = [{"period": "Q1", "value": 1.5}, {"period": "Q2", "value": 3}, {"period": "Q3", "value": None}]
    assert growth["value"] == {"series": [{"name": "", "points": points}]}
    page.click("Done")
    page.until(lambda: page.all(".plot canvas"))
    assert page.errors() == CLEAN


def test_a_manager_writes_a_report_until_it_is_final(page: Page) -> None:
    page.sign_in("maya")
    page.open(f"/boards/{page.api.board}/reports")
    page.click("New report")
    page.fill("#f-title", "Half year")
    page.click("Create the report")
    page.until(lambda: page.text("h1") == "Half year")
    page.settle()
    page.click("Add a dashboard")
    page.fill("#dashboard-title", "People")
    page.click("Add")
    page.sees("No figure yet.", ".dashboard")
    page.click("Edit", ".dashboard")
    page.one(".dashboard textarea").send_keys("Two joined, nobody left.")
    page.click("Save", ".dashboard")
    page.sees("Two joined, nobody left.", ".dashboard .narrative")
    page.click("Ready for review")
    page.click("Mark as reviewed")
    page.sees("Reviewed", ".dashboard")
    page.click("Publish")
    page.click("Publish", ".confirm-box[open]")
    page.sees("published", ".report")
    page.click("Finalize")
    page.click("Finalize", ".confirm-box[open]")
    page.sees("Finalized")
    assert [button.text for button in page.all("main button") if button.is_displayed()] == ["Print"]
    assert page.errors() == CLEAN
