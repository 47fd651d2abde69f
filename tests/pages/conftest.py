"""A browser for the tests of pages."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.harness.browser import browser


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    """A browser with a small window."""
    with browser(900, 900) as driver:
        yield driver
