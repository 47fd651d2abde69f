"""A dashboard filled in by hand: KPIs of the catalog, numbers as written, pasted cells, order, checks."""

from __future__ import annotations

import re
import time
import urllib.request
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.pages.app.browser import Api, Page

pytestmark = pytest.mark.slow
CLEAN: list[str] = []
SAVED = "All is saved."


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
    found = api.call("maya", "GET", path)["data"]["uniform"]["fields"]
    return sorted(found, key=lambda field: float(field["displayOrder"]))


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


def test_numbers_that_nobody_typed_keep_their_zeros(page: Page) -> None:
    api = page.api
    report, path = dashboard(api)
    headers = {"Authorization": f"Bearer {api.session('maya')}", "Content-Type": "application/json"}
    body = b'{"uniform":{"fields":[{"fieldId":"a","label":"A","isStub":false,"displayOrder":1,"value":7.10}]}}'
    request = urllib.request.Request(api.url + path, body, headers, method="PATCH")  # noqa: S310 - our own
    urllib.request.urlopen(request, timeout=30).close()  # noqa: S310 - our own address
    fill(page, report)
    page.click("Add a figure")
    page.all(".figure-row [id$=-label]")[1].send_keys("Guests")
    page.all(".figure-row [id$=-value]")[1].send_keys("1,234", Keys.TAB)
    page.sees("Read as 1234")
    page.until(lambda: written(api, path) == ["7.10", "1234"])
    assert page.errors() == CLEAN


def test_a_contradiction_is_said_at_the_figure_until_it_is_corrected_or_dismissed(page: Page) -> None:
    api = page.api
    stated = {"finance.revenue": 100, "finance.cost-of-revenue": 40, "finance.gross-profit": 60}
    report, path = dashboard(api, *(kpi(id_, value, order) for order, (id_, value) in enumerate(stated.items(), 1)))
    fill(page, report)
    page.sees("Agrees with its formula", ".figure-row:last-child")
    value = page.one(".figure-row:last-child [id$=-value]")
    value.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "70", Keys.TAB)
    page.sees("You state 70. 100 − 40 is 60.", ".figure-row:last-child .check.notice")
    page.click("cost of revenue", ".check.notice")
    page.until(lambda: "cost-of-revenue" in focused(page))
    value.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "61", Keys.TAB)
    page.sees("Agrees with its formula", ".figure-row:last-child")
    assert api.call("maya", "GET", f"{path}/flags")["data"][0]["status"] == "corrected"
    value.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "80", Keys.TAB)
    page.until(lambda: page.all(".check.notice summary"))
    page.one(".check.notice summary").click()
    page.one(".check.notice textarea").send_keys("Rounded by hand")
    page.one(".check.notice form button").click()
    page.sees("Dismissed: Rounded by hand", ".figure-row:last-child")
    assert page.errors() == CLEAN


def test_half_of_a_number_is_not_saved(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, figure("Guests", 1))
    fill(page, report)
    value = page.one(".figure-row [id$=-value]")
    value.send_keys("2")
    time.sleep(1.5)
    page.sees("Not saved yet.")
    assert [field["value"] for field in fields(api, path)] == [1]
    value.send_keys("x", Keys.TAB)
    page.sees("This is no number.")
    assert [field["value"] for field in fields(api, path)] == [1]
    page.click("Done")
    page.until(lambda: page.chrome.switch_to.active_element == value)
    value.send_keys(Keys.BACKSPACE, Keys.TAB)
    page.sees(SAVED)
    assert [field["value"] for field in fields(api, path)] == [12]
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
    page.sees("Row 4, column 2 is no number.")
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


def test_figures_are_ordered_by_keys_and_dragging_and_taken_out(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, *(figure(name, 1, order) for order, name in enumerate("ABC")))
    fill(page, report)
    page.all(".figure-row [id$=-label]")[2].send_keys(Keys.ALT, Keys.ARROW_UP)
    page.until(lambda: labels(page) == ["A", "C", "B"])
    page.until(lambda: [field["fieldId"] for field in fields(api, path)] == ["A", "C", "B"])
    drag = """
        const [first, , third] = document.querySelectorAll('.figure-row');
        const how = {bubbles: true, cancelable: true, dataTransfer: new DataTransfer()};
        const send = (target, type) => target.dispatchEvent(new DragEvent(type, how));
        send(first, 'dragstart'); send(third, 'dragover'); send(first, 'dragend');"""
    page.chrome.execute_script(drag)
    page.until(lambda: [field["fieldId"] for field in fields(api, path)] == ["C", "B", "A"])
    page.one(".figure-row:first-child .confirm button").click()
    page.click("Remove the figure")
    page.until(lambda: [field["fieldId"] for field in fields(api, path)] == ["B", "A"])
    assert page.errors() == CLEAN


def test_what_another_saved_meanwhile_is_shown_before_anything_is_written_over(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, figure("Guests", 1))
    fill(page, report)
    api.call("maya", "PATCH", path, {"uniform": {"narrative": "Only the text"}})
    value = page.one(".figure-row [id$=-value]")
    value.send_keys("1", Keys.TAB)
    page.until(lambda: [field["value"] for field in fields(api, path)] == [11])
    api.call("adam", "PATCH", path, {"uniform": {"fields": [figure("Guests", 5)]}})
    value.send_keys("1", Keys.TAB)
    page.sees("Somebody else has written, too.", ".notice[role=alert]")
    assert "Guests: 5" in page.text(".notice[role=alert]")
    assert "Guests: 111" in page.text(".notice[role=alert]")
    page.click("Keep yours")
    page.until(lambda: [field["value"] for field in fields(api, path)] == [111])
    api.call("adam", "PATCH", path, {"uniform": {"fields": [figure("Guests", 6)]}})
    value.send_keys("1", Keys.TAB)
    page.sees("Somebody else has written, too.", ".notice[role=alert]")
    page.click("Take theirs")
    page.until(lambda: page.one(".figure-row [id$=-value]").get_attribute("value") == "6")
    page.click("Done")
    page.sees("6", ".figures")
    api.call("adam", "PATCH", path, {"title": "Theirs"})
    page.click("Edit", ".dashboard")
    page.fill(".dashboard input[name=title]", "Mine")
    page.click("Save", ".dashboard")
    page.sees("Theirs", ".dashboard h2")
    page.click("Save", ".dashboard")
    page.until(lambda: api.call("maya", "GET", path)["data"]["title"] == "Mine")


def test_an_editor_fills_in_figures_and_a_reader_is_offered_nothing(page: Page) -> None:
    api = page.api
    report, path = dashboard(api, figure("Guests", 1))
    people = api.call("maya", "GET", f"/api/v1/boards/{api.board}/members?limit=100")["data"]
    colin = next(each["userId"] for each in people if each["email"].startswith("colin@"))
    api.call("maya", "PATCH", f"/api/v1{report}", {"status": "published"})
    page.sign_in("colin")
    page.open(report)
    page.sees("Guests", ".figures")
    assert "Fill by hand" not in page.text()
    api.call("maya", "PUT", f"{path}/access/{colin}")
    fill(page, report, "colin")
    page.width(360)
    assert page.overflow() <= 0
    page.one(".figure-row [id$=-value]").send_keys("1", Keys.TAB)
    page.until(lambda: [field["value"] for field in fields(api, path)] == [11])
    assert page.violations() == CLEAN
    assert page.errors() == CLEAN
