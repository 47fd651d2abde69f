"""Signing in with a real OpenID Connect provider: code, PKCE, state, nonce, refresh and sign-out."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver import Chrome

from infra.local.engine import free_port
from tests.harness import local_run
from tests.harness.programs import packages, program
from tests.pages.app.browser import Api, Page, visiting

pytestmark = pytest.mark.slow
PROVIDER = Path(__file__).with_name("provider.mjs")
ADDRESS = "petra@example.com"
REFUSED = """
    window.real = window.fetch;
    const isOfApi = (address) => String(address).startsWith('/api/');
    const refused = () => new Response('{}', {status: 401});
    window.fetch = async (...args) => (isOfApi(args[0]) ? refused() : window.real(...args));"""
HELD = "return JSON.parse(localStorage.getItem('board-governance.session'))"


class Provider:
    """A running provider, and what the pages asked it for."""

    def __init__(self, port: int, origin: str) -> None:
        packages(PROVIDER.parent)
        self.issuer = f"http://127.0.0.1:{port}"
        command = [program("node"), str(PROVIDER), str(port), origin, "3600"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == "ready"

    def stop(self) -> list[dict[str, str]]:
        """Ends it; returns the requests that it has answered."""
        self.process.terminate()
        said, _ = self.process.communicate(timeout=20)
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Api, Provider]]:
    """A service whose sessions are the ID tokens of a provider."""
    port = free_port()
    issuer = f"http://127.0.0.1:{port}"
    keys = {"JWKS_URL": f"{issuer}/jwks", "JWT_ALGORITHMS": "RS256", "JWT_ISSUER": issuer, "JWT_AUDIENCE": "pages"}
    run = local_run.start_seeded(tmp_path_factory, OIDC_ISSUER=issuer, OIDC_CLIENT_ID="pages", **keys)
    api = Api(run.state)
    provider = Provider(port, api.url)
    yield api, provider
    requests = provider.stop()
    local_run.stop(run)
    assert not [request["url"] for request in requests if "eyJ" in request["url"]], "a token stood in an address"


@pytest.fixture
def visitor(chrome: Chrome, signed: tuple[Api, Provider]) -> Iterator[Page]:
    with visiting(chrome, signed[0]) as page:
        chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
        yield page


def authenticate(page: Page) -> None:
    """Answers the provider's questions: who it is, and whether the pages may know."""
    page.until(lambda: page.all("[name=login]"))
    page.one("[name=login]").send_keys(ADDRESS)
    page.one("[name=password]").send_keys("any")
    page.one("button[type=submit]").click()
    page.until(lambda: not page.all("[name=login]") and page.all("button[type=submit]"))
    page.one("button[type=submit]").click()


def sign_in(page: Page) -> None:
    page.open("/app/account")
    page.click("Sign in", "main")
    authenticate(page)
    page.until(lambda: page.text("h1") == "Your account")
    page.settle()


def test_signing_in_leads_back_to_where_one_wanted_to_go(visitor: Page) -> None:
    visitor.open("/app/account")
    assert visitor.text("h1") == "Sign in"
    visitor.network()
    visitor.click("Sign in", "main")
    authenticate(visitor)
    visitor.until(lambda: visitor.text("h1") == "Your account")
    visitor.sees(ADDRESS)
    visitor.settle()
    assert visitor.one("#f-firstName").get_attribute("value") == "Petra"
    assert urlsplit(visitor.chrome.current_url).query == ""
    sent = [event["params"]["request"] for event in visitor.network() if event["method"] == "Network.requestWillBeSent"]
    (asked,) = [parse_qs(urlsplit(request["url"]).query) for request in sent if "/auth?" in request["url"]]
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["response_type"] == ["code"]
    assert len(asked["state"][0]) >= 32
    assert len(asked["nonce"][0]) >= 32
    (exchanged,) = [
        parse_qs(request["postData"]) for request in sent if request["url"].endswith("/token") and "postData" in request
    ]
    assert exchanged["grant_type"] == ["authorization_code"]
    assert len(exchanged["code_verifier"][0]) >= 43
    assert not any("eyJ" in request["url"] for request in sent)
    assert [line for line in visitor.errors() if line.startswith(visitor.api.url)] == []


def test_an_ended_session_is_renewed_without_a_word(visitor: Page) -> None:
    sign_in(visitor)
    before = visitor.chrome.execute_script(HELD)
    ended = {**before, "token": before["token"][:-8] + "AAAAAAAA"}
    visitor.chrome.execute_script("localStorage.setItem('board-governance.session', arguments[0])", json.dumps(ended))
    visitor.open("/app/account")
    visitor.sees(ADDRESS)
    after = visitor.chrome.execute_script(HELD)
    assert after["token"] != ended["token"]
    assert after["refreshToken"] != before["refreshToken"]


def test_a_session_that_ended_in_the_middle_is_renewed_in_a_window_of_its_own(visitor: Page) -> None:
    api = visitor.api
    sign_in(visitor)
    person = visitor.chrome.execute_script(HELD)["token"]
    board = api.call(person, "POST", "/api/v1/boards", {"name": "Own board"})["data"]["id"]
    visitor.open(f"/boards/{board}/meetings")
    visitor.click("New meeting")
    visitor.fill("#f-title", "Half written")
    visitor.chrome.execute_script(REFUSED)
    visitor.click("Create the meeting")
    visitor.sees("Your sign-in has ended.")
    visitor.chrome.execute_script("window.fetch = window.real")
    visitor.chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    page = visitor.chrome.current_window_handle
    visitor.click("Sign in again")
    visitor.click("Sign in", "dialog")
    popup = visitor.until(lambda: next((handle for handle in visitor.chrome.window_handles if handle != page), None))
    visitor.chrome.switch_to.window(popup)
    authenticate(visitor)
    visitor.until(lambda: visitor.chrome.window_handles == [page])
    visitor.chrome.switch_to.window(page)
    visitor.until(lambda: not visitor.one("dialog").is_displayed())
    assert visitor.one("#f-title").get_attribute("value") == "Half written"
    assert visitor.chrome.execute_script(HELD)["token"] != person
    visitor.click("Try again")
    visitor.until(lambda: visitor.text("h1") == "Half written")


def test_signing_out_ends_the_session_here_and_at_the_provider(visitor: Page) -> None:
    sign_in(visitor)
    visitor.click("Sign out")
    visitor.until(lambda: "/session/end" in visitor.chrome.current_url)
    visitor.one("button[value=yes], [name=logout]").click()
    visitor.until(lambda: visitor.chrome.current_url.rstrip("/") == visitor.api.url)
    assert visitor.chrome.execute_script(HELD) is None
    visitor.open("/app/account")
    visitor.click("Sign in", "main")
    visitor.until(lambda: visitor.all("[name=login]"))
