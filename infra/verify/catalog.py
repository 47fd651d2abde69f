"""The checks of the public catalog."""

from __future__ import annotations

from infra.verify.site import CATALOG, LASTING, Checks, Site, expect, expect_error, expect_part, max_age

CHECKS = Checks()


@CHECKS.named("The catalog is served and may be kept for five minutes.")
def _catalog(site: Site) -> None:
    answer = site.call(CATALOG)
    expect("the status", answer.status, 200)
    expect("the number of definitions is not 0", bool(answer.json()["kpis"]), True)
    expect("the cache time", max_age(answer), 300)


@CHECKS.named("A version of the catalog may be kept for a year.")
def _version(site: Site) -> None:
    version = site.call(CATALOG).json()["version"]
    expect("the cache time", max_age(site.call(f"{CATALOG}/v/{version}")), LASTING)


@CHECKS.named("An unchanged catalog is a 304, and a part of it a 206.")
def _conditional(site: Site) -> None:
    etag = site.call(CATALOG).headers.get("etag", "")
    expect("the catalog's tag is strong", etag.startswith('"'), True)
    expect("the status", site.call(CATALOG, if_none_match=etag).status, 304)
    expect("the status of a part", site.call(CATALOG, range="bytes=0-9").status, 206)


@CHECKS.named("The catalog is compressed for clients that accept it.")
def _compressed(site: Site) -> None:
    for accepted in ("br", "gzip"):
        headers = site.call(CATALOG, accept_encoding=accepted).headers
        expect("the encoding", headers.get("content-encoding"), accepted)
        expect_part("Vary", "accept-encoding", headers.get("vary", "").lower())


@CHECKS.named("Every page on the web may read the catalog.")
def _catalog_cors(site: Site) -> None:
    origin = {"origin": "https://foreign.example"}
    expect("the origin", site.call(CATALOG, **origin).headers.get("access-control-allow-origin"), "*")
    preflight = site.call(CATALOG, "OPTIONS", **origin, access_control_request_method="GET")
    expect("the status of a preflight", preflight.status, 200, 204)
    expect_part("the allowed methods", "GET", preflight.headers.get("access-control-allow-methods", ""))


@CHECKS.named("The catalog takes no change.")
def _catalog_methods(site: Site) -> None:
    expect_error(site.call(CATALOG, "DELETE"), 405, "METHOD_NOT_ALLOWED")
