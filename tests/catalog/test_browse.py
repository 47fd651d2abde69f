"""The catalog page in a real browser: search, reading, recalculation, keyboard, light and dark mode."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from infra.catalog import page as pages
from infra.catalog import releases
from infra.pages.app.site import SHARED_FONT
from tests.harness.browser import browser

pytestmark = pytest.mark.slow

NEWEST = releases.load()[0].version
CAC_PAYBACK = "sales.cac-payback"


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    with browser(1280, 1000) as driver:
        yield driver


class Page:
    """The page in the browser, with the actions of a reader."""

    def __init__(self, chrome: Chrome, site: str) -> None:
        self.chrome = chrome
        self.site = site

    def open(self, record: str = "") -> None:
        self.chrome.get("about:blank")
        self.log("performance")
        self.chrome.get(f"{self.site}/api/ontology/browse/#{record}")
        self.until(lambda: self.all("#results a") and self.all("#record h2"))

    def log(self, name: str) -> list[dict[str, Any]]:
        return list(self.chrome.get_log(name))  # type: ignore[no-untyped-call]

    def until(self, condition: Any) -> None:
        WebDriverWait(self.chrome, 20).until(lambda _: condition())

    def all(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.chrome.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return list(
            self.chrome.execute_script(
                "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
            )
        )

    def results(self) -> list[str]:
        script = "return [...document.querySelectorAll('#results a')].map(e => e.hash.slice(1))"
        return list(self.chrome.execute_script(script))

    def type(self, selector: str, text: str) -> None:
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def press(self, *keys: str) -> None:
        ActionChains(self.chrome).send_keys(*keys).perform()

    def focused(self) -> str:
        return str(self.chrome.execute_script("return document.activeElement.id || document.activeElement.hash"))

    def requests(self) -> list[str]:
        messages = (json.loads(entry["message"])["message"] for entry in self.log("performance"))
        sent = (
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        )
        return [url for url in sent if not url.startswith("data:")]


@pytest.fixture
def page(chrome: Chrome, site: str) -> Page:
    page = Page(chrome, site)
    page.open()
    page.log("browser")
    return page


def test_all_definitions_are_listed_by_domain(page: Page) -> None:
    number = len(releases.load()[0].ids)
    assert len(page.results()) == number
    assert page.texts("#results h2")[0] == "Finance"
    assert page.one("#count").text == f"{number} definitions"
    assert f"version {NEWEST}" in page.one("#release").text


def test_the_page_loads_files_of_one_build_and_one_release_the_typeface_and_one_file_for_a_definition(
    page: Page,
) -> None:
    built, lists = pages.build(NEWEST).digest, [f"v/{NEWEST}/index.json", f"v/{NEWEST}/search.json"]
    for record, opened in (("", []), (CAC_PAYBACK, [f"v/{NEWEST}/sales/cac-payback.json"])):
        page.open(record)
        urls = page.requests()
        assert all(url.startswith(page.site) for url in urls)
        paths = [urlsplit(url).path.removeprefix("/api/ontology/") for url in urls]
        assert len(paths) == len(set(paths))
        assert sorted(path for path in paths if path.endswith(".json")) == sorted([*lists, *opened])
        others = [path for path in paths if not path.startswith((f"browse/{built}/", f"v/{NEWEST}/"))]
        assert others == ["browse/", SHARED_FONT]


def test_search_finds_by_label_alias_and_id_as_one_types(page: Page) -> None:
    for text, first in (
        ("donor ret", "giving.donor-retention-rate"),
        ("DSO", "finance.days-sales-outstanding"),
        ("cac-pay", CAC_PAYBACK),
    ):
        page.type("#query", text)
        assert page.results()[0] == first
    assert page.texts("#results small")[0] == "Sales"
    page.type("#query", "no such figure")
    assert page.results() == []
    assert "No definition matches" in page.one("#count").text


def test_filters_narrow_by_domain_and_audience(page: Page) -> None:
    page.one("#domain option[value=people]").click()
    page.until(lambda: {result.split(".")[0] for result in page.results()} == {"people"})
    assert {"people.volunteer-hours", "people.revenue-per-employee"} <= set(page.results())
    page.one("#audience option[value=nonprofit]").click()
    page.until(lambda: "people.revenue-per-employee" not in page.results())
    assert "people.volunteer-hours" in page.results()


def test_a_definition_shows_its_formula_with_inputs_as_links(page: Page) -> None:
    page.open(CAC_PAYBACK)
    assert page.one("#record h2").text == "CAC payback"
    assert page.chrome.title == "CAC payback · KPI catalog"
    links = [link.get_dom_attribute("href") for link in page.all(".expression a")]
    assert links == [
        "#sales.customer-acquisition-cost",
        "#revenue.average-revenue-per-account",
        "#finance.gross-margin",
    ]
    page.all(".expression a")[2].click()
    page.until(lambda: page.texts("#record h2") == ["Gross margin"])
    assert page.one("#results [aria-current]").text == "Gross margin"


def test_the_worked_example_recalculates_and_goes_back(page: Page) -> None:
    page.open(CAC_PAYBACK)
    assert page.one("#result").text == "16 months"
    page.type("#input-customer_acquisition_cost", "3000")
    assert page.one("#result").text == "8 months"
    page.type("#input-gross_margin", "0")
    assert page.one("#result").text == "No result: division by zero."
    page.one("button[type=reset]").click()
    page.until(lambda: page.one("#result").text == "16 months")


def test_every_definition_can_be_shown(page: Page) -> None:
    ids = page.results()
    script = """
        const [ids, done] = [arguments[0], arguments[1]];
        const own = document.querySelector('script[type=module]').src;
        import(own.replace('browse.js', 'record.js')).then(async ({ recordNodes }) => {
          const labels = new Map(ids.map((id) => [id, id]));
          const failed = [];
          for (const id of ids) {
            const { kpi } = await (await fetch(`/api/ontology/${id.replace('.', '/')}.json`)).json();
            const main = document.createElement('main');
            main.append(...recordNodes(kpi, 'Domain', labels));
            if (main.querySelector('.failed') || /undefined|NaN/.test(main.textContent)) failed.push(id);
          }
          done(failed);
        });
    """
    page.chrome.set_script_timeout(60)
    assert page.chrome.execute_async_script(script, ids) == []


def test_the_page_works_by_keyboard_alone(page: Page) -> None:
    page.press("/")
    assert page.focused() == "query"
    page.press("churn", Keys.ARROW_DOWN)
    first = page.results()[0]
    assert page.focused() == f"#{first}"
    page.press(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    page.until(lambda: page.texts("#record code")[:1] == [first])
    page.until(lambda: page.focused() == "record")


def test_enter_in_the_search_field_opens_the_best_result_and_all_fields_have_labels(page: Page) -> None:
    page.type("#query", "runway" + Keys.ENTER)
    page.until(lambda: page.texts("#record h2") == ["Cash runway"])
    fields = page.all("input, select, button")
    assert [
        field.get_dom_attribute("id") for field in fields if field.is_displayed() and not field.accessible_name
    ] == []


def test_the_skip_link_goes_to_the_definition(page: Page) -> None:
    page.press(Keys.TAB)
    assert page.focused() == "skip"
    page.press(Keys.ENTER)
    assert page.focused() == "record"


# Names of inputs that are broken over two lines.
BROKEN = """
    const lines = (node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight);
    const broken = [...document.querySelectorAll('.inputs code')].filter((node) => lines(node) > 1.5);
    return broken.map((node) => node.textContent);
"""
TOP = "return document.querySelector('#record h2').getBoundingClientRect().top"
CONTRAST = """
    const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const ground = (node) => {
      for (; node; node = node.parentElement) {
        const colour = parse(getComputedStyle(node).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    const weak = [];
    for (const node of document.querySelectorAll('body *')) {
      const texts = [...node.childNodes].filter((child) => child.nodeType === 3 && child.data.trim());
      if (!texts.length || node.tagName === 'NOSCRIPT') continue;
      const [one, other] = [luminance(parse(getComputedStyle(node).color)), luminance(ground(node))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < 4.5) weak.push([node.tagName, node.className, node.textContent.slice(0, 30), ratio]);
    }
    return weak;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(page: Page, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        page.open(CAC_PAYBACK)
        dark = page.chrome.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
        assert dark == (scheme == "dark")
        assert page.chrome.execute_script(CONTRAST) == []
    finally:
        page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_link_on_a_phone_leads_to_the_definition(page: Page) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        page.open(CAC_PAYBACK)
        page.until(lambda: 0 <= page.chrome.execute_script(TOP) < 100)
        assert page.chrome.execute_script("return document.documentElement.scrollWidth") == 390
        assert page.chrome.execute_script(BROKEN) == []
    finally:
        page.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_an_unknown_definition_is_reported_and_nothing_is_logged_or_blocked(page: Page) -> None:
    page.open("finance.<img src=x onerror=alert(1)>")
    assert page.one("#record h2").text == "No such definition"
    assert page.all("#record img") == []
    page.open(CAC_PAYBACK)
    page.type("#query", "margin")
    assert page.log("browser") == []


def test_the_page_needs_no_permission_to_run_text_as_code() -> None:
    html = (pages.FOLDER / "index.html").read_text()
    code = "".join(path.read_text() for path in pages.FOLDER.glob("*.js"))
    assert not re.search(r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write", code)
    assert not re.search(r"<script>|style=|\son\w+=", html)
