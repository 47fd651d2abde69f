"""The checks of the API and of the endpoint of agents that need no user: what is refused, and what nobody keeps."""

from __future__ import annotations

from infra.verify.site import Checks, Site, Skipped, expect, expect_error, expect_part

CHECKS = Checks()


@CHECKS.named("The API refuses a request without a credential.")
def _no_credential(site: Site) -> None:
    expect_error(site.call("/api/v1/whoami"), 401, "UNAUTHENTICATED")


@CHECKS.named("The API refuses an invalid token.")
def _invalid(site: Site) -> None:
    expect_error(site.call("/api/v1/whoami", authorization="Bearer svc_pat_x"), 401, "INVALID_API_TOKEN")


@CHECKS.named("Notifications have their route with and without a slash.")
def _slash(site: Site) -> None:
    for path in ("/api/notification", "/api/notification/"):
        expect_error(site.call(path), 401, "UNAUTHENTICATED")


@CHECKS.named("An unknown path of the API is a 404 in the error envelope.")
def _unknown(site: Site) -> None:
    expect_error(site.call("/api/v1/nothing"), 404, "RESOURCE_NOT_FOUND")


@CHECKS.named("An encoded slash does not lead to another route.")
def _encoded(site: Site) -> None:
    expect_error(site.call("/api/v1%2Fwhoami"), 404, "RESOURCE_NOT_FOUND")


def _repeated(site: Site, path: str, status: int) -> None:
    for _ in range(2):
        answer = site.call(path)
        expect("the status", answer.status, status)
        expect("the age of an answer that must not be kept", answer.headers.get("age"), None)


@CHECKS.named("A 401, a 404 and a 405 are not kept by the CDN: a repeated one has no age.")
def _errors(site: Site) -> None:
    _repeated(site, "/api/v1/whoami", 401)
    _repeated(site, "/api/v1/nothing", 404)
    _repeated(site, "/api/v1/access/evaluation", 405)


@CHECKS.named("An answer that says 503 or another 5xx is not kept by the CDN.")
def _server_errors(site: Site) -> None:
    if not site.failures:
        raise Skipped("no request makes the service fail on purpose, and none of these checks met a failure")
    for path, first in list(site.failures):
        again = site.call(path)
        kept = again.status == first.status and "age" in again.headers
        expect(f"the answer of {path} is kept", kept, False)


@CHECKS.named("The CDN refuses a GET with a body before the API sees it.")
def _get_with_body(site: Site) -> None:
    answer = site.call("/api/v1/whoami", body={})
    expect("the status", answer.status, 403)
    expect_part("the content type", "text/html", answer.headers.get("content-type", ""))


@CHECKS.named("What the bucket does not publish cannot be read.")
def _private(site: Site) -> None:
    for path in ("/avatars/neutral.png", "/catalog/publications"):
        expect_error(site.call(path), 404, "RESOURCE_NOT_FOUND")


@CHECKS.named("No foreign page may call the API from a browser.")
def _foreign(site: Site) -> None:
    answer = site.call("/api/v1/whoami", origin="https://foreign.example")
    expect("the allowed origin", answer.headers.get("access-control-allow-origin"), None)


@CHECKS.named("The endpoint of agents refuses a request without a credential.")
def _agents(site: Site) -> None:
    expect("the status", site.call("/mcp", "POST", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status, 401)
