"""The pages in a browser, and the service behind them, as a test uses them."""

import base64
import io
import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt
from pypdf import PdfReader
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from infra.stack import env_file

PACKAGES = Path(__file__).parent / "node_modules"
AXE = PACKAGES / "axe-core/axe.min.js"
_SESSION = "board-governance.session"


class Api:
    """A running service as its clients see it."""

    def __init__(self, state: Path) -> None:
        self.url = env_file.read(state / "env")["ROOT_URL"]
        self.state = state
        self.demo = json.loads((state / "demo.json").read_text())

    @property
    def board(self) -> str:
        """The board on which every demo user is."""
        return str(self.demo["boards"][0]["id"])

    def session(self, name: str) -> str:
        """Returns the session of a demo user."""
        return next(str(user["session"]) for user in self.demo["users"] if user["email"].startswith(f"{name}@"))

    def session_of(self, email: str) -> str:
        """Returns a session of somebody who is not a demo user, signed with the local secret."""
        environment = env_file.read(self.state / "env")
        now = int(time.time())
        claims = {"sub": email, "email": email, "iat": now, "exp": now + 3600}
        claims |= {"iss": environment["JWT_ISSUER"], "aud": environment["JWT_AUDIENCE"]}
        return jwt.encode(claims, environment["JWT_SECRET"], "HS256")

    def call(self, name: str, method: str, path: str, body: Any = None) -> Any:
        """Returns the body of the answer to a demo user's request; a token may stand in place of the name."""
        token = name if len(name) > 20 else self.session(name)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, headers, method=method)  # noqa: S310 - our own
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own address
            return json.loads(answer.read())

    def meeting(self, title: str, *starts: str, by: str = "olivia", **extra: Any) -> str:
        """Creates a meeting with proposed times and returns its address in the pages."""
        path = f"/api/v1/boards/{self.board}/meetings"
        made = self.call(by, "POST", path, {"title": title, "status": "scheduled", **extra})["data"]
        for start in starts:
            slot = {"startTime": start, "timezone": "Asia/Tokyo", "durationInMinutes": 60}
            self.call(by, "POST", f"{path}/{made['id']}/slots", slot)
        return f"/boards/{self.board}/meetings/{made['id']}"


class Page:
    """The pages in the browser, with what a person does there."""

    def __init__(self, chrome: Chrome, api: Api) -> None:
        self.chrome = chrome
        self.api = api

    def sign_in(self, name: str) -> None:
        """Signs in as a demo user, or with a token, without the form."""
        token = name if len(name) > 20 else self.api.session(name)
        self.chrome.get(f"{self.api.url}/app/config.json")
        held = json.dumps({"token": token})
        self.chrome.execute_script("sessionStorage.setItem(arguments[0], arguments[1])", _SESSION, held)

    def open(self, path: str) -> None:
        """Opens an address and waits until all of it is loaded."""
        self.chrome.get(self.api.url + path)
        self.settle()

    def settle(self) -> None:
        """Waits until a heading is shown, nothing is loading, and all that may be offered is."""
        script = """
            const heading = document.querySelector('main h1');
            const isShown = heading && getComputedStyle(heading).visibility === 'visible';
            return isShown && !document.querySelector('.loading, main[aria-busy=true]');"""
        self.until(lambda: self.chrome.execute_script(script))

    def until(self, holds: Callable[[], Any], seconds: float = 60) -> Any:
        """Waits until something holds; an element that is drawn anew meanwhile is looked at again."""
        wait = WebDriverWait(self.chrome, seconds, 0.05, [StaleElementReferenceException])
        return wait.until(lambda _: holds())

    def all(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """Waits until there is such an element, and returns it."""
        return self.until(lambda: self.all(selector))[0]  # type: ignore[no-any-return]

    def text(self, selector: str = "main") -> str:
        return str(self.chrome.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def sees(self, text: str, selector: str = "main") -> None:
        """Waits until a text can be read."""
        self.until(lambda: text in self.text(selector))

    def button(self, text: str, within: str = "body") -> WebElement:
        """Returns the visible button, link or summary of these words."""
        script = """
            const all = [...document.querySelectorAll(`${arguments[1]} :is(button, a, summary)`)];
            const words = (e) => (e.getAttribute('aria-label') ?? e.innerText).trim();
            return all.find((e) => words(e) === arguments[0] && e.checkVisibility());"""
        return self.until(lambda: self.chrome.execute_script(script, text, within))  # type: ignore[no-any-return]

    def click(self, text: str, within: str = "body") -> None:
        element = self.button(text, within)
        self.chrome.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def more(self, within: str = "main") -> None:
        """Opens the first closed menu within an element."""
        summary = self.until(lambda: self.all(f"{within} .menu:not([open]) > summary"))[0]
        self.chrome.execute_script("arguments[0].scrollIntoView({block: 'center'})", summary)
        summary.click()

    def fill(self, selector: str, text: str) -> None:
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def choose(self, selector: str, value: str) -> None:
        """Sets a field that is chosen rather than typed: a date, a choice."""
        script = """
            const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event('change', {bubbles: true}));"""
        self.chrome.execute_script(script, selector, value)

    def press(self, *keys: str) -> None:
        ActionChains(self.chrome).send_keys(*keys).perform()

    def width(self, pixels: int) -> None:
        size = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": pixels < 600}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def zone(self, name: str) -> None:
        self.chrome.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": name})

    def locale(self, name: str) -> None:
        self.chrome.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": name})

    def languages(self, wanted: str) -> None:
        """Sets the languages that the browser prefers, the first of them also for dates."""
        agent = self.chrome.execute_script("return navigator.userAgent")
        self.chrome.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": wanted})
        self.locale(wanted.split(",", maxsplit=1)[0])

    def scheme(self, *names: str) -> None:
        """Prefers light or dark."""
        features = [{"name": "prefers-color-scheme", "value": name} for name in names]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def log(self, name: str) -> list[dict[str, Any]]:
        return list(self.chrome.get_log(name))  # type: ignore[no-untyped-call]

    def errors(self) -> list[str]:
        """Returns what the console says, but the browser's own note on an answer of the API."""
        said = [entry["message"] for entry in self.log("browser")]
        return [line for line in said if "Failed to load resource" not in line]

    def block(self, *addresses: str) -> None:
        """Lets no request to these addresses through from now on."""
        self.chrome.execute_cdp_cmd("Network.enable", {})
        self.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(addresses)})

    def network(self) -> list[dict[str, Any]]:
        """Returns the browser's messages on the network since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [message for message in messages if message["method"].startswith("Network.")]

    def hosts(self) -> set[str]:
        sent = [message["params"] for message in self.network() if message["method"] == "Network.requestWillBeSent"]
        return {urlsplit(params["request"]["url"]).netloc for params in sent} - {""}

    def violations(self, *rules: str) -> list[str]:
        """Returns what axe-core finds serious or critical, by all of its rules or by these."""
        self.chrome.execute_script(AXE.read_text())
        script = """
            const [rules, done] = arguments;
            const options = rules.length ? {runOnly: rules} : {};
            axe.run(document, {resultTypes: ['violations'], ...options}).then(({violations}) => done(violations
              .filter(({impact}) => ['serious', 'critical'].includes(impact))
              .map(({id, nodes}) => `${id}: ${nodes[0].html}`)));"""
        return list(self.chrome.execute_async_script(script, rules))

    def printed(self) -> str:
        """Returns the text of the PDF that the browser prints the page as, with single blanks."""
        made = self.chrome.execute_cdp_cmd("Page.printToPDF", {})["data"]
        pages = PdfReader(io.BytesIO(base64.b64decode(made))).pages
        lines = "\n".join(page.extract_text() for page in pages).splitlines()
        return "\n".join(" ".join(line.split()) for line in lines)

    def overflow(self) -> int:
        """Returns by how much the page is too wide; not by `innerWidth`, which grows where a phone zooms out."""
        script = "const {scrollWidth, clientWidth} = document.documentElement; return scrollWidth - clientWidth"
        return int(self.chrome.execute_script(script))


@contextmanager
def visiting(chrome: Chrome, api: Api) -> Iterator[Page]:
    """Yields the pages as somebody finds them who was never there, and forgets afterwards who was."""
    page = Page(chrome, api)
    page.width(1280)
    page.zone("Europe/Paris")
    page.languages("en-GB,en")
    page.scheme()
    chrome.get("about:blank")
    page.log("browser")
    page.log("performance")
    yield page
    chrome.execute_cdp_cmd("Network.enable", {})
    chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    offline = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    chrome.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    chrome.get(f"{api.url}/app/config.json")
    chrome.execute_script("sessionStorage.clear(); localStorage.clear(); localStorage.clear()")


def soon(days: int) -> str:
    """Returns an instant at noon UTC, some days ahead."""
    return time.strftime("%Y-%m-%dT12:00:00Z", time.gmtime(time.time() + days * 86400))


def next_year() -> int:
    """Returns a year all of whose days are to come, for what depends on the day of the year."""
    return time.gmtime().tm_year + 1
