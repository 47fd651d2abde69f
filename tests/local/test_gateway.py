"""The local API Gateway: routing, its limits, and the response to a crash."""

import io
from typing import Any

import pytest

from governance.limits import LAMBDA_ANSWER_BYTES
from infra.local import gateway
from infra.local.event import Event, HttpRequest
from infra.local.gateway import BODY_LIMIT, HEADER_LIMIT, Gateway, wsgi_application
from infra.stack.template import Template


def echo(event: Event, context: Any) -> dict[str, Any]:
    """Returns the name of the function, or crashes if the request has the header `Crash`."""
    if "crash" in event["headers"]:
        raise RuntimeError("boom")
    assert context.get_remaining_time_in_millis() > 0
    return {"statusCode": 200, "headers": {"x-path": event["rawPath"]}, "body": context.function_name}


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Gateway:
    monkeypatch.setattr(gateway, "load_handler", lambda _: echo)
    return Gateway(Template())


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/api/v1/whoami", b"account"),
        ("/api/v1/boards", b"boards"),
        ("/api/v1/boards/1/members/2", b"boards"),
        ("/api/v1/boards/1/meetings", b"meetings"),
        ("/api/v1/boards/1/meetings/2/slots/3/vote", b"meetings"),
        ("/nowhere", b"fallback"),
    ],
)
def test_each_path_reaches_its_function(local: Gateway, path: str, group: bytes) -> None:
    assert local.handle(HttpRequest("GET", path, [])).body == group


def test_a_crash_gets_the_gateways_own_error(local: Gateway, caplog: pytest.LogCaptureFixture) -> None:
    response = local.handle(HttpRequest("GET", "/api/v1/me", [("Crash", "1")]))
    assert (response.status, response.body) == (500, b'{"message": "Internal Server Error"}')
    assert "account" in caplog.text


@pytest.mark.parametrize(("size", "status"), [(-200, 200), (1, 500)])
def test_a_response_that_lambda_would_refuse_is_a_500(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, size: int, status: int
) -> None:
    body = "x" * (LAMBDA_ANSWER_BYTES + size)
    monkeypatch.setattr(gateway, "load_handler", lambda _: lambda *_: {"statusCode": 200, "body": body})
    assert Gateway(Template()).handle(HttpRequest("GET", "/api/v1/me", [])).status == status
    assert ("6291456" in caplog.text) is (status == 500)


def test_a_body_over_the_limit_never_reaches_a_function(local: Gateway) -> None:
    response = local.handle(HttpRequest("POST", "/api/v1/boards", [], b"x" * (BODY_LIMIT + 1)))
    assert (response.status, response.body) == (413, b'{"message": "Request Entity Too Large"}')


def test_headers_over_the_limit_never_reach_a_function(local: Gateway) -> None:
    assert local.handle(HttpRequest("GET", "/api/v1/me", [("a", "x" * (HEADER_LIMIT - 11))])).status == 200
    assert local.handle(HttpRequest("GET", "/api/v1/me", [("a", "x" * (HEADER_LIMIT - 10))])).status == 431


def test_wsgi_responds_as_the_port_does(local: Gateway) -> None:
    started: list[Any] = []
    environ = {
        "REQUEST_METHOD": "POST",
        "REQUEST_URI": "/api/v1/boards?x=1",
        "HTTP_X_A": "b",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": "2",
        "wsgi.input": io.BytesIO(b"{}"),
    }
    body = b"".join(wsgi_application(local.handle)(environ, lambda *given: started.append(given)))
    ((status, headers),) = started
    assert (body, status, dict(headers)["x-path"]) == (b"boards", "200 OK", "/api/v1/boards")
