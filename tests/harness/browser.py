"""A browser for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests.harness.programs import program


@contextmanager
def browser(width: int, height: int) -> Iterator[Chrome]:
    """Runs Chromium without a window; it keeps what its console says and what it requests."""
    options = Options()
    options.binary_location = program("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options, Service(program("chromedriver")))
    driver.set_script_timeout(180)  # a script that asks for every link of a page waits long on a busy machine
    try:
        yield driver
    finally:
        driver.quit()
