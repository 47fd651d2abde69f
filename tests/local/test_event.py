"""HTTP requests as API Gateway events, and results of functions as HTTP responses."""

import base64
import json
from typing import Any

import pytest

from infra.local.event import Event, Headers, HttpRequest, to_event, to_response
from infra.local.routing import Match
from infra.stack.template import Route

JSON: Headers = [("Content-Type", "application/json; charset=utf-8")]


def event(method: str = "GET", target: str = "/", headers: Headers | None = None, body: bytes = b"") -> Event:
    """Returns the event of a request to a route with a variable."""
    match = Match(Route("ANY", "/pets/{petId}", "pets"), {"petId": "1"})
    made = to_event(HttpRequest(method, target, headers or [], body, "192.0.2.7"), match)
    assert json.loads(json.dumps(made)) == made
    return made


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        ("/a%20b", "/a b"),
        ("/a%2Fb", "/a/b"),
        ("/%C3%A9", "/é"),
        ("/%ff", "/\ufffd"),
        ("/a+b", "/a+b"),
        ("//a/../b/", "//a/../b/"),
        ("/a%3Fb", "/a"),
        ("/a%zz", "/a%zz"),
    ],
)
def test_the_path_arrives_decoded_once(sent: str, arrives: str) -> None:
    made = event(target=sent)
    assert made["rawPath"] == made["requestContext"]["http"]["path"] == arrives


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("a=1&b=2", {"a": "1", "b": "2"}),
        ("a=%2C&a=x", {"a": ",,x"}),
        ("a=b+c%20d", {"a": "b c d"}),
        ("a=&b", {"a": "", "b": ""}),
    ],
)
def test_the_query_arrives_raw_and_as_joined_parameters(query: str, parameters: dict[str, str]) -> None:
    made = event(target=f"/?{query}")
    assert (made["rawQueryString"], made["queryStringParameters"]) == (query, parameters)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (event(), {"rawQueryString": "", "queryStringParameters": None, "body": None, "routeKey": "ANY /pets/{petId}"}),
        (event(), {"pathParameters": {"petId": "1"}}),
        (event(headers=[("Accept", "a"), ("ACCEPT", "b")]), {"headers": {"accept": "a,b"}}),
        (event(headers=[("Cookie", "a=1; b=2"), ("cookie", "c=3")]), {"headers": {}, "cookies": ["a=1", "b=2", "c=3"]}),
        (event("POST", headers=JSON, body="é".encode()), {"body": "é", "isBase64Encoded": False}),
        (event("POST", headers=JSON, body=b"\xff"), {"body": "/w==", "isBase64Encoded": True}),
        (event("POST", body=b"{}"), {"body": base64.b64encode(b"{}").decode(), "isBase64Encoded": True}),
    ],
)
def test_a_request_becomes_the_members_of_the_platforms_event(made: Event, expected: dict[str, Any]) -> None:
    assert {name: made.get(name) for name in expected} == expected


def test_a_result_becomes_a_response_with_its_cookies() -> None:
    made = to_response({"statusCode": 201, "headers": {"X-A": 1}, "cookies": ["a=1", "b=2"], "body": "é"})
    assert made.status == 201
    assert made.headers == [("X-A", "1"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
    assert made.body == "é".encode()
    assert to_response({"statusCode": 200, "isBase64Encoded": True, "body": "/w=="}).body == b"\xff"
    assert to_response([1]).body == b"[1]", "a result without a status is the body"
