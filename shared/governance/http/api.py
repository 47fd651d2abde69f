"""The routes of one function, and its Lambda handler: declared with `get`, `post`, ...

Routes are matched here and not by the Powertools resolver, which keeps the event being served in a class attribute and
so mixes up the requests of concurrent threads (ADR api).
"""

from __future__ import annotations

import importlib
import re
from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from governance.errors import ApiError, Code, not_found
from governance.http import serving
from governance.http.envelope import Response
from governance.http.pipeline import RequestPipeline
from governance.http.rate_limit import address_charge
from governance.http.request import Request
from governance.http.route import Access, Admission, Route, RouteGroup, derived_options
from governance.http.serving import Trace
from governance.scopes import Scope
from governance.settings import in_lambda, settings

_VALID_PATH = re.compile("(?:/(?!\\.\\.?(?:/|$))(?:(?!%2f|%5c)[^/\\\\\x00-\x1f\x7f\ud800-\udfff])+)+", re.IGNORECASE)
_WITH_SLASH = "/api/notification/"
"""The one path of the specification that ends in a slash; it is served without the slash too."""
_CONDITIONAL = {"PATCH", "PUT", "DELETE"}
"""The methods that honour `If-Match` and `If-None-Match` where a GET declared before them answers the resource."""
_ADMISSION = ("scope", "audience", "tier", "billing")
"""The options of a route that say who may call it."""
_declares_only: ContextVar[bool] = ContextVar("declares_only", default=False)


def load_api(group: str) -> Api:
    """Imports and returns the routes of a group's function, which the layer has for functions that serve others'."""
    api: Api = importlib.import_module(f"functions.{group}.handler").api
    return api


@contextmanager
def declarations_only() -> Iterator[None]:
    """Lets a function import the routes of another, to check requests to them, without the secrets that serve them."""
    token = _declares_only.set(True)
    try:
        yield
    finally:
        _declares_only.reset(token)


class Api(RouteGroup):
    """The routes of one Lambda function."""

    def __init__(self) -> None:
        super().__init__(self._serve)
        self.routes: list[Route] = []
        self._by_parameters: list[Route] = []
        self._tagged: dict[str, Route] = {}
        if not _declares_only.get():
            serving.start()

    def _serve(self, method: str, path: str, usecase: Callable[..., Any], options: Mapping[str, Any]) -> None:
        """Serves a method of a path; options that are not given follow from the rest.

        Raises `TypeError` for a route that declares no scope, and `MissingSecretError` for one that uses a secret which
        the function in Lambda does not have.
        """
        if not isinstance(options.get("scope"), Scope | Access):
            raise TypeError(f"{method} {path} names no scope")
        current = self._tagged.get(path) if method in _CONDITIONAL else None
        given = {**derived_options(method, path, usecase), "current": current, **options}
        admission = Admission(path=path, **{name: given.pop(name) for name in _ADMISSION if name in given})
        added = Route(method=method, path=path, usecase=usecase, admission=admission, **given)
        if in_lambda() and not _declares_only.get():
            settings().require(added.secrets)
        self.routes.append(added)
        if added.tagged:
            self._tagged[path] = added
        insort(self._by_parameters, added, key=lambda route: route.path.count("{"))

    def match(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Returns the route and its path parameters; raises 404 for an unknown path, 405 for another method."""
        allowed: set[str] = set()
        checked = checked_path(path)
        for route in self._by_parameters:
            if (matched := route.pattern.fullmatch(path if route.answers_always else checked)) is not None:
                if route.method == method:
                    return route, matched.groupdict()
                allowed.add(route.method)
        if allowed:
            raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(sorted(allowed))})
        raise not_found()

    def match_template(self, method: str, template: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Returns the route of a template, and the parameters of a path; None for a path of any other route or none."""
        try:
            route, params = self.match(method, path)
        except ApiError:
            return None
        return (route, params) if route.path == template else None

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        request = Request.from_event(event)
        return serving.serve(request, context, Trace(address_charge(request.address)), self._answer)

    def _answer(self, request: Request, trace: Trace) -> Response:
        route, params = self.match(request.method, request.path)
        trace.route = route.path
        return RequestPipeline(route, request, params, trace).run()


def checked_path(path: str) -> str:
    """Returns the path; no route's for one with an empty, dot or control-character segment, or an encoded slash.

    Any other text in place of an id is taken for an id that does not exist.
    """
    if path in (_WITH_SLASH, _WITH_SLASH[:-1]):
        return _WITH_SLASH
    return path if _VALID_PATH.fullmatch(path) else ""
