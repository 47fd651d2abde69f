"""The local API Gateway: routing, its limits, and the response to a crash."""

from typing import Any

import pytest

from governance.limits import LAMBDA_ANSWER_BYTES
from infra.local import gateway
from infra.local.event import Event, HttpRequest
from infra.local.gateway import BODY_LIMIT, HEADER_LIMIT, Gateway
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
