"""The checks of `make verify`, by the sentences that they print. Each raises `Failed` or `Skipped`."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from standardwebhooks import Webhook, WebhookVerificationError

from infra.verify import papers
from infra.verify.site import Answer, Failed, Site, Skipped, expect, expect_part

Check = Callable[[Site], None]

_CATALOG = "/api/ontology"
_LASTING = 31_536_000
_DELIVERY_SECONDS = 60
_MAIL_SIMULATOR = "success@simulator.amazonses.com"
"""Takes mails for nobody, even while the account is in the mail service's sandbox."""
CHECKS: dict[str, Check] = {}
PROVIDER_ANSWERS = "The provider of sign-ins answers and names itself."


def _check(sentence: str) -> Callable[[Check], Check]:
    def keep(check: Check) -> Check:
        CHECKS[sentence] = check
        return check

    return keep


def _expect_error(answer: Answer, status: int, code: str) -> None:
    expect("the status", answer.status, status)
    expect("the error's code", answer.json().get("error", {}).get("code"), code)


def _max_age(answer: Answer) -> int:
    found = re.search(r"(?<!s-)max-?age=(\d+)", answer.headers.get("cache-control", ""))
    return int(found[1]) if found else 0


@_check("The start page is served.")
def _start(site: Site) -> None:
    answer = site.call("/")
    expect("the status", answer.status, 200)
    expect_part("the content type", "text/html", answer.headers.get("content-type", ""))


@_check("Every view has the same page: boards, guest links, invitation links.")
def _views(site: Site) -> None:
    page = site.call("/").body
    for path in ("/boards", "/boards/x/meetings", "/guest/x", "/invite/x", "/unsubscribe/x", "/app/callback"):
        expect(f"the page at {path}", site.call(path).body == page, True)


@_check("The scripts that the page names are served and may be kept for a year.")
def _scripts(site: Site) -> None:
    named = re.findall(r'(?:src|href)="(/app/[^"]+\.js)"', site.call("/").body.decode())
    expect("the page names scripts", bool(named), True)
    for path in named:
        answer = site.call(path)
        expect(f"the status of {path}", answer.status, 200)
        expect(f"the cache time of {path}", _max_age(answer), _LASTING)


@_check("Pages forbid framing, foreign scripts and guessed types, and tell no address.")
def _page_headers(site: Site) -> None:
    for path in ("/", "/docs", f"{_CATALOG}/browse/"):
        headers = site.call(path).headers
        expect_part(f"the policy of {path}", "default-src 'none'", headers.get("content-security-policy", ""))
        expect("X-Frame-Options", headers.get("x-frame-options"), "DENY")
        expect("X-Content-Type-Options", headers.get("x-content-type-options"), "nosniff")
        expect("Referrer-Policy", headers.get("referrer-policy"), "no-referrer")
        expect_part("Permissions-Policy", "camera=()", headers.get("permissions-policy", ""))


@_check("Every origin's answers ask for HTTPS.")
def _https(site: Site) -> None:
    for path in ("/", "/docs", _CATALOG, "/api/v1/whoami"):
        expect_part(f"the header of {path}", "max-age=", site.call(path).headers.get("strict-transport-security", ""))


@_check("An unknown address of a page is a 404 in the error envelope.")
def _unknown_page(site: Site) -> None:
    for path in ("/app/nothing", "/docs/nothing", f"{_CATALOG}/nothing.json"):
        _expect_error(site.call(path), 404, "RESOURCE_NOT_FOUND")


@_check("The API reference and its document are served.")
def _reference(site: Site) -> None:
    expect("the status of /docs", site.call("/docs").status, 200)
    expect("the version of OpenAPI", site.call("/openapi.json").json()["openapi"], "3.1.0")


def _provider(site: Site) -> dict[str, str]:
    found: dict[str, Any] = site.call("/app/config.json").json()
    if found["oidc"] is None and found["demo"]:
        raise Skipped("demo users sign in with one click")
    if found["oidc"] is None:
        raise Failed("no provider is configured: set OidcIssuer and OidcClientId, or UserPool=yes")
    provider: dict[str, str] = found["oidc"]
    return provider


@_check("The pages know who signs people in.")
def _sign_in(site: Site) -> None:
    provider = _provider(site)
    expect("the issuer and the client are named", bool(provider["issuer"] and provider["clientId"]), True)


@_check(PROVIDER_ANSWERS)
def _discovery(site: Site) -> None:
    issuer = _provider(site)["issuer"].rstrip("/")
    path = f"{urlsplit(issuer).path}/.well-known/openid-configuration"
    expect("the issuer", str(Site(issuer).call(path).json().get("issuer")).rstrip("/"), issuer)


@_check("The pages may connect to the provider of sign-ins.")
def _may_connect(site: Site) -> None:
    origin = "https://" + urlsplit(_provider(site)["issuer"]).netloc
    expect_part("the page's policy", origin, site.call("/").headers.get("content-security-policy", ""))


@_check("The API refuses a request without a credential.")
def _no_credential(site: Site) -> None:
    _expect_error(site.call("/api/v1/whoami"), 401, "UNAUTHENTICATED")


@_check("The API refuses an invalid token.")
def _invalid(site: Site) -> None:
    _expect_error(site.call("/api/v1/whoami", authorization="Bearer svc_pat_x"), 401, "INVALID_API_TOKEN")


@_check("Notifications have their route with and without a slash.")
def _slash(site: Site) -> None:
    for path in ("/api/notification", "/api/notification/"):
        _expect_error(site.call(path), 401, "UNAUTHENTICATED")


@_check("An unknown path of the API is a 404 in the error envelope.")
def _unknown(site: Site) -> None:
    _expect_error(site.call("/api/v1/nothing"), 404, "RESOURCE_NOT_FOUND")


@_check("An encoded slash does not lead to another route.")
def _encoded(site: Site) -> None:
    _expect_error(site.call("/api/v1%2Fwhoami"), 404, "RESOURCE_NOT_FOUND")


def _repeated(site: Site, path: str, status: int) -> None:
    for _ in range(2):
        answer = site.call(path)
        expect("the status", answer.status, status)
        expect("the age of an answer that must not be kept", answer.headers.get("age"), None)


@_check("A 401, a 404 and a 405 are not kept by the CDN: a repeated one has no age.")
def _errors(site: Site) -> None:
    _repeated(site, "/api/v1/whoami", 401)
    _repeated(site, "/api/v1/nothing", 404)
    _repeated(site, "/api/v1/access/evaluation", 405)


@_check("An answer that says 503 or another 5xx is not kept by the CDN.")
def _server_errors(site: Site) -> None:
    if not site.failures:
        raise Skipped("no request makes the service fail on purpose, and none of these checks met a failure")
    for path, first in list(site.failures):
        again = site.call(path)
        kept = again.status == first.status and "age" in again.headers
        expect(f"the answer of {path} is kept", kept, False)


@_check("The CDN refuses a GET with a body before the API sees it.")
def _get_with_body(site: Site) -> None:
    answer = site.call("/api/v1/whoami", body={})
    expect("the status", answer.status, 403)
    expect_part("the content type", "text/html", answer.headers.get("content-type", ""))


@_check("What the bucket does not publish cannot be read.")
def _private(site: Site) -> None:
    for path in ("/avatars/neutral.png", "/catalog/publications"):
        _expect_error(site.call(path), 404, "RESOURCE_NOT_FOUND")


@_check("No foreign page may call the API from a browser.")
def _foreign(site: Site) -> None:
    answer = site.call("/api/v1/whoami", origin="https://foreign.example")
    expect("the allowed origin", answer.headers.get("access-control-allow-origin"), None)


@_check("The catalog is served and may be kept for five minutes.")
def _catalog(site: Site) -> None:
    answer = site.call(_CATALOG)
    expect("the status", answer.status, 200)
    expect("the number of definitions is not 0", bool(answer.json()["kpis"]), True)
    expect("the cache time", _max_age(answer), 300)


@_check("A version of the catalog may be kept for a year.")
def _version(site: Site) -> None:
    version = site.call(_CATALOG).json()["version"]
    expect("the cache time", _max_age(site.call(f"{_CATALOG}/v/{version}")), _LASTING)


@_check("An unchanged catalog is a 304, and a part of it a 206.")
def _conditional(site: Site) -> None:
    etag = site.call(_CATALOG).headers.get("etag", "")
    expect("the catalog's tag is strong", etag.startswith('"'), True)
    expect("the status", site.call(_CATALOG, if_none_match=etag).status, 304)
    expect("the status of a part", site.call(_CATALOG, range="bytes=0-9").status, 206)


@_check("The catalog is compressed for clients that accept it.")
def _compressed(site: Site) -> None:
    for accepted in ("br", "gzip"):
        headers = site.call(_CATALOG, accept_encoding=accepted).headers
        expect("the encoding", headers.get("content-encoding"), accepted)
        expect_part("Vary", "accept-encoding", headers.get("vary", "").lower())


@_check("Every page on the web may read the catalog.")
def _catalog_cors(site: Site) -> None:
    origin = {"origin": "https://foreign.example"}
    expect("the origin", site.call(_CATALOG, **origin).headers.get("access-control-allow-origin"), "*")
    preflight = site.call(_CATALOG, "OPTIONS", **origin, access_control_request_method="GET")
    expect("the status of a preflight", preflight.status, 200, 204)
    expect_part("the allowed methods", "GET", preflight.headers.get("access-control-allow-methods", ""))


@_check("The catalog takes no change.")
def _catalog_methods(site: Site) -> None:
    _expect_error(site.call(_CATALOG, "DELETE"), 405, "METHOD_NOT_ALLOWED")


@_check("The endpoint of agents refuses a request without a credential.")
def _agents(site: Site) -> None:
    expect("the status", site.call("/mcp", "POST", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status, 401)


@_check("The token is accepted.")
def _token(site: Site) -> None:
    expect("the status", site.as_user("/api/v1/whoami").status, 200)


@_check("A board can be created.")
def _board(site: Site) -> None:
    answer = site.as_user("/api/v1/boards", "POST", {"name": "Verification (may be deleted)"})
    expect("the status", answer.status, 201)
    site.board = answer.json()["data"]["id"]


@_check("A repeated request with the same key happens once.")
def _idempotency(site: Site) -> None:
    path, key = f"{site.board_path()}/meetings", str(time.time_ns())
    body = {"title": "Verification", "status": "scheduled"}
    first, second = (site.as_user(path, "POST", body, idempotency_key=key) for _ in range(2))
    expect("the status", first.status, 201)
    expect("the repeated answer", second.body, first.body)
    expect("the number of meetings", len(site.as_user(path).json()["data"]), 1)


@_check("An unchanged resource is a 304, although nothing of the API is kept by the CDN.")
def _unchanged(site: Site) -> None:
    etag = site.as_user(site.board_path()).headers.get("etag", "")
    expect("the status", site.as_user(site.board_path(), if_none_match=etag).status, 304)


@_check("The audit log of the board has entries; how long that of an old board takes is not measured.")
def _audit(site: Site) -> None:
    site.board_path()
    answer = site.as_user(f"/api/auditlog/{site.board}?limit=100")
    expect("the status", answer.status, 200)
    expect("the log has entries", bool(answer.json()), True)


_check("A file goes to the bucket by its form, and is downloaded as it was sent.")(papers.file_arrives)
_check("The bucket refuses a file of another size, type or checksum.")(papers.others_are_refused)


@_check("An invitation is mailed.")
def _mail(site: Site) -> None:
    site.board_path()
    invite = site.as_user(f"/api/invite/{site.board}", "POST", {"inviteeEmail": _MAIL_SIMULATOR})
    expect("the status", invite.status, 200, 201)
    expect("the status", site.as_user(f"/api/invite/{invite.json()['inviteId']}/send-email", "POST").status, 200)


@_check("A webhook is called, and its signature is right.")
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
                found: list[dict[str, Any]] = delivery["attempts"]
                return found
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


@_check("The board is deleted again.")
def _delete(site: Site) -> None:
    expect("the status", site.as_user(site.board_path(), "DELETE").status, 200, 204)


def verify(site: Site, without: Mapping[str, str] = MappingProxyType({})) -> int:
    """Runs the checks, prints a line for each, and returns the number of those that failed.

    `without` gives the reasons why some checks make no sense, by their sentences.
    """
    counts = {"ok": 0, "skipped": 0, "FAILED": 0}
    for sentence, check in CHECKS.items():
        outcome, reason = "ok", ""
        try:
            if sentence in without:
                raise Skipped(without[sentence])
            check(site)
        except Skipped as skipped:
            outcome, reason = "skipped", f" ({skipped})"
        except Failed as failed:
            outcome, reason = "FAILED", f" ({failed})"
        counts[outcome] += 1
        print(f"{outcome:8}{sentence}{reason}", flush=True)
    print(f"{counts['ok']} checks passed, {counts['skipped']} skipped, {counts['FAILED']} failed.")
    return counts["FAILED"]
