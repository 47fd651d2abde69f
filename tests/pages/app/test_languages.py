"""The pages in the language of their reader: of the account, otherwise of the browser."""

from collections.abc import Iterator

import pytest

from tests.pages.app.browser import Api, Page

pytestmark = pytest.mark.slow


@pytest.fixture
def german(page: Page) -> Iterator[Page]:
    """A browser whose first language is German."""
    page.languages("de-DE,de,en")
    yield page
    page.languages("en-GB,en")


def test_a_visitor_reads_the_pages_in_the_language_of_the_browser(german: Page) -> None:
    german.open("/")
    german.sees("Ihre Gremienarbeit an einem Ort")
    assert german.one("html").get_attribute("lang") == "de"
    assert "Über den Dienst" in german.text("footer")
    german.one(".tools button").click()
    german.sees("Einladung: Frühjahrssitzung")


def test_an_account_has_a_language_that_comes_before_the_browsers(page: Page, api: Api) -> None:
    page.sign_in("colin")
    api.call("colin", "PATCH", "/api/v1/me", {"language": "de"})
    page.open("/app/account")
    page.sees("Ihr Konto")
    assert page.one("html").get_attribute("lang") == "de"
    page.choose("#f-language", "en")
    page.click("Speichern")
    page.sees("Your account")
    assert page.one("html").get_attribute("lang") == "en"
    page.choose("#f-language", "")
    page.click("Save")
    page.until(lambda: api.call("colin", "GET", "/api/v1/me")["data"]["language"] is None)


def test_a_problem_is_said_in_the_language_of_the_reader(german: Page) -> None:
    german.open("/app/sign-in")
    german.click("Zugriffstoken verwenden")
    german.fill("#token", "wrong")
    german.click("Mit diesem Token anmelden")
    german.sees("Dieses Token ist ungültig")
