"""The pages in a real browser, against a running `make run`. PAGES_STATE names the folder of one that is already up."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.harness import local_run
from tests.harness.browser import browser
from tests.harness.programs import ROOT, packages
from tests.pages.app.browser import Api, Page, visiting
from tests.pages.app.failing_requests import FAULTS

ENVIRONMENT = {
    "RATE_LIMIT_ADDRESS": "100000",
    "RATE_LIMIT_FLOOD": "100000",
    "RATE_LIMIT_PRINCIPAL": "100000",
    "WEBHOOK_ALLOW_LOOPBACK": "1",
}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A service for one module: its users are told of all meetings, and get so many mails an hour."""
    if given := os.environ.get("PAGES_STATE"):
        yield Api(Path(given))
        return
    run = local_run.start_seeded(tmp_path_factory, **ENVIRONMENT)
    yield Api(run.state)
    local_run.stop(run)


@pytest.fixture(scope="session")
def chrome() -> Iterator[Chrome]:
    """A browser for all tests of the app."""
    packages(ROOT / "infra/pages/app")
    packages(ROOT / "tests/pages/app")
    with browser(1280, 1000) as driver:
        yield driver


@pytest.fixture
def page(chrome: Chrome, api: Api) -> Iterator[Page]:
    with visiting(chrome, api) as page:
        yield page


@pytest.fixture
def faults(page: Page) -> Iterator[None]:
    """Lets `fault` decide how the next requests of the page are answered."""
    added = page.chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAULTS})
    yield
    page.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
