"""The model of the CDN that `make run` serves through: what CloudFront refuses, rewrites, keeps and adds."""

from __future__ import annotations

import copy
import gzip
from collections.abc import Callable
from typing import Any

import pytest

from infra.cdn import distribution
from infra.cdn.distribution import NotModelledError
from infra.cdn.embed import TEMPLATE
from infra.local import edge_cache
from infra.local.bucket_origin import StoredObject
from infra.local.edge import REQUEST_LIMIT, URL_LIMIT, Edge
from infra.local.edge_cache import EdgeCache
from infra.local.event import Headers, HttpRequest, HttpResponse
from infra.local.service import published, service
from infra.openapi.site import File, site
from infra.pages.app.site import PAGE
from infra.publish import page_files
from infra.stack.template import Template

API_PATH = "/api/v1/me"
SECRET = "s3cret"
SETTINGS = {"OidcOrigins": "", "PapersOrigin": "", "DownloadsOrigin": ""}


class Api:
    """An origin that records requests and answers with `response`."""

    def __init__(self, response: HttpResponse | None = None) -> None:
        self.response = response or HttpResponse(200, [("Referrer-Policy", "unsafe-url")], b"api")
        self.requests: list[HttpRequest] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.requests.append(request)
        return self.response


class Clock:
    """A clock that a test sets."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def call(
    api: Api, path: str, method: str = "GET", headers: Headers | None = None, body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    """Returns status, headers and body of the answer to a request, with an empty cache."""
    return ask(
        service(api, published(page_files("https://x.example", {PAGE: File(b"<html>", "text/html")}))),
        path,
        method,
        headers,
        body,
    )


def ask(
    handle: Callable[[HttpRequest], HttpResponse],
    path: str,
    method: str = "GET",
    headers: Headers | None = None,
    body: bytes = b"",
) -> tuple[int, dict[str, str], bytes]:
    response = handle(HttpRequest(method, path, headers or [], body, "192.0.2.7"))
    return response.status, dict(response.headers), response.body


@pytest.mark.parametrize(
    ("path", "status", "is_api"),
    [
        (API_PATH, 200, True),
        ("/api/ontologyx", 404, False),
        ("/openapi.json", 200, False),
        ("/docs", 200, False),
        ("/docs/nothing", 404, False),
        ("/invite/x", 200, False),
        ("/nowhere", 200, True),
    ],
)
def test_each_path_reaches_the_origin_of_its_behaviour(path: str, status: int, *, is_api: bool) -> None:
    api = Api()
    assert call(api, path)[0] == status
    assert bool(api.requests) is is_api


def test_a_get_with_a_body_is_refused_in_html() -> None:
    api = Api()
    status, headers, body = call(api, API_PATH, body=b"{}")
    assert (status, headers["content-type"], api.requests) == (403, "text/html", [])
    assert b"could not be satisfied" in body
    assert call(api, API_PATH, "DELETE", body=b"{}")[0] == 200


def test_a_request_is_refused_if_its_url_or_its_headers_are_too_long() -> None:
    api = Api()
    assert call(api, "/" + "x" * (URL_LIMIT - 1))[0] == 200
    assert call(api, "/" + "x" * URL_LIMIT)[0] == 413
    assert call(api, "/a", headers=[("b", "x" * (REQUEST_LIMIT - 3))])[0] == 200
    assert call(api, "/a", headers=[("b", "x" * (REQUEST_LIMIT - 2))])[0] == 413
    assert len(api.requests) == 2


def test_the_api_gets_the_query_and_the_viewers_headers_and_those_of_the_cdn() -> None:
    api = Api()
    made_up: Headers = [(name, "198.51.100.9") for name in ("X-Viewer-Address", "X-Forwarded-For", "X-Origin-Secret")]
    handle = service(api, published({}), origin_secret=SECRET)
    ask(handle, f"{API_PATH}?a=1&a=%20", headers=[*made_up, ("Authorization", "Bearer x"), ("CloudFront-Is-Mine", "1")])
    (request,) = api.requests
    assert request.query == "a=1&a=%20"
    assert sorted(request.headers) == [
        ("authorization", "Bearer x"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x-forwarded-proto", "https"),
        ("x-origin-secret", SECRET),
        ("x-viewer-address", "192.0.2.7"),
    ]


def test_the_headers_of_the_policy_replace_those_of_the_origin() -> None:
    _, headers, _ = call(Api(), "/docs")
    assert headers["x-frame-options"] == "DENY"
    api = Api(HttpResponse(200, [("X-Content-Type-Options", "sniff")]))
    _, headers, _ = call(api, API_PATH)
    assert {name.lower() for name in headers} == {"x-cache", "strict-transport-security", "x-content-type-options"}
    assert headers["x-content-type-options"] == "nosniff"


def test_a_page_that_is_not_in_the_bucket_is_absent() -> None:
    """As S3 does it where the policy lets the distribution ask what there is."""
    handle = service(Api(), published({"/docs/index.html": site()["/docs/index.html"]}))
    assert ask(handle, "/docs")[0] == 200
    assert ask(handle, "/openapi.json")[0] == 404


def test_what_is_long_enough_and_text_is_compressed_for_those_who_accept_it() -> None:
    plain = call(Api(), "/openapi.json")
    _, headers, body = call(Api(), "/openapi.json", headers=[("Accept-Encoding", "gzip, deflate")])
    assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", plain[2])
    assert headers["etag"] == f"W/{plain[1]['etag']}"
    assert call(Api(), "/openapi.json", headers=[("Accept-Encoding", "gzip, br")])[1]["content-encoding"] == "br"


ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]


def kept_seconds(template: Template, status: int, cache_control: str = "") -> int:
    """Returns for how long CloudFront keeps the API's answer to a GET."""
    read = distribution.read(SETTINGS, template)
    headers = [("Cache-Control", cache_control)] if cache_control else []
    behaviour = read.behaviour(API_PATH)
    return edge_cache.seconds_to_keep(HttpResponse(status, headers), behaviour.cache, read.error_seconds)


def changed(change: Callable[[dict[str, Any]], None]) -> Template:
    """Returns the CDN's template after a change of the distribution's configuration."""
    template = Template(TEMPLATE)
    template.document = copy.deepcopy(template.document)
    change(template.document["Resources"]["Distribution"]["Properties"]["DistributionConfig"])
    return template


def _without_error_responses(config: dict[str, Any]) -> None:
    config.pop("CustomErrorResponses", None)


@pytest.mark.parametrize("status", ERRORS)
def test_errors_are_kept_for_ten_seconds_unless_the_distribution_says_otherwise(status: int) -> None:
    bare = changed(_without_error_responses)
    obeys = status in {404, 414, 501}
    assert kept_seconds(bare, status) == 10
    assert kept_seconds(bare, status, "no-store") == (0 if obeys else 10)


def test_one_clients_error_is_shown_to_others_for_ten_seconds_if_errors_are_kept() -> None:
    clock, api = Clock(), Api(HttpResponse(503, [], b"busy"))
    settings = distribution.read(SETTINGS, changed(_without_error_responses))
    edge = Edge(settings, {"api": api}, lambda _: None, cache=EdgeCache(clock))
    assert ask(edge.handle, f"{API_PATH}?a=1")[0] == 503
    clock.seconds += 9
    status, headers, _ = ask(edge.handle, f"{API_PATH}?b=2", headers=[("Authorization", "Bearer of-another")])
    assert (status, headers["age"], headers["x-cache"]) == (503, "9", "Error from cloudfront")
    clock.seconds += 1
    api.response = HttpResponse(200, [], b"fine")
    assert ask(edge.handle, API_PATH)[0] == 200
    assert ask(edge.handle, API_PATH, "POST")[0] == 200
    assert len(api.requests) == 3


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("public, max-age=300, s-maxage=86400, stale-while-revalidate=86400", 86400),
        ("max-age=60", 60),
        ("max-age=99999999", 31_536_000),
        ("", 300),
        ("no-cache", 0),
        ("private, max-age=60", 0),
    ],
)
def test_an_object_is_kept_as_long_as_it_says_within_the_bounds_of_the_policy(cache_control: str, seconds: int) -> None:
    policy = distribution.read(SETTINGS).behaviour("/api/ontology").cache
    headers = [("Cache-Control", cache_control)] if cache_control else []
    assert edge_cache.seconds_to_keep(HttpResponse(200, headers), policy, {}) == seconds


def test_a_kept_object_is_read_once_and_states_its_age() -> None:
    clock, asked = Clock(), list[str]()

    def read(key: str) -> StoredObject:
        asked.append(key)
        return StoredObject(b"{}", '"1"', "application/json", cache_control="max-age=60")

    handle = service(Api(), read, cache=EdgeCache(clock))
    assert "age" not in ask(handle, "/openapi.json")[1]
    clock.seconds += 7
    _, headers, _ = ask(handle, "/openapi.json?ignored=1")
    assert (headers["age"], headers["x-cache"]) == ("7", "Hit from cloudfront")
    assert ask(handle, "/openapi.json", headers=[("If-None-Match", 'W/"1"')])[0] == 304
    assert asked == ["openapi.json"]
    clock.seconds += 60
    assert "age" not in ask(handle, "/openapi.json")[1]


@pytest.mark.parametrize(
    "change",
    [
        {"DefaultCacheBehavior": {"OriginRequestPolicyId": "216adef6-5c7f-47e4-b989-5492eafa07d3"}},
        {"DefaultCacheBehavior": {"CachePolicyId": "658327ea-f89d-4fab-a63d-7e88639e58f6"}},
        {"CustomErrorResponses": [{"ErrorCode": 404, "ResponsePagePath": "/404.html", "ResponseCode": 200}]},
    ],
)
def test_what_is_not_modelled_fails_at_the_start(change: dict[str, Any]) -> None:
    def change_config(config: dict[str, Any]) -> None:
        for name, value in change.items():
            config[name] = {**config[name], **value} if isinstance(value, dict) else value

    with pytest.raises(NotModelledError):
        distribution.read(SETTINGS, changed(change_config))


def test_an_edge_function_that_fails_is_a_503() -> None:
    template = changed(lambda _: None)
    template.document["Resources"]["ApiRequest"]["Properties"]["FunctionCode"] = "function handler() { throw 1; }"
    edge = Edge(distribution.read(SETTINGS, template), {"api": Api()}, lambda _: None)
    assert ask(edge.handle, API_PATH)[0] == 503
