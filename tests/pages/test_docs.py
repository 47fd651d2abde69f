"""The API reference in a real browser, under the policy that the CDN sends."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from infra.local.docs import page as docs
from infra.local.gateway import Gateway
from infra.local.server import Server, bind
from infra.stack.template import Template

pytestmark = pytest.mark.slow
OPERATION = ".opblock-summary-control"
RESPONSES = ".opblock-body .responses-table"


@pytest.fixture
def chrome() -> Iterator[Chrome]:
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def site() -> Iterator[str]:
    with Server(bind("127.0.0.1", 0), Gateway(Template(), static=docs).handle) as server:
        yield f"http://127.0.0.1:{server.port}"


def test_the_reference_works_under_the_strict_policy(chrome: Chrome, site: str) -> None:
    chrome.get(f"{site}/docs")
    WebDriverWait(chrome, 60).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, OPERATION))
    chrome.execute_script("document.querySelector(arguments[0]).click()", OPERATION)
    WebDriverWait(chrome, 60).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, RESPONSES))
    assert chrome.get_log("browser") == []  # type: ignore[no-untyped-call]
