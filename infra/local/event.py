"""From HTTP to an API Gateway event of payload format 2.0, and from a function's answer back to HTTP.

Known habits of HTTP APIs that are kept here: the path arrives decoded, the query string does not; repeated headers and
parameters are joined with commas; cookies have a list of their own; a body that is no text is base64.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from infra.local.routing import Match

Headers = list[tuple[str, str]]
Event = dict[str, Any]
_TEXT_TYPES = {"application/json", "application/javascript", "application/xml"}


@dataclass(frozen=True)
class HttpRequest:
    """A request as it came: the target is path and query, undecoded."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""
    address: str = "127.0.0.1"
    port: int = 0

    @property
    def path(self) -> str:
        """The path as it was sent."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """The query string as it was sent."""
        return self.target.partition("?")[2]


@dataclass(frozen=True)
class HttpResponse:
    """An answer: status, headers, bytes."""

    status: int
    headers: Headers
    body: bytes = b""


def message(status: int, text: str) -> HttpResponse:
    """An answer that the gateway makes itself; it knows no envelope."""
    return HttpResponse(status, [("Content-Type", "application/json")], json.dumps({"message": text}).encode())


def to_event(request: HttpRequest, match: Match) -> Event:
    """The event that the function of the matching route is invoked with."""
    joined, cookies = _headers(request.headers)
    path = _text(unquote(request.path)).partition("?")[0]
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


def _text(value: str) -> str:
    """Only what JSON can carry as UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _parameters(query: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


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


def from_answer(answer: Any) -> HttpResponse:
    """The HTTP answer for what a function returned; raises where API Gateway could not read it either."""
    if not isinstance(answer, dict) or "statusCode" not in answer:
        return HttpResponse(200, [("Content-Type", "application/json")], json.dumps(answer).encode())
    json.dumps(answer)
    headers = [(name, str(value)) for name, value in (answer.get("headers") or {}).items()]
    headers += [("Set-Cookie", cookie) for cookie in answer.get("cookies") or []]
    body = answer.get("body") or ""
    raw = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode("utf-8")
    return HttpResponse(int(answer["statusCode"]), headers, raw)
