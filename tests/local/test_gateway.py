"""The local gateway: the CDN's part, the limits, and the response to a crash."""

import io
from typing import Any

import pytest

from governance.limits import LAMBDA_ANSWER_BYTES
from infra.cdn.headers import security_headers
from infra.local import cdn, gateway
from infra.local.event import Event, HttpRequest, HttpResponse
from infra.local.gateway import BODY_LIMIT, Gateway
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
    return Gateway(Template(), origin_secret="s3cret", static=lambda _: HttpResponse(200, [], b"static"))


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/api/v1/whoami", b"account"),
        ("/api/v1/boards", b"boards"),
        ("/api/v1/boards/1/members/2", b"boards"),
        ("/api/v1/boards/1/meetings", b"meetings"),
        ("/api/v1/boards/1/meetings/2/slots/3/vote", b"meetings"),
        ("/nowhere", b"fallback"),
        ("/api/ontology", b"static"),
        ("/api/ontology/finance.json", b"static"),
        ("/api/ontologyx", b"fallback"),
        ("/openapi.json", b"static"),
        ("/invite/x", b"static"),
    ],
)
def test_each_path_reaches_its_function_or_the_bucket(local: Gateway, path: str, group: bytes) -> None:
    assert local.handle(HttpRequest("GET", path, [])).body == group


@pytest.mark.parametrize("path", ["/api/v1%2Fme", "/api/v1/boards/1%5c2", "/api/v1/me%3Fx", "/a%00", "/a%23"])
def test_a_path_with_an_encoded_separator_matches_no_route(local: Gateway, path: str) -> None:
    response = local.handle(HttpRequest("GET", path, []))
    assert (response.body, dict(response.headers)["x-path"]) == (b"fallback", cdn.UNROUTABLE_PATH)


def test_the_security_headers_of_the_cdn_replace_those_of_the_origin() -> None:
    sent = HttpResponse(200, [("Referrer-Policy", "unsafe-url"), ("ETag", '"1"')])
    headers = cdn.to_viewer(HttpRequest("GET", "/docs", []), sent).headers
    assert dict(headers) == {"ETag": '"1"', **security_headers("/docs")}
    assert len(headers) == len(dict(headers))


def test_a_page_has_the_headers_of_the_cdn(local: Gateway) -> None:
    response = local.handle(HttpRequest("GET", "/invite/x", []))
    assert security_headers("/invite/x").items() <= dict(response.headers).items()


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


@pytest.mark.parametrize("name", ["X-Viewer-Address", "X-Forwarded-For", "X-Origin-Secret"])
def test_a_client_cannot_set_the_cdns_headers(name: str) -> None:
    sent = HttpRequest("GET", "/", [(name, "198.51.100.9:1"), ("Accept", "*/*")], address="192.0.2.7")
    assert cdn.to_origin(sent, "s3cret").headers == [
        ("Accept", "*/*"),
        ("x-viewer-address", "192.0.2.7"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x-forwarded-proto", "http"),
        ("x-origin-secret", "s3cret"),
    ]


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
    body = b"".join(local.wsgi(environ, lambda *given: started.append(given)))
    ((status, headers),) = started
    assert (body, status, dict(headers)["x-path"]) == (b"boards", "200 OK", "/api/v1/boards")
