"""The documentation page, in a real browser against the handlers: what it explains and marks, and trying it out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from infra.local.docs import page as docs_page
from infra.local.gateway import Gateway
from infra.local.server import Server, bind
from infra.openapi.document import document
from infra.stack.template import Template
from tests.harness.board_scenario import BoardScenario

pytestmark = pytest.mark.slow
_WAIT_SECONDS = 20
BOARDS = "#operations-boards-listBoards"
STATUS = ".live-responses-table tbody .response-col_status"


class Page:
    """The page, with what a person does there."""

    def __init__(self, chrome: Chrome, site: str) -> None:
        self._chrome = chrome
        chrome.get(f"{site}/docs")
        self.find(".opblock")

    def find(self, selector: str) -> WebElement:
        """The first element that a selector finds, waited for."""
        wait = WebDriverWait(self._chrome, _WAIT_SECONDS)
        return wait.until(lambda driver: next(iter(driver.find_elements(By.CSS_SELECTOR, selector)), None))  # type: ignore[return-value]

    def texts(self, selector: str) -> list[str]:
        """What all elements of a selector say."""
        return [found.text for found in self._chrome.find_elements(By.CSS_SELECTOR, selector)]

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
        WebDriverWait(self._chrome, _WAIT_SECONDS).until(lambda _: any(text in found for found in self.texts(selector)))

    def complaints(self) -> list[str]:
        """What the browser refused or failed at, breaches of the page's own policy included."""
        logged = self._chrome.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in logged if entry["level"] == "SEVERE" and " 401 " not in entry["message"]]


@pytest.fixture
def page(store: str, chrome: Chrome) -> Iterator[Page]:  # noqa: ARG001 - a fixture needs another
    """Yields the page, over the local gateway with the handlers."""
    with Server(bind("127.0.0.1", 0), Gateway(Template(), static=docs_page).handle) as server:
        yield Page(chrome, f"http://127.0.0.1:{server.port}")


def test_an_operation_is_tried_with_a_pasted_token(page: Page, scenario: BoardScenario) -> None:
    assert page.execute("boards-listBoards") == "401"
    page.sign_in(str(scenario.personal_token(scenario.owner).bearer))
    page.click(f"{BOARDS} .execute")
    page.until_text(f"{BOARDS} .live-responses-table .highlight-code", scenario.board_id)
    assert page.find(f"{BOARDS} {STATUS}").text == "200"
    assert page.complaints() == []


def test_the_rules_are_explained_before_the_operations(page: Page) -> None:
    headings = page.texts(".info h2")
    for subject in ("Credentials", "Surfaces and envelopes", "Errors", "Paging", "Idempotency", "Rate limits"):
        assert subject in headings
    assert any("RESOURCE_NOT_FOUND" in row for row in page.texts(".info td"))


def test_operations_are_grouped_and_extensions_marked(page: Page) -> None:
    tags = {tag["name"] for tag in document()["tags"]}
    assert {text.split("\n")[0] for text in page.texts(".opblock-tag")} == tags
    operations = [
        operation for item in document()["paths"].values() for key, operation in item.items() if key != "parameters"
    ]
    extensions = sum(operation.get("x-extension", False) for operation in operations)
    assert page.texts(".extension-mark") == ["extension"] * extensions
    assert len(page.texts(".opblock")) == len(operations)
    assert page.complaints() == []
