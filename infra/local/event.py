"""Converts HTTP requests to API Gateway events (payload format 2.0), and the results of functions to HTTP responses.

It behaves as an HTTP API does: the path arrives decoded and the query string does not, repeated headers and parameters
are joined with commas, cookies have their own list, and a body that is not text is base64.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from governance.limits import LAMBDA_ANSWER_BYTES
from infra.local.routing import Match

Headers = list[tuple[str, str]]
Event = dict[str, Any]
_TEXT_TYPES = {"application/json", "application/javascript", "application/xml"}


@dataclass(frozen=True)
class HttpRequest:
    """A request as the client sent it. `target` is path and query, undecoded; `address` is the client's."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""
    address: str = "127.0.0.1"

    @property
    def path(self) -> str:
        """The undecoded path."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """The undecoded query string."""
        return self.target.partition("?")[2]


@dataclass(frozen=True)
class HttpResponse:
    """A response: status, headers and body."""

    status: int
    headers: Headers
    body: bytes = b""


def error_response(status: int, text: str) -> HttpResponse:
    """Returns a response in the form of API Gateway's own errors, which do not use the API's error envelope."""
    return HttpResponse(status, [("Content-Type", "application/json")], json.dumps({"message": text}).encode())


def to_event(request: HttpRequest, match: Match) -> Event:
    """Returns the event that the function of the matching route receives."""
    joined, cookies = _headers(request.headers)
    path = _encodable(unquote(request.path)).partition("?")[0]
    event: Event = {
        "version": "2.0",
        "routeKey": match.route.key,
        "rawPath": path,
        "rawQueryString": request.query,
        "headers": joined,
        "requestContext": _context(request, match, joined, path),
        "isBase64Encoded": False,
    }
    optional = {
        "cookies": cookies,
        "queryStringParameters": _parameters(request.query),
        "pathParameters": match.parameters,
    }
    event |= {name: value for name, value in optional.items() if value}
    return event | _body(request.body, joined.get("content-type", ""))


def _headers(headers: Headers) -> tuple[dict[str, str], list[str]]:
    joined: dict[str, str] = {}
    cookies: list[str] = []
    for name, value in headers:
        lower = name.lower()
        if lower == "cookie":
            cookies += [part.strip() for part in value.split(";") if part.strip()]
        else:
            joined[lower] = f"{joined[lower]},{value}" if lower in joined else value
    return joined, cookies


def _encodable(value: str) -> str:
    """Returns a text without the code points that UTF-8 cannot encode."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _parameters(query: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        parameters[name] = f"{parameters[name]},{value}" if name in parameters else value
    return parameters


def _context(request: HttpRequest, match: Match, headers: dict[str, str], path: str) -> Event:
    now = time.time()
    host = headers.get("host", "localhost")
    return {
        "accountId": "000000000000",
        "apiId": "local",
        "domainName": host,
        "domainPrefix": host.split(".", maxsplit=1)[0],
        "http": {
            "method": request.method,
            "path": path,
            "protocol": "HTTP/1.1",
            "sourceIp": request.address,
            "userAgent": headers.get("user-agent", ""),
        },
        "requestId": secrets.token_hex(8),
        "routeKey": match.route.key,
        "stage": "$default",
        "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
        "timeEpoch": int(now * 1000),
    }


def _body(body: bytes, content_type: str) -> Event:
    if not body:
        return {}
    try:
        if _is_text(content_type):
            return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        pass
    return {"body": base64.b64encode(body).decode("ascii"), "isBase64Encoded": True}


def _is_text(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind.startswith("text/") or kind in _TEXT_TYPES or kind.endswith(("+json", "+xml"))


def _check_size(message: str) -> None:
    if len(message) > LAMBDA_ANSWER_BYTES:
        raise ValueError(f"the response has {len(message)} bytes; Lambda takes {LAMBDA_ANSWER_BYTES}")


def to_response(result: Any) -> HttpResponse:
    """Returns the HTTP response for the result of a function.

    Raises `TypeError` or `ValueError` for a result that API Gateway or Lambda would reject too, as for its size.
    """
    if not isinstance(result, dict) or "statusCode" not in result:
        return HttpResponse(200, [("Content-Type", "application/json")], json.dumps(result).encode())
    _check_size(json.dumps(result))
    headers = [(name, str(value)) for name, value in (result.get("headers") or {}).items()]
    headers += [("Set-Cookie", cookie) for cookie in result.get("cookies") or []]
    body = result.get("body") or ""
    raw = base64.b64decode(body) if result.get("isBase64Encoded") else body.encode("utf-8")
    return HttpResponse(int(result["statusCode"]), headers, raw)
