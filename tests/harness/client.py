"""Calls the deployed handlers with the events that API Gateway would send."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jwt

from governance.errors import ApiError, Code
from governance.http.api import Api
from governance.http.route import Route
from governance.limits import LAMBDA_ANSWER_BYTES
from governance.mcp.server import McpEndpoint
from infra.openapi.responses import codes as documented_codes
from tests.harness.privileges import acting_as

FUNCTIONS = Path(__file__).parents[2] / "functions"
_NEXT = re.compile(r'<https://governance\.example\.com[^?]+\?(.+)>; rel="next"')
SECRET = "local-development-secret-not-for-production"
ISSUER, AUDIENCE = "board-governance-local", "board-governance"


def load(path: Path) -> Any:
    """Imports a handler's module as Lambda does."""
    spec = importlib.util.spec_from_file_location(f"functions_{path.parent.name}_handler", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WITHOUT_ROUTES = (
    *("calendar", "deliveries", "events", "exporter", "inbound", "live", "minutes_files", "packer", "ringer"),
    *("sealer", "webhook_sender"),
)
HANDLERS: dict[str, Any] = {
    path.parent.name: load(path)
    for path in sorted(FUNCTIONS.glob("*/handler.py"))
    if path.parent.name not in WITHOUT_ROUTES
}
APIS: dict[str, Api] = {group: module.api for group, module in HANDLERS.items() if hasattr(module, "api")}
MCP: McpEndpoint = HANDLERS["mcp"].lambda_handler
GROUPS = {id(module.lambda_handler): group for group, module in HANDLERS.items()}
ROUTES: list[Route] = [route for api in APIS.values() for route in api.routes]


def session(email: str, subject: str | None = None, /, **claims: Any) -> str:
    """Returns a session JWT. `claims` override the usual ones; None removes a claim."""
    now = int(time.time())
    defaults = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": subject or email,
        "iat": now,
        "exp": now + 400 * 86_400,  # tests move the clock
        "email": email,
        "email_verified": True,
        "given_name": email.split("@", maxsplit=1)[0].capitalize(),
        "family_name": "Tester",
    }
    merged = {name: value for name, value in {**defaults, **claims}.items() if value is not None}
    return jwt.encode(merged, SECRET, "HS256")


@dataclass(frozen=True)
class Response:
    """The response to a request."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def data(self) -> Any:
        return self.json["data"]

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])

    @property
    def has_envelope(self) -> bool:
        """Whether the response is an error in the envelope; those of invite codes are not."""
        return isinstance(self.json, dict) and "error" in self.json

    @property
    def details(self) -> Any:
        return self.json["error"]["details"]

    @property
    def fields(self) -> dict[str, str]:
        return dict(self.details["fields"])

    @property
    def failure(self) -> tuple[int, str]:
        """Status and error code, to compare both in one assertion."""
        return self.status, self.code


@dataclass
class Client:
    """An API client, with or without a bearer credential."""

    bearer: str | None = None
    address: str = "203.0.113.7"
    headers: dict[str, str] = field(default_factory=dict)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | str = "",
        headers: Mapping[str, str] | None = None,
        raw: str | None = None,
    ) -> Response:
        """Sends one request. `body` is sent as JSON, `raw` unchanged."""
        text = raw if raw is not None else None if body is None else json.dumps(body)
        sent = {"x-viewer-address": self.address, **self.headers}
        if self.bearer is not None:
            sent["authorization"] = f"Bearer {self.bearer}"
        if text is not None:
            sent["content-type"] = "application/json"
        sent |= headers or {}
        raw_query = query if isinstance(query, str) else urlencode(query, doseq=True)
        event = gateway_event(method, path, raw_query, sent, text)
        handler = handler_for(method, path)
        with acting_as(GROUPS[id(handler)]):
            reply = handler(event, None)
        assert len(json.dumps(reply)) <= LAMBDA_ANSWER_BYTES, "Lambda would refuse the response"
        response = Response(reply["statusCode"], reply["headers"], _text(reply))
        if isinstance(handler, Api):
            check_documented(handler, method, path, response)
        return response

    def get(self, path: str, **query: Any) -> Response:
        return self.call("GET", path, query=query)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("POST", path, body, headers=named)

    def put(self, path: str, body: Any = None) -> Response:
        return self.call("PUT", path, body)

    def patch(self, path: str, body: Any = None) -> Response:
        return self.call("PATCH", path, body)

    def delete(self, path: str) -> Response:
        return self.call("DELETE", path)

    def pages(self, path: str, **query: Any) -> Iterator[list[Any]]:
        """Yields every page of a list."""
        cursor: dict[str, str] = {}
        while True:
            response = self.get(path, **query, **cursor)
            assert response.status == 200, response.text
            yield response.data
            if not response.json["meta"]["hasMore"]:
                assert response.json["meta"]["nextCursor"] is None
                return
            cursor = {"cursor": response.json["meta"]["nextCursor"]}

    def all(self, path: str, **query: Any) -> list[Any]:
        """Returns all entries of a list, from all of its pages."""
        return [entry for page in self.pages(path, **query) for entry in page]

    def linked(self, path: str, query: str = "", **headers: str) -> Iterator[Response]:
        """Yields the answers of a list that goes on in `Link`."""
        while True:
            response = self.call("GET", path, query=query, headers=headers)
            assert response.status == 200, response.text
            yield response
            if "link" not in response.headers:
                return
            match = _NEXT.fullmatch(response.headers["link"])
            assert match is not None
            query = match[1]


def _text(reply: Mapping[str, Any]) -> str:
    """Returns the body as a client that accepts gzip reads it."""
    if not reply["isBase64Encoded"]:
        return str(reply["body"])
    return gzip.decompress(base64.b64decode(reply["body"])).decode()


def gateway_event(
    method: str, path: str, raw_query: str, headers: Mapping[str, str], body: str | None
) -> dict[str, Any]:
    """Builds an API Gateway event, payload format 2.0."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": quote(path, safe="/%:@!$&'()*+,;=~"),
        "rawQueryString": raw_query,
        "headers": dict(headers),
        "requestContext": {"http": {"method": method, "path": path, "sourceIp": "198.51.100.1"}, "stage": "$default"},
        "body": body,
        "isBase64Encoded": False,
    }


def handler_for(method: str, path: str) -> Api | McpEndpoint:
    """Returns the handler that API Gateway would route to: one that knows the path, else the fallback."""
    if path == "/mcp":
        return MCP
    known = APIS["fallback"]
    path = "/api/notification/" if path == "/api/notification" else path
    for api in APIS.values():
        try:
            api.match(method, path)
        except ApiError as error:
            if error.code is Code.METHOD_NOT_ALLOWED:
                known = api
        else:
            return api
    return known


_FOR_ALL_ROUTES = {Code.INTERNAL_ERROR.name, Code.NOT_ACCEPTABLE.name}
"""A 500 is a defect, which no route documents; the overview documents the 406 for all of them."""


def check_documented(handler: Api, method: str, path: str, response: Response) -> None:
    """Asserts that the API document names the error code of a response among those of the route."""
    if response.status < 400 or not response.has_envelope or response.code in _FOR_ALL_ROUTES:
        return
    try:
        route, _ = handler.match(method, path)
    except ApiError:
        return
    assert response.code in _documented(route), f"{route.method} {route.path} does not document {response.failure}"


@cache
def _documented(route: Route) -> set[str]:
    return {code.name for codes in documented_codes(route).values() for code in codes}
