"""A browser for the tests of pages."""

import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def program(name: str) -> str:
    """Returns the path of an installed program."""
    found = shutil.which(name)
    assert found, f"the page is tested in a browser: install {name} (Debian: apt-get install chromium chromium-driver)"
    return found


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    """Yields a browser that keeps what its console says."""
    options = Options()
    options.binary_location = program("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=900,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, Service(program("chromedriver")))
    yield driver
    driver.quit()
