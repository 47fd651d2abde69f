"""The invite page in a real browser, against the handlers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from governance.settings import settings
from infra.local.gateway import Gateway
from infra.local.invite_page import page as invite_page
from infra.local.server import Server, bind
from infra.stack.template import Template
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.outbox import Outbox, outbox

__all__ = ["outbox"]
pytestmark = pytest.mark.slow
UNKNOWN = "1f50599a-9fdd-476c-861a-b184c261b4f0"
NAME = "Räte & <b>Friends</b>"


@pytest.fixture
def site(store: str) -> Iterator[str]:  # noqa: ARG001 - a fixture needs another
    """Yields the address of the local gateway with the handlers."""
    with Server(bind("127.0.0.1", 0), Gateway(Template(), static=invite_page).handle) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def link(scenario: BoardScenario, outbox: Outbox) -> str:
    """Returns the path and query of the link that was mailed to ann."""
    scenario.owner.client.patch(scenario.path, {"name": NAME})
    invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ann@example.com"})
    scenario.owner.client.post(f"/api/invite/{invite.json['inviteId']}/send-email")
    code, token = outbox.link()
    return f"/invite/{code}?i={token}"


def _heading(chrome: Chrome, address: str) -> str:
    """Returns the heading of the page when it has loaded."""
    chrome.get(address)
    WebDriverWait(chrome, 20).until(lambda driver: not driver.find_element(By.ID, "loading").is_displayed())
    return _visible_heading(chrome)


def _visible_heading(chrome: Chrome) -> str:
    return next(h1.text for h1 in chrome.find_elements(By.TAG_NAME, "h1") if h1.is_displayed())


def _console_errors(chrome: Chrome) -> list[str]:
    log = chrome.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in log if "status of 404" not in entry["message"]]


def test_a_pending_invite_says_who_invites_to_what_board_and_how_to_accept(
    chrome: Chrome, site: str, link: str
) -> None:
    assert _heading(chrome, site + link) == f"Olivia Tester invites you to the board {NAME}"
    assert chrome.title == f"Olivia Tester invites you to the board {NAME} · Board Governance"
    code, token = link.removeprefix("/invite/").split("?i=")
    main = chrome.find_element(By.TAG_NAME, "main")
    assert code in main.text
    assert "How to accept" in main.text
    assert token not in str(chrome.find_element(By.TAG_NAME, "body").get_attribute("innerHTML"))
    assert chrome.find_elements(By.CSS_SELECTOR, "main b") == []
    assert _console_errors(chrome) == []


def test_following_the_instructions_of_the_page_makes_a_member(
    chrome: Chrome, site: str, link: str, scenario: BoardScenario
) -> None:
    _heading(chrome, site + link)
    code = chrome.find_element(By.ID, "code").text
    ann = person("ann")
    assert ann.client.put(f"/api/invite/join/{code}").status == 200
    assert ann.id in {member["userId"] for member in scenario.owner.client.all(f"{scenario.path}/members")}
    assert _heading(chrome, site + link) == "This invitation is no longer open"


@pytest.mark.parametrize("wrong", [f"/invite/{UNKNOWN}?i={UNKNOWN}", f"/invite/{UNKNOWN}", "/invite/nonsense?i=x"])
def test_every_invalid_link_shows_the_same_page_and_names_nobody(
    chrome: Chrome, site: str, link: str, wrong: str
) -> None:
    assert link
    assert _heading(chrome, site + wrong) == "This invitation is no longer open"
    assert chrome.find_element(By.ID, "board").get_attribute("textContent") == ""
    assert _console_errors(chrome) == []


def test_a_failure_of_the_service_is_no_closed_invite_and_can_be_retried(
    chrome: Chrome, site: str, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setenv("TABLE_NAME", "nowhere")
        settings.cache_clear()
        assert _heading(chrome, site + link) == "The invitation could not be loaded"
    settings.cache_clear()
    chrome.find_element(By.ID, "again").click()
    WebDriverWait(chrome, 20).until(lambda _: _visible_heading(chrome).startswith("Olivia Tester"))


def test_colours_follow_the_colour_scheme_and_keep_their_contrast(chrome: Chrome, site: str, link: str) -> None:
    seen = set()
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        _heading(chrome, site + link)
        sheet = chrome.find_element(By.CSS_SELECTOR, "#open")
        pair = (sheet.value_of_css_property("color"), sheet.value_of_css_property("background-color"))
        assert _contrast(*pair) >= 7
        seen.add(pair)
    assert len(seen) == 2


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
