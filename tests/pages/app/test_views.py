"""Every view, for everybody: no overflow, nothing serious for axe-core, a clean console, no other host, few bytes."""

import time
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, next_year, soon
from tests.pages.app.test_guests_and_invitees import mailed_link
from tests.pages.app.test_print import NAVIGATION, absent

pytestmark = pytest.mark.slow
PUBLIC = ("/", "/app/sign-in")
ACCOUNT = ("/app/for-you", "/boards", "/app/notifications", "/app/action-items", "/app/account")
SECTIONS = (
    "",
    "meetings",
    "action-items",
    "documents",
    "reports",
    "cycles",
    "bets",
    "members",
    "invites",
    "tokens",
    "webhooks",
    "audit",
    "settings",
    "nothing/here",
)
CHART = [{"period": f"2026-Q{quarter}", "value": 100 * quarter} for quarter in range(1, 5)]
LINES = {"series": [{"name": name, "points": CHART} for name in ("Plan", "Actual")]}
TABLE = {"columns": ["Region", "Customers"], "rows": [["North", 120], ["South", 92]]}
HOSTILE = "<img src=x onerror=alert(1)> & <b>friends</b>"
UNEVEN_TABLES = """
    const across = (row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0);
    const widest = (table) => Math.max(...[...table.rows].map(across));
    const fromAbove = (row) => row.parentElement.tagName === 'THEAD' && row.rowIndex > 0;
    return [...document.querySelectorAll('table')]
      .filter((table) => [...table.rows].some((row) => !fromAbove(row) && across(row) !== widest(table)))
      .map((table) => table.outerHTML.slice(0, 200));"""
"""Tables in which a row of the body or the foot lacks a cell, or has one too many; heads have cells of two rows."""
REPEATED_IDS = """
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);"""
LONGER = """
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const longer = (words) => words.replace(/[aeiou]/gi, (letter) => letter + letter.toLowerCase() + '\\u0301');
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement.closest('script, style, textarea')) node.data = longer(node.data);
    }"""
"""Makes all words of a page longer by about 40 per cent, as translations into other languages may be."""
FIRST_VIEW_BYTES = 200_000


def field(name: str, value: Any, widget_type: str, **options: Any) -> dict[str, Any]:
    widget = {"type": widget_type, "options": options}
    known = {"fieldId": name, "rogueId": "revenue.arr", "isStub": False, "label": f"{name} figure", "displayOrder": 1}
    return {**known, "value": value, "widget": widget}


@pytest.fixture(scope="module")
def report(api: Api) -> str:
    """A report with a dashboard of every widget, its texts hostile; its address."""
    path = f"/api/v1/boards/{api.board}/reports"
    made = api.call("maya", "POST", path, {"title": HOSTILE})["data"]
    fields = [
        field("number", 19.8, "number", unit="months"),
        field("currency", 4820000, "currency", currency="EUR"),
        field("percent", 0.018, "percent"),
        field("text", HOSTILE, "text"),
        field("table", TABLE, "table"),
        field("bars", CHART, "chart", kind="bar", unit="thousand EUR"),
        field("lines", LINES, "chart", currency="EUR"),
        field("odd", {"neither": "nor"}, "chart"),
    ]
    uniform = {"narrative": HOSTILE, "fields": fields}
    body = {"dashboardType": "uniform", "title": HOSTILE, "uniform": uniform}
    api.call("maya", "POST", f"{path}/{made['id']}/dashboards", body)
    return f"/boards/{api.board}/reports/{made['id']}"


@pytest.fixture(scope="module")
def addresses(api: Api, report: str) -> list[str]:
    """The address of every view."""
    board = f"/boards/{api.board}"
    document = api.call("olivia", "GET", f"/api/v1{board}/documents")["data"][0]["id"]
    meeting = api.meeting(HOSTILE, soon(20), soon(21))
    guest = api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"]
    wait_for_mail = mailed_link(api, "views@example.com")
    while not (invitation := wait_for_mail()):
        time.sleep(0.1)
    hook = api.call("olivia", "POST", f"/api/v1{board}/webhooks", {"url": "http://127.0.0.1:9/", "events": ["*"]})
    api.call("olivia", "PUT", f"/api/v1{meeting}/rsvp", {"status": "accepted", "comment": HOSTILE})
    sections = [f"{board}/{section}".rstrip("/") for section in SECTIONS]
    return [
        *PUBLIC,
        f"/guest/{guest}",
        invitation,
        "/invite/nonsense",
        *ACCOUNT,
        *sections,
        f"{board}/webhooks/{hook['data']['id']}",
        f"{board}/documents/{document}",
        meeting,
        report,
    ]


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_view_is_wider_than_the_screen(page: Page, addresses: list[str], width: int) -> None:
    page.sign_in("olivia")
    page.width(width)
    for address in addresses:
        page.open(address)
        assert page.overflow() <= 0, address


@pytest.mark.parametrize("script", ["", LONGER])
def test_no_view_is_wider_than_a_phone_in_a_language_of_long_words(
    page: Page, addresses: list[str], script: str
) -> None:
    page.sign_in("olivia")
    page.languages("de-DE,de")
    page.width(320)
    try:
        for address in addresses:
            page.open(address)
            page.chrome.execute_script(script)
            assert page.overflow() <= 0, address
    finally:
        page.languages("en-GB,en")


def test_a_voting_grid_of_many_times_scrolls_by_itself(page: Page) -> None:
    page.sign_in("olivia")
    page.open(page.api.meeting("Many times", *[soon(days) for days in range(30, 45)]))
    grid = page.one(".grid-scroll")
    assert page.chrome.execute_script("return arguments[0].scrollWidth > arguments[0].clientWidth", grid)
    assert page.overflow() <= 0


def test_a_title_has_its_own_direction_and_reverses_nothing_beside_it(page: Page) -> None:
    """A Hebrew title ends at its left with its mark; an override in a title does not reach what follows it."""
    page.sign_in("olivia")
    meeting = page.api.meeting("\u05e9\u05dc\u05d5\u05dd!")
    page.api.call("olivia", "POST", f"/api/v1{meeting}/action-items", {"title": "\u202edaer", "assigneeName": "Robin"})
    page.open(meeting)
    assert left_of(page, "h1", 4) < left_of(page, "h1", 0)
    assert left_of(page, ".item .soft", 0) < left_of(page, ".item .soft", 4)
    assert page.one(".item .soft").text == "Robin"


def left_of(page: Page, selector: str, character: int) -> float:
    """Returns where a character of an element's first text stands."""
    script = """
        const texts = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        range.setStart(texts.nextNode(), arguments[1]);
        range.setEnd(texts.currentNode, arguments[1] + 1);
        return range.getBoundingClientRect().left;"""
    return float(page.chrome.execute_script(script, selector, character))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_view(page: Page, addresses: list[str], scheme: str) -> None:
    page.sign_in("olivia")
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for address in addresses:
        page.open(address)
        for summary in page.all("main summary"):
            page.chrome.execute_script("arguments[0].parentElement.open = true", summary)
        assert page.violations() == [], address
        assert page.chrome.execute_script(REPEATED_IDS) == [], address
        assert page.chrome.execute_script(UNEVEN_TABLES) == [], address
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_console_stays_clean_and_no_other_host_is_asked(page: Page, addresses: list[str]) -> None:
    page.sign_in("olivia")
    for address in addresses:
        page.open(address)
    assert page.errors() == []
    assert page.hosts() == {page.api.url.removeprefix("http://")}


def test_every_page_has_the_security_headers(page: Page, addresses: list[str]) -> None:
    script = """
        const done = arguments[1];
        fetch(arguments[0]).then((r) => done(Object.fromEntries(r.headers)));"""
    page.open("/")
    for address in addresses:
        headers = page.chrome.execute_async_script(script, address)
        policy = headers["content-security-policy"]
        assert "'unsafe" not in policy
        parts = {"script-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
        assert parts <= set(policy.split("; "))
        assert headers["referrer-policy"] == "no-referrer"


def test_hostile_texts_are_text(page: Page, addresses: list[str], report: str) -> None:
    page.sign_in("olivia")
    for address in (report, addresses[-2], addresses[2]):
        page.open(address)
        assert HOSTILE in page.text("main")
        assert page.all("main img, main b:not(:empty) > b, .narrative b, h1 b") == []


@pytest.mark.parametrize("name", ["root", "boards", "overview", "meeting", "report", "guest"])
def test_a_first_view_is_small_and_no_request_waits_for_another(
    page: Page, addresses: list[str], report: str, name: str
) -> None:
    board = f"/boards/{page.api.board}"
    paths = {"root": "/", "boards": "/boards", "overview": board, "meeting": addresses[-2], "report": report}
    page.sign_in("olivia")
    page.chrome.execute_cdp_cmd("Network.enable", {})
    page.chrome.execute_cdp_cmd("Network.clearBrowserCache", {})
    page.network()
    page.open(paths.get(name, addresses[2]))
    messages = page.network()
    loaded = [each["params"] for each in messages if each["method"] == "Network.loadingFinished"]
    assert 0 < sum(each["encodedDataLength"] for each in loaded) < FIRST_VIEW_BYTES
    assert waits(messages) == []
    evaluations = [url for url in sent(messages) if url.endswith("/access/evaluations")]
    assert len(evaluations) == (0 if name in ("root", "guest") else 1)


def sent(messages: list[dict[str, Any]]) -> list[str]:
    """Returns the addresses that were asked for."""
    return [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]


def waits(messages: list[dict[str, Any]]) -> list[str]:
    """Returns the API requests that were sent after an answer of the API had come."""
    calls: dict[str, str] = {}
    answered = False
    found = []
    for message in messages:
        params = message["params"]
        if message["method"] == "Network.requestWillBeSent" and "/api/" in params["request"]["url"]:
            calls[params["requestId"]] = params["request"]["url"]
            found += [params["request"]["url"]] if answered else []
        answered = answered or (message["method"] == "Network.responseReceived" and params["requestId"] in calls)
    return found


def test_a_report_shows_each_widget_and_leads_to_the_catalog(page: Page, report: str) -> None:
    page.sign_in("maya")
    page.open(report)
    page.until(lambda: len(page.all(".plot canvas")) == 2)
    shown = page.text(".dashboard")
    for text in ("19.8 months", "€4,820,000", "1.8%", "North", '{"neither":"nor"}'):
        assert text in shown
    page.all(".dashboard figure summary")[0].click()
    assert "2026-Q4" in page.text("figure table")
    assert page.one(".figure h3 a").get_attribute("href") == f"{page.api.url}/api/ontology/browse/#revenue.arr"


def test_a_figure_that_contradicts_others_says_so_until_that_is_dismissed(page: Page, api: Api) -> None:
    path = f"/api/v1/boards/{api.board}/reports"
    made = api.call("maya", "POST", path, {"title": "Figures that do not fit"})["data"]["id"]
    stated = {"finance.revenue": 100, "finance.cost-of-revenue": 40, "finance.gross-profit": 70}
    fields = [
        {"fieldId": id_, "rogueId": id_, "isStub": False, "label": id_, "displayOrder": 1, "value": value}
        for id_, value in stated.items()
    ]
    body = {"dashboardType": "uniform", "title": "Figures", "uniform": {"fields": fields}}
    api.call("maya", "POST", f"{path}/{made}/dashboards", body)
    page.sign_in("maya")
    page.open(f"/boards/{api.board}/reports/{made}")
    page.until(lambda: "Check the figures" in page.text(".dashboard"))
    page.one(".dashboard .row.no-print button").click()
    page.until(lambda: "its formula gives 59 to 61" in page.text(".figure .check.notice"))
    page.one(".check.notice summary").click()
    page.one(".check.notice textarea").send_keys("Rounded by hand")
    page.one(".check.notice form button").click()
    page.until(lambda: "Dismissed: Rounded by hand" in page.text(".figure .check"))
    assert page.all(".figure .check.notice") == []


def test_a_report_prints_its_figures_without_buttons_and_bars(page: Page, report: str) -> None:
    page.sign_in("maya")
    page.open(report)
    page.until(lambda: "€4,820,000" in page.text(".dashboard"))
    printed = page.printed()
    assert "€4,820,000" in printed
    absent(printed, *NAVIGATION, "Rename", "Add a dashboard")


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/Paris", "13:00\u201314:00"),
        ("America/Los_Angeles", "04:00\u201305:00"),
        ("Asia/Kathmandu", "17:45\u201318:45"),
    ],
)
def test_times_are_in_the_visitors_zone_with_the_meetings_beside_it(page: Page, zone: str, shown: str) -> None:
    meeting = page.api.meeting("Zones", f"{next_year()}-01-15T12:00:00Z")
    page.zone(zone)
    page.sign_in("colin")
    page.open(meeting)
    page.sees(shown)
    page.sees("21:00\u201322:00 Asia/Tokyo")
