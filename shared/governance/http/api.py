"""The routes of one function, and its Lambda handler: declared with `get`, `post`, ...

Routes are matched here and not by the Powertools resolver, which keeps the event being served in a class attribute and
so mixes up requests that threads serve side by side (ADR 0010). Every answer, errors included, leaves here with its
request id and its rate headers; nothing a client sends gets a 500.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from governance import telemetry
from governance.errors import ApiError, Code, forbidden, not_found
from governance.http import envelope
from governance.http.envelope import Response
from governance.http.pipeline import RequestPipeline, address_lease
from governance.http.request import ORIGIN_SECRET, Request
from governance.http.route import Access, Route
from governance.models.base import Body
from governance.scopes import Scope, Tier
from governance.settings import in_lambda, settings
from governance.store import table
from governance.telemetry import Metric

_PARAMETER = re.compile(r"\{(\w+)\}")
_SOUND_PATH = re.compile("(?:/(?!\\.\\.?(?:/|$))(?:(?!%2f|%5c)[^/\\\\\x00-\x1f\x7f\ud800-\udfff])+)+", re.IGNORECASE)
_WITH_SLASH = "/api/notification/"
"""The one path of the specification that ends in a slash; it answers without it too."""


class Api:
    """A group of routes behind one Lambda function."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self._patterns: list[tuple[re.Pattern[str], Route]] = []
        if in_lambda():
            table.client()

    def route(
        self, method: str, path: str, usecase: Callable[..., Any], *, scope: Scope | Access, **options: Any
    ) -> None:
        """Serve a method of a path; `options` are those of `Route`, with what follows from the path filled in."""
        if not isinstance(scope, Scope | Access):
            raise TypeError(f"{method} {path} names no scope")
        on_board = "{boardId}" in path
        usual = {
            "idempotent": path.startswith("/api/v1/") and method == "POST",
            "billing": on_board and method != "GET",
            "tier": Tier.GUEST if on_board else None,
        }
        added = Route(method=method, path=path, usecase=usecase, scope=scope, **{**usual, **options})
        self.routes.append(added)
        self._patterns.append((re.compile(_PARAMETER.sub(r"(?P<\1>[^/]+)", path)), added))
        self._patterns.sort(key=lambda pair: pair[0].groups)

    def get(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serve GET."""
        self.route("GET", path, usecase, **options)

    def post(self, path: str, usecase: Callable[..., Any], *, body: type[Body] | None = None, **options: Any) -> None:
        """Serve POST; 201 unless said otherwise."""
        self.route("POST", path, usecase, body=body, **{"status": 201, **options})

    def put(self, path: str, usecase: Callable[..., Any], *, body: type[Body] | None = None, **options: Any) -> None:
        """Serve PUT."""
        self.route("PUT", path, usecase, body=body, **options)

    def patch(self, path: str, usecase: Callable[..., Any], *, body: type[Body], **options: Any) -> None:
        """Serve PATCH."""
        self.route("PATCH", path, usecase, body=body, **options)

    def delete(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serve DELETE."""
        self.route("DELETE", path, usecase, **options)

    def match(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """The route and its parameters; 404 for an unknown path, 405 for a method that a known path does not take."""
        allowed: set[str] = set()
        for pattern, route in self._patterns:
            if (found := pattern.fullmatch(path)) is not None:
                if route.method == method:
                    return route, found.groupdict()
                allowed.add(route.method)
        if allowed:
            raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(sorted(allowed))})
        raise not_found()

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """The Lambda handler."""
        call = _Call(self, Request.from_event(event))
        telemetry.begin_invocation(context, call.request_id)
        return call.answer()


class _Call:
    """One invocation: what the log line and the headers need to know of it, whatever happens."""

    def __init__(self, api: Api, request: Request) -> None:
        self._api = api
        self._request = request
        self.request_id = f"req_{secrets.token_hex(8)}"
        self._exchange: RequestPipeline | None = None

    def answer(self) -> dict[str, Any]:
        started = time.perf_counter()
        reply = self._reply()
        spent = int((time.perf_counter() - started) * 1000)
        kind = self._exchange.principal_kind if self._exchange else "none"
        telemetry.log_request(self._request.method, self._template, reply.status, kind, spent)
        if reply.status == Code.RATE_LIMITED.status:
            telemetry.count(Metric.REQUESTS_THROTTLED, kind)
        budget = self._exchange.rate_lease if self._exchange else address_lease(self._request)
        return reply.event({"x-request-id": self.request_id, **budget.headers()})

    @property
    def _template(self) -> str:
        return self._exchange.route.path if self._exchange else "unrouted"

    def _reply(self) -> Response:
        try:
            _check_origin(self._request)
            route, params = self._api.match(self._request.method, _sound(self._request.path))
            self._exchange = RequestPipeline(route, self._request, params)
            return self._exchange.run()
        except ApiError as error:
            return envelope.error(error, self.request_id)
        except Exception as error:  # noqa: BLE001 - whatever is left is a defect of ours, and still answered
            telemetry.log_error("crash", error, route=self._template)
            telemetry.count(Metric.CRASHES, self._template)
            return envelope.error(ApiError(Code.INTERNAL_ERROR), self.request_id)


def _sound(path: str) -> str:
    """The path, if each of its slashes parts something: none doubled, trailing or encoded, and no dots to climb by.

    Whatever else stands in the place of an id is an id that nothing has.
    """
    if path in (_WITH_SLASH, _WITH_SLASH[:-1]):
        return _WITH_SLASH
    if not _SOUND_PATH.fullmatch(path):
        raise not_found()
    return path


def _check_origin(request: Request) -> None:
    """Only the CDN knows the origin's secret: whoever calls past it is refused. Two hold while one is changed."""
    accepted = settings().origin_secrets
    given = request.headers.get(ORIGIN_SECRET, "").encode("utf-8", "surrogatepass")
    if accepted and not any(hmac.compare_digest(given, secret.encode()) for secret in accepted):
        raise forbidden("This address is not served directly.")
