"""The routes of one function, and its Lambda handler: declared with `get`, `post`, ...

Routes are matched here and not by the Powertools resolver, which keeps the event being served in a class attribute and
so mixes up the requests of concurrent threads (ADR 0010). Every response, errors included, leaves here with its request
id and its rate headers.
"""

from __future__ import annotations

import hmac
import importlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from governance import deadline, telemetry
from governance.errors import ApiError, Code, forbidden, not_found
from governance.http import envelope
from governance.http.envelope import Response
from governance.http.pipeline import RequestPipeline
from governance.http.rate_limit import RateCharge, address_lease
from governance.http.request import ORIGIN_SECRET, Request
from governance.http.route import Access, Route, RouteGroup, derived_options
from governance.scopes import Scope
from governance.settings import Secret, in_lambda, settings
from governance.store import dynamodb
from governance.telemetry import Metric

_PARAMETER = re.compile(r"\{(\w+)\}")
_VALID_PATH = re.compile("(?:/(?!\\.\\.?(?:/|$))(?:(?!%2f|%5c)[^/\\\\\x00-\x1f\x7f\ud800-\udfff])+)+", re.IGNORECASE)
_WITH_SLASH = "/api/notification/"
"""The one path of the specification that ends in a slash; it is served without the slash too."""
_CONDITIONAL = {"PATCH", "PUT", "DELETE"}
"""The methods that honour `If-Match` and `If-None-Match` where a GET declared before them answers the resource."""
_declares_only: ContextVar[bool] = ContextVar("declares_only", default=False)


class Exchange(Protocol):
    """What answers one request, and says afterwards what its log line and its rate headers state."""

    @property
    def charge(self) -> RateCharge | None:
        """The charge against the rate window that the request counted in."""

    @property
    def principal_kind(self) -> str:
        """The kind of the caller's credential."""

    @property
    def logged_as(self) -> str:
        """What the log calls the request, without an id."""

    def run(self) -> Response:
        """Answers the request, or raises the error that is the response."""


def load_api(group: str) -> Api:
    """Imports and returns the routes of a group's function, which the layer has for functions that serve others'."""
    found: Api = importlib.import_module(f"functions.{group}.handler").api
    return found


@contextmanager
def declarations_only() -> Iterator[None]:
    """Lets a function import the routes of another, to judge requests to them, without the secrets that serve them."""
    token = _declares_only.set(True)
    try:
        yield
    finally:
        _declares_only.reset(token)


def _serves() -> bool:
    return in_lambda() and not _declares_only.get()


class Api(RouteGroup):
    """The routes of one Lambda function."""

    def __init__(self) -> None:
        super().__init__(self._serve)
        self.routes: list[Route] = []
        self._patterns: list[tuple[re.Pattern[str], Route]] = []
        self._tagged: dict[str, Route] = {}
        if _serves():
            settings().require([Secret.ORIGIN])
            dynamodb.client()

    def _serve(self, method: str, path: str, usecase: Callable[..., Any], options: Mapping[str, Any]) -> None:
        """Serves a method of a path; options that are not given follow from the rest.

        Raises `TypeError` for a route that declares no scope, and `MissingSecretError` for one that uses a secret which
        the function in Lambda does not have.
        """
        if not isinstance(options.get("scope"), Scope | Access):
            raise TypeError(f"{method} {path} names no scope")
        current = self._tagged.get(path) if method in _CONDITIONAL else None
        derived = {**derived_options(method, path, usecase), "current": current}
        added = Route(method=method, path=path, usecase=usecase, **{**derived, **options})
        if _serves():
            settings().require(added.secrets)
        self.routes.append(added)
        if added.tagged:
            self._tagged[path] = added
        text = "(?s:.+)" if added.answers_always else "[^/]+"
        self._patterns.append((re.compile(_PARAMETER.sub(rf"(?P<\1>{text})", path)), added))
        self._patterns.sort(key=lambda pair: pair[0].groups)

    def match(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Returns the route and its path parameters; raises 404 for an unknown path, 405 for another method."""
        allowed: set[str] = set()
        checked = checked_path(path)
        for pattern, route in self._patterns:
            if (matched := pattern.fullmatch(path if route.answers_always else checked)) is not None:
                if route.method == method:
                    return route, matched.groupdict()
                allowed.add(route.method)
        if allowed:
            raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(sorted(allowed))})
        raise not_found()

    def exchange(self, request: Request) -> Exchange:
        """Returns the steps of a request; raises 404 for an unknown path, 405 for another method."""
        route, params = self.match(request.method, request.path)
        return RequestPipeline(route, request, params)

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        invocation = _Invocation(self, Request.from_event(event))
        telemetry.begin_invocation(context, invocation.request.id)
        deadline.begin(context)
        return invocation.answer()


class _Invocation:
    """One invocation, with what its log line and its headers state, whether it succeeds or fails."""

    def __init__(self, api: Api, request: Request) -> None:
        self._api = api
        self.request = request
        self._exchange: Exchange | None = None

    def answer(self) -> dict[str, Any]:
        started = time.perf_counter()
        response = self._response()
        spent = int((time.perf_counter() - started) * 1000)
        kind = self._exchange.principal_kind if self._exchange else "none"
        telemetry.log_request(self.request.method, self._template, response.status, kind, spent)
        if response.status == Code.RATE_LIMITED.status:
            telemetry.count(Metric.REQUESTS_THROTTLED, kind)
        charge = self._exchange.charge if self._exchange else None
        lease = charge.lease if charge else address_lease(self.request.address)
        return response.event({"x-request-id": self.request.id, **lease.headers()})

    @property
    def _template(self) -> str:
        return self._exchange.logged_as if self._exchange else "unrouted"

    def _response(self) -> Response:
        try:
            check_origin(self.request)
            self._exchange = self._api.exchange(self.request)
            return self._exchange.run()
        except ApiError as error:
            return envelope.error(error, self.request.id)
        except Exception as error:  # noqa: BLE001 - any other exception is a defect of ours, answered with a 500
            telemetry.log_error("crash", error, route=self._template)
            telemetry.count(Metric.CRASHES, self._template)
            return envelope.error(ApiError(Code.INTERNAL_ERROR), self.request.id)


def checked_path(path: str) -> str:
    """Returns the path; no route's for one with an empty, dot or control-character segment, or an encoded slash.

    Any other text in place of an id is taken for an id that does not exist.
    """
    if path in (_WITH_SLASH, _WITH_SLASH[:-1]):
        return _WITH_SLASH
    return path if _VALID_PATH.fullmatch(path) else ""


def check_origin(request: Request) -> None:
    """Raises 403 for a request that bypasses the CDN, which alone knows the origin's secret.

    Two secrets are accepted while one replaces the other.
    """
    accepted = settings().origin_secrets
    given = request.headers.get(ORIGIN_SECRET, "").encode("utf-8", "surrogatepass")
    if accepted and not any(hmac.compare_digest(given, secret.encode()) for secret in accepted):
        raise forbidden("This address is not served directly.")
