"""`make pictures`: takes the pictures of the README with Chromium, the voting grid and a dashboard, light and dark."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from infra.local.engine import free_port
from infra.stack.template import ROOT

FOLDER = ROOT / "infra/pages"
_WIDTH, _HEIGHT, _QUALITY = 1040, 2400, 82
_SESSION = "board-governance.session"
_LOADED = "return document.querySelector('main h1') && !document.querySelector('.loading')"
_DRAWN = "return [...document.querySelectorAll('.plot')].every((plot) => plot.querySelector('canvas'))"
_BOX = """
    const part = document.querySelector(arguments[0]).getBoundingClientRect();
    return {x: part.x - 12, y: part.y - 12, width: part.width + 24, height: part.height + 24, scale: 1};"""


@contextmanager
def service(state: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Runs the service with fresh demo data; yields its address and the demo's ids and credentials."""
    port = free_port()
    environment = os.environ | {"PORT": str(port), "LOCAL_STATE": str(state)}
    command = [sys.executable, "-m", "infra.local.run"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - ours
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            if not any(line.startswith("Documentation") for line in process.stdout):
                raise SystemExit("the service did not start")
            yield f"http://127.0.0.1:{port}", json.loads((state / "demo.json").read_text(encoding="utf-8"))
        finally:
            process.terminate()


@contextmanager
def browser() -> Iterator[Chrome]:
    """Runs Chromium without a window."""
    options = Options()
    options.binary_location = _program("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    driver = Chrome(options, Service(_program("chromedriver")))
    driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Paris"})
    driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": "en-GB"})
    size = {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield driver
    finally:
        driver.quit()


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise SystemExit(f"The pictures need {name} (Debian: apt-get install chromium chromium-driver).")
    return program


def picture(driver: Chrome, address: str, part: str) -> bytes:
    """Returns a picture of a part of a page, in WebP."""
    driver.get(address)
    WebDriverWait(driver, 20).until(lambda shown: shown.execute_script(_LOADED) and shown.execute_script(_DRAWN))
    clip = driver.execute_script(_BOX, part)
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY, "clip": clip})
    return base64.b64decode(taken["data"])


def first(url: str, session: str, path: str, **wanted: Any) -> str:
    """Returns the id of the first resource of a list whose fields are as wanted."""
    request = urllib.request.Request(f"{url}/api/v1{path}", headers={"Authorization": f"Bearer {session}"})  # noqa: S310 - ours
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own child
        resources = json.loads(answer.read())["data"]
    return next(str(resource["id"]) for resource in resources if wanted.items() <= resource.items())


def main() -> None:
    """Takes each picture in light and in dark, and prints their sizes."""
    with tempfile.TemporaryDirectory() as state, service(Path(state)) as (url, demo), browser() as driver:
        board, session = f"/boards/{demo['boards'][0]['id']}", demo["users"][0]["session"]
        meeting = first(url, session, f"{board}/meetings", status="scheduled", startTime=None)
        report = first(url, session, f"{board}/reports", status="published")
        driver.get(f"{url}/app/config.json")
        driver.execute_script("sessionStorage.setItem(...arguments)", _SESSION, json.dumps({"token": session}))
        for name, path, part in (
            ("voting-grid", f"{board}/meetings/{meeting}", "#times"),
            ("dashboard", f"{board}/reports/{report}", ".dashboard"),
        ):
            for scheme, suffix in (("light", ""), ("dark", "-dark")):
                media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
                file = FOLDER / f"{name}{suffix}.webp"
                file.write_bytes(picture(driver, url + path, part))
                print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
