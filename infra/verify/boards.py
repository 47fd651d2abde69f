"""The checks that need a user: they create a board, and delete it again."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from infra.verify import papers
from infra.verify.site import Checks, Failed, Site, Skipped, expect

CHECKS = Checks()
_DELIVERY_SECONDS = 60
_MAIL_SIMULATOR = "success@simulator.amazonses.com"
"""Takes mails for nobody, even while the account is in the mail service's sandbox."""


@CHECKS.named("The token is accepted.")
def _token(site: Site) -> None:
    expect("the status", site.as_user("/api/v1/whoami").status, 200)


@CHECKS.named("A board can be created.")
def _board(site: Site) -> None:
    answer = site.as_user("/api/v1/boards", "POST", {"name": "Verification (may be deleted)"})
    expect("the status", answer.status, 201)
    site.board = answer.json()["data"]["id"]


@CHECKS.named("A repeated request with the same key happens once.")
def _idempotency(site: Site) -> None:
    path, key = f"{site.board_path()}/meetings", str(time.time_ns())
    body = {"title": "Verification", "status": "scheduled"}
    first, second = (site.as_user(path, "POST", body, idempotency_key=key) for _ in range(2))
    expect("the status", first.status, 201)
    expect("the repeated answer", second.body, first.body)
    expect("the number of meetings", len(site.as_user(path).json()["data"]), 1)


@CHECKS.named("An unchanged resource is a 304, although nothing of the API is kept by the CDN.")
def _unchanged(site: Site) -> None:
    etag = site.as_user(site.board_path()).headers.get("etag", "")
    expect("the status", site.as_user(site.board_path(), if_none_match=etag).status, 304)


@CHECKS.named("The audit log of the board has entries; how long that of an old board takes is not measured.")
def _audit(site: Site) -> None:
    site.board_path()
    answer = site.as_user(f"/api/auditlog/{site.board}?limit=100")
    expect("the status", answer.status, 200)
    expect("the log has entries", bool(answer.json()), True)


CHECKS.named("A file goes to the bucket by its form, and is downloaded as it was sent.")(papers.file_arrives)
CHECKS.named("The bucket refuses a file of another size, type or checksum.")(papers.others_are_refused)


@CHECKS.named("An invitation is mailed.")
def _mail(site: Site) -> None:
    site.board_path()
    invite = site.as_user(f"/api/invite/{site.board}", "POST", {"inviteeEmail": _MAIL_SIMULATOR})
    expect("the status", invite.status, 200, 201)
    expect("the status", site.as_user(f"/api/invite/{invite.json()['inviteId']}/send-email", "POST").status, 200)


@CHECKS.named("A webhook is called, and its signature is right.")
def _webhook(site: Site) -> None:
    hooks = f"{site.board_path()}/webhooks"
    receiver = None if site.is_secure else _Receiver()
    url = f"{site.url}/" if receiver is None else receiver.url
    made = site.as_user(hooks, "POST", {"url": url, "events": ["meeting.*"]})
    if made.status == 400 and receiver:
        raise Skipped("webhooks lead to no address of this machine unless WEBHOOK_ALLOW_LOOPBACK=1")
    expect("the status", made.status, 201)
    hook = made.json()["data"]
    expect("the status of a test", site.as_user(f"{hooks}/{hook['id']}/test", "POST").status, 200, 201, 202)
    attempts = _attempts(site, f"{hooks}/{hook['id']}/deliveries")
    if receiver is None:
        expect("the status that our own page answered with", attempts[0]["statusCode"], 404)
        raise Skipped("the webhook was called; the signature needs a receiver, which `make run` and the tests have")
    receiver.verify(hook["secret"])


def _attempts(site: Site, deliveries: str) -> list[dict[str, Any]]:
    end = time.monotonic() + _DELIVERY_SECONDS
    while time.monotonic() < end:
        for delivery in site.as_user(deliveries).json()["data"]:
            if delivery["attempts"]:
                attempts: list[dict[str, Any]] = delivery["attempts"]
                return attempts
        time.sleep(1)
    raise Failed(f"no delivery was attempted within {_DELIVERY_SECONDS} seconds")


class _Receiver:
    """A server on this machine that accepts one delivery."""

    def __init__(self) -> None:
        received: list[tuple[bytes, dict[str, str]]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
                """Does nothing: requests are not logged."""

        self._received = received
        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def verify(self, secret: str) -> None:
        """Stops the server and raises `Failed` unless what it received is signed with the secret."""
        self._server.shutdown()
        self._server.server_close()
        body, headers = self._received[0]
        try:
            Webhook(secret).verify(body, {name.lower(): value for name, value in headers.items()})
        except WebhookVerificationError as error:
            raise Failed(f"the signature: {error}") from None


@CHECKS.named("The board is deleted again.")
def _delete(site: Site) -> None:
    expect("the status", site.as_user(site.board_path(), "DELETE").status, 200, 204)
