"""The documentation page, in a real browser against the handlers: what it explains and marks, and trying it out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from infra.local.gateway import Gateway
from infra.local.server import Server, bind
from infra.local.service import published, service
from infra.openapi.document import document
from infra.openapi.site import installation_files, site
from infra.pages.app.site import app_site
from infra.stack.template import ROOT, Template
from tests.harness.board_scenario import BoardScenario

pytestmark = pytest.mark.slow
_WAIT_SECONDS = 20
BOARDS = "#operations-boards-listBoards"
AXE = ROOT / "tests/pages/app/node_modules/axe-core/axe.min.js"
FINDINGS = """
    const done = arguments[0];
    axe.run(document, {resultTypes: ['violations']}).then(({violations}) => done(violations
      .filter(({impact}) => ['serious', 'critical'].includes(impact))
      .map(({id, nodes}) => `${id} ${nodes.length}: ${nodes[0].html}`)));"""
STATUS = ".live-responses-table tbody .response-col_status"


class Page:
    """The page, with what a person does there."""

    def __init__(self, chrome: Chrome, site: str) -> None:
        self._chrome = chrome
        self._wait = WebDriverWait(chrome, _WAIT_SECONDS, 0.05)
        chrome.get(f"{site}/docs")
        self.find(".opblock-tag")

    def toggle(self, group: str) -> None:
        """Unfolds or folds a group of operations. With 150 rows unfolded, the page draws only those in sight."""
        self.click(f".opblock-tag[data-tag='{group}']")

    def width(self, pixels: int) -> int:
        """Makes the window this wide; returns by how much the page is wider."""
        size = {"width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        self._chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        return int(self._chrome.execute_script(script))

    def violations(self, scheme: str) -> list[str]:
        """Returns what axe-core finds serious or critical in light or dark."""
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self._chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.find("html.dark-mode" if scheme == "dark" else "html:not(.dark-mode)")
        self._chrome.execute_script(AXE.read_text())
        return list(self._chrome.execute_async_script(FINDINGS))

    def is_loaded(self, font: str) -> bool:
        """Returns whether the browser has loaded a typeface."""
        script = (
            "const [name, done] = arguments; document.fonts.load(`16px ${name}`).then((all) => done(all.length > 0))"
        )
        return bool(self._chrome.execute_async_script(script, font))

    def find(self, selector: str) -> WebElement:
        """The first element that a selector finds, waited for."""
        return self._wait.until(lambda driver: next(iter(driver.find_elements(By.CSS_SELECTOR, selector)), None))  # type: ignore[return-value]

    def texts(self, selector: str) -> list[str]:
        """What all elements of a selector say."""
        return [element.text for element in self._chrome.find_elements(By.CSS_SELECTOR, selector)]

    def click(self, selector: str) -> None:
        """Click on it, wherever it is on the page."""
        self._chrome.execute_script("arguments[0].click()", self.find(selector))

    def sign_in(self, credential: str) -> None:
        """Paste a credential."""
        self.click(".auth-wrapper .authorize")
        self.find(".auth-container input").send_keys(credential)
        self.click(".auth-container .authorize")
        self.click(".modal-ux .close-modal")

    def execute(self, operation: str) -> str:
        """Try an operation as it stands; the status that comes back."""
        block = f"#operations-{operation}"
        self.click(f"{block} .opblock-summary-control")
        self.click(f"{block} .try-out__btn")
        self.click(f"{block} .execute")
        return self.find(f"{block} {STATUS}").text

    def until_text(self, selector: str, text: str) -> None:
        """Wait until an element says something."""
        self._wait.until(lambda _: any(text in words for words in self.texts(selector)))

    def until_count(self, selector: str, count: int) -> None:
        """Wait until a selector finds this number of elements."""
        self._wait.until(lambda driver: len(driver.find_elements(By.CSS_SELECTOR, selector)) == count)

    def complaints(self) -> list[str]:
        """What the browser refused or failed at, breaches of the page's own policy included."""
        logged = self._chrome.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in logged if entry["level"] == "SEVERE" and " 401 " not in entry["message"]]


@pytest.fixture
def page(store: str, chrome: Chrome) -> Iterator[Page]:  # noqa: ARG001 - a fixture needs another
    """Yields the page, over the local gateway with the handlers."""
    with Server(
        bind("127.0.0.1", 0),
        service(
            Gateway(Template()).handle,
            published({**site(), **installation_files("http://board.example"), **app_site()}),
        ),
    ) as server:
        yield Page(chrome, f"http://127.0.0.1:{server.port}")


def test_an_operation_is_tried_with_a_pasted_token(page: Page, scenario: BoardScenario) -> None:
    page.toggle("boards")
    assert page.execute("boards-listBoards") == "401"
    page.sign_in(str(scenario.personal_token(scenario.owner).bearer))
    page.click(f"{BOARDS} .execute")
    page.until_text(f"{BOARDS} .live-responses-table .highlight-code", scenario.board_id)
    assert page.find(f"{BOARDS} {STATUS}").text == "200"
    assert page.complaints() == []


def test_operations_are_grouped_and_extensions_marked(page: Page) -> None:
    assert page.texts(".opblock") == []
    operations = [
        operation for item in document()["paths"].values() for key, operation in item.items() if key != "parameters"
    ]
    assert [text.split("\n")[0] for text in page.texts(".opblock-tag")] == sorted(
        tag["name"] for tag in document()["tags"]
    )
    for tag in document()["tags"]:
        of_tag = [operation for operation in operations if tag["name"] in operation["tags"]]
        page.toggle(tag["name"])
        page.until_count(".opblock", len(of_tag))
        assert len(page.texts(".extension-mark")) == sum(operation.get("x-extension", False) for operation in of_tag)
        page.toggle(tag["name"])
        page.until_count(".opblock", 0)
    assert page.complaints() == []


def test_an_operation_is_found_at_the_side_and_opened(page: Page) -> None:
    assert len(page.texts("main")) == 1
    page.find("#found a")
    page.find("#find").send_keys("listBoards")
    page.until_count("#found a", 2)  # and listBoardSentInvites
    page.click("#found a[href$='/listBoards']")
    assert page.find(f"{BOARDS}.is-open").is_displayed()
    assert page.complaints() == []


def test_an_operation_shows_its_call_in_three_languages(page: Page) -> None:
    page.toggle("boards")
    page.click("#operations-boards-createBoard .opblock-summary-control")
    page.click("#operations-boards-createBoard .samples > summary")
    curl, python, typescript = page.texts("#operations-boards-createBoard .sample")
    assert "--request POST" in curl
    assert 'client.boards.create_board(\n    name="Northwind Robotics"' in python
    assert 'client.POST("/api/v1/boards"' in typescript
    assert page.complaints() == []


def test_events_and_messages_of_the_live_channel_are_listed_with_examples(page: Page) -> None:
    page.find("#found a")
    page.click("#events > summary")
    page.until_count("#events details", len(document()["webhooks"]))
    page.click("#live > summary")
    page.until_text("#live details summary", "Ring")
    page.click("#live details:last-of-type summary")
    page.until_text("#live pre", '"type": "ring"')
    assert page.violations("light") == []
    assert page.complaints() == []


def test_the_reference_looks_like_all_pages_and_explains_the_rules_before_the_operations(page: Page) -> None:
    assert page.texts(".site-head .brand") == ["Board Governance"]
    assert page.find(".site-head .brand").get_attribute("pathname") == "/"
    page.click(".about > summary")
    assert {"Credentials", "Errors", "Paging", "Idempotency", "Rate limits"} <= {*page.texts(".info h2")}
    assert any("RESOURCE_NOT_FOUND" in row for row in page.texts(".info td"))
    page.toggle("boards")
    for selector in (".site-head .brand", ".info h2", ".info p", ".opblock-tag", ".opblock-summary-method"):
        assert page.find(selector).value_of_css_property("font-family").startswith("Figtree"), selector
    assert not page.find(".opblock-summary-path").value_of_css_property("font-family").startswith("Figtree")
    assert page.is_loaded("Figtree")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reference_fits_a_phone_and_axe_finds_nothing_serious(page: Page, scheme: str) -> None:
    assert page.violations(scheme) == []
    page.toggle("boards")
    page.click(f"{BOARDS} .opblock-summary-control")
    assert page.violations(scheme) == []
    assert [page.width(width) <= 0 for width in (390, 320)] == [True, True]
