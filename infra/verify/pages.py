"""The checks of the pages, and of who signs people in."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from infra.verify.site import (
    CATALOG,
    LASTING,
    Checks,
    Failed,
    Site,
    Skipped,
    expect,
    expect_error,
    expect_part,
    max_age,
)

CHECKS = Checks()
PROVIDER_ANSWERS = "The provider of sign-ins answers and names itself."


@CHECKS.named("The start page is served.")
def _start(site: Site) -> None:
    answer = site.call("/")
    expect("the status", answer.status, 200)
    expect_part("the content type", "text/html", answer.headers.get("content-type", ""))


@CHECKS.named("Every view has the same page: boards, and the links of mails.")
def _views(site: Site) -> None:
    page = site.call("/").body
    links = ("/guest/x", "/invite/x", "/paper/x", "/unsubscribe/x")
    for path in ("/boards", "/boards/x/meetings", *links, "/app/callback"):
        expect(f"the page at {path}", site.call(path).body == page, True)


@CHECKS.named("The scripts that the page names are served and may be kept for a year.")
def _scripts(site: Site) -> None:
    named = re.findall(r'(?:src|href)="(/app/[^"]+\.js)"', site.call("/").body.decode())
    expect("the page names scripts", bool(named), True)
    for path in named:
        answer = site.call(path)
        expect(f"the status of {path}", answer.status, 200)
        expect(f"the cache time of {path}", max_age(answer), LASTING)


@CHECKS.named("Pages forbid framing, foreign scripts and guessed types, and tell no address.")
def _page_headers(site: Site) -> None:
    for path in ("/", "/docs", f"{CATALOG}/browse/"):
        headers = site.call(path).headers
        expect_part(f"the policy of {path}", "default-src 'none'", headers.get("content-security-policy", ""))
        expect("X-Frame-Options", headers.get("x-frame-options"), "DENY")
        expect("X-Content-Type-Options", headers.get("x-content-type-options"), "nosniff")
        expect("Referrer-Policy", headers.get("referrer-policy"), "no-referrer")
        expect_part("Permissions-Policy", "camera=()", headers.get("permissions-policy", ""))


@CHECKS.named("Every origin's answers ask for HTTPS.")
def _https(site: Site) -> None:
    for path in ("/", "/docs", CATALOG, "/api/v1/whoami"):
        expect_part(f"the header of {path}", "max-age=", site.call(path).headers.get("strict-transport-security", ""))


@CHECKS.named("An unknown address of a page is a 404 in the error envelope.")
def _unknown_page(site: Site) -> None:
    for path in ("/app/nothing", "/docs/nothing", f"{CATALOG}/nothing.json"):
        expect_error(site.call(path), 404, "RESOURCE_NOT_FOUND")


@CHECKS.named("The API reference is served, and the documents of the API, the live channel and the workflows.")
def _reference(site: Site) -> None:
    expect("the status of /docs", site.call("/docs").status, 200)
    expect("the version of OpenAPI", site.call("/openapi.json").json()["openapi"], "3.1.0")
    expect("the version of AsyncAPI", site.call("/asyncapi.json").json()["asyncapi"], "3.0.0")
    expect("the version of Arazzo", site.call("/arazzo/first-board.arazzo.json").json()["arazzo"], "1.0.1")


def _provider(site: Site) -> dict[str, str]:
    config: dict[str, Any] = site.call("/app/config.json").json()
    if config["oidc"] is None and config["demo"]:
        raise Skipped("demo users sign in with one click")
    if config["oidc"] is None:
        raise Failed("no provider is configured: set OidcIssuer and OidcClientId, or UserPool=yes")
    provider: dict[str, str] = config["oidc"]
    return provider


@CHECKS.named("The pages know who signs people in.")
def _sign_in(site: Site) -> None:
    provider = _provider(site)
    expect("the issuer and the client are named", bool(provider["issuer"] and provider["clientId"]), True)


@CHECKS.named(PROVIDER_ANSWERS)
def _discovery(site: Site) -> None:
    issuer = _provider(site)["issuer"].rstrip("/")
    path = f"{urlsplit(issuer).path}/.well-known/openid-configuration"
    expect("the issuer", str(Site(issuer).call(path).json().get("issuer")).rstrip("/"), issuer)


@CHECKS.named("The pages may connect to the provider of sign-ins.")
def _may_connect(site: Site) -> None:
    origin = "https://" + urlsplit(_provider(site)["issuer"]).netloc
    expect_part("the page's policy", origin, site.call("/").headers.get("content-security-policy", ""))
