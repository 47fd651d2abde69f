"""The receivers on the page for developers: they run, accept what the service sends, and refuse what is forged."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from governance.domain.webhooks import webhook as webhook_rules
from governance.domain.webhooks import webhook_delivery
from governance.ids import BoardId
from governance.instants import Instant, now, shift
from governance.models.history.event import Event
from governance.models.webhooks.webhook import StoredDelivery
from infra.local.engine import free_port
from infra.openapi.site import site
from tests.harness.programs import packages
from tests.harness.programs import program as find_program

pytestmark = pytest.mark.slow
PAGE = site()["/docs/webhooks.html"].body.decode()


def program(language: str) -> str:
    """Returns the program of the page in a language."""
    (content,) = re.findall(rf'<pre id="{language}" tabindex="0">(.*?)</pre>', PAGE, re.DOTALL)
    return html.unescape(content) + "\n"


@contextmanager
def running(language: str, folder: Path, secret: str) -> Iterator[int]:
    """Runs the program of the page; yields its port."""
    if language == "python":
        file = folder / "receiver.py"
        command = [sys.executable, str(file)]
    else:
        file = folder / "receiver.mjs"
        command = [find_program("node"), str(file)]
        (folder / "node_modules").symlink_to(packages(Path(__file__).parent))
    file.write_text(program(language), encoding="utf-8")
    port = free_port()
    environment = {"PATH": os.environ["PATH"], "WEBHOOK_SECRET": secret, "PORT": str(port)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own page
    try:
        yield port
    finally:
        process.kill()
        process.communicate()


DELIVERY = StoredDelivery(
    id="1" * 24,
    board_id=BoardId("2" * 24),
    webhook_id="3" * 24,
    event_id="4" * 24,
    type=Event.MEETING_CREATED,
    refs={"meetingId": "5" * 24},
    occurred_at=now(),
    due_at=now(),
    created_at=now(),
)


def send(port: int, secrets: list[str], *, at: Instant | None = None, content: bytes | None = None) -> int:
    """Sends the delivery as the service does, or with another content than was signed; returns the status."""
    signed = webhook_delivery.body(DELIVERY)
    keys = [webhook_rules.secret_key(secret) for secret in secrets]
    headers = dict(webhook_delivery.headers(DELIVERY, signed, keys, at or now()))
    request = urllib.request.Request(f"http://127.0.0.1:{port}/hook", content or signed, headers)
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - ours
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError:
            assert time.monotonic() < end, "the receiver does not start"
            time.sleep(0.05)


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_receiver_takes_what_is_ours_and_refuses_what_is_not(language: str, tmp_path: Path) -> None:
    secret, old, foreign = webhook_rules.mint_secret(), webhook_rules.mint_secret(), webhook_rules.mint_secret()
    with running(language, tmp_path, secret) as port:
        assert send(port, [secret]) == 204
        assert send(port, [secret]) == 204  # a repeat
        assert send(port, [old, secret]) == 204  # after a rotation
        assert send(port, [secret, old]) == 204
        assert send(port, [foreign]) == 400
        assert send(port, [secret], content=b'{"type":"meeting.deleted"}') == 400
        assert send(port, [secret], content=b"\xff") == 400
        assert send(port, [secret], at=shift(now(), minutes=-10)) == 400
        assert send(port, [secret], at=shift(now(), minutes=10)) == 400
