"""Every view, for everybody: no overflow, nothing serious for axe-core, a clean console, no other host, few bytes."""

import time
from typing import Any

import pytest

from tests.pages.app.browser import Api, Page, soon
from tests.pages.app.test_links import mailed_link
from tests.pages.app.test_papers import NAVIGATION, absent

pytestmark = pytest.mark.slow
GUEST, INVITATION = "/guest/{guest}", "/invite/{invitation}"
BOARD = "/boards/{board}"
MEETING, REPORT = f"{BOARD}/meetings/{{meeting}}", f"{BOARD}/reports/{{report}}"
SECTIONS = (
    "meetings",
    "resolutions",
    "resolutions/new",
    "resolutions/{resolution}",
    "action-items",
    "documents",
    "reports",
    "cycles",
    "bets",
    "year",
    "minute-book",
    "members",
    "invites",
    "tokens",
    "webhooks",
    "history",
    "settings",
    "nothing/here",
    "webhooks/{webhook}",
    "documents/{document}",
)
VIEWS = (
    "/",
    "/app/sign-in",
    GUEST,
    INVITATION,
    "/unsubscribe/nothing",
    "/paper/nothing",
    "/invite/nonsense",
    "/app/for-you",
    "/boards",
    "/app/notifications",
    "/app/action-items",
    "/app/account",
    BOARD,
    *(f"{BOARD}/{section}" for section in SECTIONS),
    MEETING,
    REPORT,
)
CHART = [{"period": f"2026-Q{quarter}", "value": 100 * quarter} for quarter in range(1, 5)]
LINES = {"series": [{"name": name, "points": CHART} for name in ("Plan", "Actual")]}
TABLE = {"columns": ["Region", "Customers"], "rows": [["North", 120], ["South", 92]]}
HOSTILE = "<img src=x onerror=alert(1)> & <b>friends</b>"
UNFOLD = """
    for (const details of document.querySelectorAll('main details:not([open])')) {
      details.dataset.unfolded = '';
      details.open = true;
    }"""
FOLD = "for (const details of document.querySelectorAll('[data-unfolded]')) details.open = false;"
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
UNSEEN = """
    window.unseen = [];
    const isView = (node) => node.nodeType === Node.ELEMENT_NODE && !node.matches('.loading, noscript');
    new MutationObserver((changes) => {
      const ofMain = changes.filter(({target}) => target.id === 'main');
      const added = ofMain.flatMap(({addedNodes}) => [...addedNodes].filter(isView));
      if (!document.body.dataset.view) window.unseen.push(...added.map(({className}) => className));
    }).observe(document, {childList: true, subtree: true});"""
"""Collects what is drawn of a view that is not shown yet."""
FIRST_VIEW_BYTES = 200_000
CHECKS = "/checks"
TICKETS = "/live/tickets"


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
def addresses(api: Api, report: str) -> dict[str, str]:
    """The address of every view."""
    board = f"/api/v1/boards/{api.board}"
    meeting = api.meeting(HOSTILE, soon(20), soon(21))
    api.call("olivia", "PUT", f"/api/v1{meeting}/rsvp", {"status": "accepted", "comment": HOSTILE})
    wait_for_mail = mailed_link(api, "views@example.com")
    while not (invitation := wait_for_mail()):
        time.sleep(0.1)
    hook = api.call("olivia", "POST", f"{board}/webhooks", {"url": "http://127.0.0.1:9/", "events": ["*"]})
    drafted = api.call("olivia", "POST", f"{board}/resolutions", {"title": HOSTILE, "text": HOSTILE})["data"]["id"]
    ids = {
        "board": api.board,
        "resolution": drafted,
        "guest": api.call("olivia", "POST", f"/api/v1{meeting}/guest-link")["data"]["token"],
        "invitation": invitation.removeprefix("/invite/"),
        "webhook": hook["data"]["id"],
        "document": api.call("olivia", "GET", f"{board}/documents")["data"][0]["id"],
        "meeting": meeting.rpartition("/")[2],
        "report": report.rpartition("/")[2],
    }
    return {view: view.format(**ids) for view in VIEWS}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_and_axe_the_console_and_other_hosts_have_nothing_to_say(
    page: Page, addresses: dict[str, str], view: str
) -> None:
    """One test for many rules, for loading a view takes longer than looking at it; in German, for its length."""
    page.languages("de-DE,de")
    page.sign_in("olivia")
    page.open(addresses[view])
    failings: dict[str, Any] = {f"overflow at {width}": overflow(page, width) for width in (1280, 768, 390, 320)}
    if view in (REPORT, MEETING, GUEST):
        assert HOSTILE in page.text("main")
    failings |= {"markup of hostile texts": page.all("main img, main b:not(:empty) > b, .narrative b, h1 b")}
    page.width(1280)
    page.chrome.execute_script(UNFOLD)
    failings |= {"repeated ids": page.chrome.execute_script(REPEATED_IDS)}
    failings |= {"uneven tables": page.chrome.execute_script(UNEVEN_TABLES)}
    page.scheme("light")
    failings |= {"axe": page.violations()}
    page.scheme("dark")
    failings |= {"axe in the dark": page.violations("color-contrast")}  # no other rule looks at colours
    page.chrome.execute_script(FOLD + LONGER)
    failings |= {"overflow in a language of longer words": overflow(page, 320)}
    failings |= {"console": page.errors(), "other hosts": page.hosts() - {page.api.url.removeprefix("http://")}}
    assert {rule: findings for rule, findings in failings.items() if findings} == {}


def overflow(page: Page, width: int) -> int:
    """Returns by how much the view is too wide, once its charts are there and as wide as they become."""
    page.width(width)
    page.until(lambda: not page.all(".plot:empty"))
    page.chrome.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    return page.overflow()


def test_a_voting_grid_of_many_times_scrolls_by_itself(page: Page) -> None:
    page.sign_in("olivia")
    page.open(page.api.meeting("Many times", *[soon(days) for days in range(30, 45)]))
    grid = page.one(".grid-scroll")
    assert page.chrome.execute_script("return arguments[0].scrollWidth > arguments[0].clientWidth", grid)
    assert page.overflow() <= 0


def test_a_question_that_is_longer_than_the_screen_scrolls_in_it(page: Page) -> None:
    page.sign_in("olivia")
    page.open(page.api.meeting("Long question", startTime=soon(30)))
    size = {"width": 390, "height": 160, "deviceScaleFactor": 1, "mobile": False}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.click("Start the meeting")
    box = page.one(".confirm-box[open]")
    script = "const {top, bottom} = arguments[0].getBoundingClientRect(); return [top, innerHeight - bottom]"
    assert all(room >= 0 for room in page.chrome.execute_script(script, box))
    page.click("Start the meeting", ".confirm-box[open]")
    page.sees("In progress")


def test_every_page_has_the_security_headers(page: Page, addresses: dict[str, str]) -> None:
    script = """
        const done = arguments[1];
        fetch(arguments[0]).then((r) => done(Object.fromEntries(r.headers)));"""
    page.open("/")
    for address in addresses.values():
        headers = page.chrome.execute_async_script(script, address)
        policy = headers["content-security-policy"]
        assert "'unsafe" not in policy
        parts = {"script-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
        assert parts <= set(policy.split("; "))
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("view", ["/", "/boards", BOARD, MEETING, REPORT, GUEST])
def test_a_first_view_is_small_and_no_request_waits_for_another(
    page: Page, addresses: dict[str, str], view: str
) -> None:
    page.sign_in("olivia")
    page.chrome.execute_cdp_cmd("Network.enable", {})
    page.chrome.execute_cdp_cmd("Network.clearBrowserCache", {})
    page.network()
    page.open(addresses[view])
    messages = page.network()
    loaded = [message["params"] for message in messages if message["method"] == "Network.loadingFinished"]
    assert 0 < sum(finished["encodedDataLength"] for finished in loaded) < FIRST_VIEW_BYTES
    assert waits(messages) == []
    evaluations = [url for url in sent(messages) if url.endswith("/access/evaluations")]
    assert len(evaluations) == (0 if view in ("/", GUEST) else 1)


def test_a_first_view_is_not_drawn_before_it_is_shown(page: Page, addresses: dict[str, str]) -> None:
    page.sign_in("olivia")
    added = page.chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": UNSEEN})
    page.open(addresses[MEETING])
    page.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    assert page.chrome.execute_script("return window.unseen") == []


def sent(messages: list[dict[str, Any]]) -> list[str]:
    """Returns the addresses that were asked for."""
    return [
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    ]


def waits(messages: list[dict[str, Any]]) -> list[str]:
    """Returns the API requests that were sent after an answer of the API had come.

    The checks of a dashboard are not in the first view: they are read beside its figures, once those are shown. Nor
    is the ticket of the live channel, which is asked for once the view is shown.
    """
    calls: dict[str, str] = {}
    answered = False
    unanswered = []
    for message in messages:
        params = message["params"]
        if message["method"] == "Network.requestWillBeSent" and "/api/" in (url := params["request"]["url"]):
            calls[params["requestId"]] = url
            unanswered += [url] if answered and not url.endswith((CHECKS, TICKETS)) else []
        answered = answered or (message["method"] == "Network.responseReceived" and params["requestId"] in calls)
    return unanswered


def test_a_report_shows_and_prints_each_widget_and_leads_to_the_catalog(page: Page, report: str) -> None:
    page.sign_in("maya")
    page.open(report)
    page.until(lambda: len(page.all(".plot canvas")) == 2)
    shown, printed = page.text(".dashboard"), page.printed()
    for text in ("19.8 months", "€4,820,000", "1.8%", "North", '{"neither":"nor"}'):
        assert text in shown
        assert text in printed
    absent(printed, *NAVIGATION, "Rename", "Add a dashboard")
    page.all(".dashboard figure summary")[0].click()
    assert "2026-Q4" in page.text("figure table")
    assert page.one(".figure h3 a").get_attribute("href") == f"{page.api.url}/api/ontology/browse/#revenue.arr"
