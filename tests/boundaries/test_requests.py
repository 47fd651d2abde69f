"""Unusual paths, methods, query strings, headers and JSON texts: each has one defined response, never a 500."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.sample_requests import ROUTES_BY_NAME, sample_request

INVALID_IDS = [
    "A" * 24,
    "0" * 23,
    "0" * 25,
    "%00",
    "é" * 8,
    " ",
    "a" * 5000,
    "%E2%80%AE",
    "'",
    "*",
    "null",
    "-1",
    "0x" + "0" * 22,
]
UNKNOWN_PATHS = [
    "/",
    "/api",
    "/API/v1/boards",
    "/api/v1/nope",
    "/api/boards",
    "/api/v1/boards/",
    "/api/v1//boards",
    "/api/v1/./boards",
    "/api/v1/boards/..",
    "/api/v1/boards/%2F",
    "/api/v1/boards/a%2fb",
    "/api/v1/boards/a%5Cb",
    "/api/notification//",
    "/api/v1/notification/",
    "/api/v1/action-items/my",
]
BAD_QUERIES = [
    "limit=0", "limit=101", "limit=1.0", "limit=", "limit", "limit=01", "limit=%2B5", "limit=-1", "limit=%EF%BC%91",
    "limit=1&limit=1", "sort=title", "sort=", "order=up", "order=ASC", "cursor=", "cursor=zzz", "cursor=%FF", "foo=1",
    "%00=1", "=1", "&".join(f"a{n}=1" for n in range(101)),
]  # fmt: skip
BAD_JSON = [
    "", " ", "null", "[1]", '"x"', '{"title":"a","title":"b"}', '{"title":NaN}', '{"title":"a"} x', '{"title":"a",}',
    "{'title':'a'}", '\ufeff{"title":"a"}', '{"title":"\\ud800"}', '{"title":"\\u0000"}', '{"\\u0000":1}',
    "[" * 100_000, '{"a":' * 40 + "1" + "}" * 40, '{"title":1e999}', '{"title":' + "9" * 5000 + "}",
]  # fmt: skip
LISTS = ["boards", "members", "meetings", "documents", "reports", "tokens", "committees"]


@pytest.mark.slow
def test_an_invalid_id_is_not_found(scenario: BoardScenario) -> None:
    mismatches = []
    for name, route in ROUTES_BY_NAME.items():
        leaf = route.path.rpartition("{")[2].partition("}")[0]
        if "{" not in route.path or "invite/status" in name:
            continue
        named: dict[str, str] = {leaf: "MARK"}
        request = sample_request(name, scenario, scenario.owner, **named)
        for bad in INVALID_IDS:
            response = scenario.owner.client.call(request.method, request.path.replace("MARK", bad), request.body)
            if response.status != 404 or response.json.keys() not in ({"error"}, {"message", "code"}):
                mismatches.append((name, bad[:20], response.status))
    assert mismatches == []


@pytest.mark.parametrize("path", UNKNOWN_PATHS)
def test_an_unknown_path_is_404_for_everyone(scenario: BoardScenario, path: str) -> None:
    for client in (scenario.owner.client, Client(), Client("junk")):
        assert client.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_another_method_is_405_with_the_allowed_methods(scenario: BoardScenario) -> None:
    for method in ("HEAD", "OPTIONS", "TRACE", "PUT", "PROPFIND", "get"):
        response = scenario.owner.client.call(method, scenario.path)
        assert response.failure == (405, "METHOD_NOT_ALLOWED")
        assert response.headers["Allow"] == "DELETE, GET, PATCH"


@pytest.mark.parametrize("name", LISTS)
def test_a_list_refuses_unknown_and_invalid_parameters(scenario: BoardScenario, name: str) -> None:
    path = "/api/v1/boards" if name == "boards" else f"{scenario.path}/{name}"
    responses = {query: scenario.owner.client.call("GET", path, query=query) for query in BAD_QUERIES}
    assert {query: response.status for query, response in responses.items() if response.status != 400} == {}
    assert {response.code for response in responses.values()} == {"INVALID_QUERY_PARAMETER"}
    assert scenario.owner.client.call("GET", path, query="&&limit=100&").status == 200


def test_invalid_json_is_400(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings"
    responses = {raw: scenario.owner.client.call("POST", path, raw=raw) for raw in BAD_JSON}
    assert {raw[:40]: response.status for raw, response in responses.items() if response.status != 400} == {}


def test_the_size_is_checked_before_the_content_type_and_that_before_the_json(scenario: BoardScenario) -> None:
    client, path = scenario.owner.client, f"{scenario.path}/meetings"
    for kind in ("", "text/plain", "application/jsonp", "application/x-www-form-urlencoded", "json"):
        assert client.call("POST", path, raw="{", headers={"content-type": kind}).status == 415
        assert client.call("POST", path, raw="x" * 262_145, headers={"content-type": kind}).status == 413
    for kind in ("application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"):
        assert client.call("POST", path, raw='{"title":"a"}', headers={"content-type": kind}).status == 201


def test_an_unexpected_body_is_refused_except_on_get_or_if_it_is_an_empty_object(scenario: BoardScenario) -> None:
    client = scenario.owner.client
    assert client.call("PUT", "/api/notification/read/all", raw="{}").status == 200
    for raw in ("[]", " ", "null", '{"a": 1}'):
        assert client.call("PUT", "/api/notification/read/all", raw=raw).status == 400
        assert client.call("GET", scenario.path, raw=raw).status == 200
    assert client.call("PUT", "/api/notification/read/all", raw="x" * 262_145).status == 413


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic x", "Bearer a b", "Bearer a,Bearer b", "Token x", "Bearer é"]
)
def test_a_malformed_authorization_header_is_401(scenario: BoardScenario, header: str) -> None:
    response = Client(headers={"authorization": header}).get(scenario.path)
    assert response.failure == (401, "UNAUTHENTICATED")


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb", "\x7f"])
def test_an_idempotency_key_is_printable_ascii(scenario: BoardScenario, key: str) -> None:
    path = f"{scenario.path}/meetings"
    response = scenario.owner.client.call("POST", path, {"title": "a"}, headers={"idempotency-key": key})
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert (
        scenario.owner.client.call("POST", path, {"title": "a"}, headers={"idempotency-key": "~" * 255}).status == 201
    )


def test_legacy_routes_ignore_parameters_that_they_do_not_define(scenario: BoardScenario) -> None:
    for path in ("/api/notification/", f"/api/board/{scenario.board_id}/action-items", "/api/invite/sent"):
        assert scenario.owner.client.call("GET", path, query="other=zzz&a=%FF&a=1&b%00=%00").status == 200
    assert Client().call("GET", "/api/v1/invite/status/x", query="a=%FF&b=%00&i=1&i=2").json == {"pending": False}
