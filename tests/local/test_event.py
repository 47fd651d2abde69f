"""HTTP requests as API Gateway events, and results of functions as HTTP responses."""

import base64
import json

import pytest

from infra.local.event import Event, Headers, HttpRequest, to_event, to_response
from infra.local.routing import Match
from infra.stack.template import Route


def event(method: str = "GET", target: str = "/", headers: Headers | None = None, body: bytes = b"") -> Event:
    """Returns the event of a request to the `$default` route."""
    match = Match(Route("ANY", "$default", "fallback"), {})
    made = to_event(HttpRequest(method, target, headers or [], body, "192.0.2.7"), match)
    assert json.loads(json.dumps(made)) == made
    return made


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        ("/a/b", "/a/b"),
        ("/a%20b", "/a b"),
        ("/a%2Fb", "/a/b"),
        ("/%C3%A9", "/é"),
        ("/%ff", "/\ufffd"),
        ("/a+b", "/a+b"),
        ("//a/", "//a/"),
        ("/a/../b", "/a/../b"),
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
        ("a=1&a=2", {"a": "1,2"}),
        ("a=%2C&a=x", {"a": ",,x"}),
        ("a=b+c%20d", {"a": "b c d"}),
        ("a", {"a": ""}),
        ("a=&b", {"a": "", "b": ""}),
    ],
)
def test_the_query_arrives_raw_and_as_joined_parameters(query: str, parameters: dict[str, str]) -> None:
    made = event(target=f"/?{query}")
    assert made["rawQueryString"] == query
    assert made["queryStringParameters"] == parameters


def test_repeated_headers_are_joined_and_names_are_lower_case() -> None:
    made = event(headers=[("Accept", "a"), ("ACCEPT", "b"), ("Authorization", "Bearer x")])
    assert made["headers"] == {"accept": "a,b", "authorization": "Bearer x"}


def test_cookies_arrive_in_their_own_list() -> None:
    made = event(headers=[("Cookie", "a=1; b=2"), ("cookie", "c=3")])
    assert made["cookies"] == ["a=1", "b=2", "c=3"]
    assert "cookie" not in made["headers"]


@pytest.mark.parametrize("kind", ["application/json", "application/problem+json; charset=utf-8", "text/plain"])
def test_a_text_body_arrives_as_text(kind: str) -> None:
    made = event("POST", headers=[("Content-Type", kind)], body="é".encode())
    assert (made["body"], made["isBase64Encoded"]) == ("é", False)


@pytest.mark.parametrize(
    ("kind", "body"), [("", b"{}"), ("application/octet-stream", b"{}"), ("application/json", b"\xff\xfe")]
)
def test_any_other_body_arrives_as_base64(kind: str, body: bytes) -> None:
    made = event("POST", headers=[("Content-Type", kind)], body=body)
    assert made["isBase64Encoded"] is True
    assert base64.b64decode(made["body"]) == body


def test_the_route_and_its_variables_are_named() -> None:
    match = Match(Route("ANY", "/pets/{petId}", "pets"), {"petId": "1"})
    made = to_event(HttpRequest("GET", "/pets/1", []), match)
    assert made["routeKey"] == made["requestContext"]["routeKey"] == "ANY /pets/{petId}"
    assert made["pathParameters"] == {"petId": "1"}


def test_a_result_becomes_a_response_with_its_cookies() -> None:
    made = to_response({"statusCode": 201, "headers": {"X-A": 1}, "cookies": ["a=1", "b=2"], "body": "é"})
    assert made.status == 201
    assert made.headers == [("X-A", "1"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
    assert made.body == "é".encode()
