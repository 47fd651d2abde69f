"""The gateway of this machine: HTTP in, the handlers that are deployed, HTTP out.

`Gateway.handle` is the whole of it; `wsgi` lets tests call it in-process, `infra.local.server` puts it on a port.
"""

from __future__ import annotations

import importlib
import io
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.client import responses
from typing import Any

from infra.local import cdn
from infra.local.event import Event, HttpRequest, HttpResponse, from_answer, message, to_event
from infra.local.routing import select
from infra.local.template import Template

BODY_LIMIT = 10 * 1024 * 1024
_TIMEOUT_SECONDS = 10
_log = logging.getLogger(__name__)

Handler = Callable[[Event, Any], Any]
Load = Callable[[str], Handler]
Page = Callable[[HttpRequest], HttpResponse | None]


@dataclass(frozen=True)
class LambdaContext:
    """What the runtime hands to a handler beside the event."""

    function_name: str
    memory_limit_in_mb: int = 1024
    aws_request_id: str = field(default_factory=lambda: secrets.token_hex(16))
    deadline: float = field(default_factory=lambda: time.monotonic() + _TIMEOUT_SECONDS)

    @property
    def invoked_function_arn(self) -> str:
        """The function's name in the cloud."""
        return f"arn:aws:lambda:local:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function would be stopped."""
        return max(0, int((self.deadline - time.monotonic()) * 1000))


def load_handler(group: str) -> Handler:
    """The handler of a group, imported once."""
    handler: Handler = importlib.import_module(f"functions.{group}.handler").lambda_handler
    return handler


def no_page(_: HttpRequest) -> HttpResponse | None:
    """No page beside the API."""
    return None


class Gateway:
    """CDN, HTTP API and functions in one object; safe to use from many threads."""

    def __init__(
        self,
        template: Template,
        *,
        origin_secret: str = "",
        static: Page = no_page,
        page: Page = no_page,
        load: Load | None = None,
    ):
        self._routes = template.routes()
        self._handlers = {group: (load or load_handler)(group) for group in {route.group for route in self._routes}}
        self._origin_secret = origin_secret
        self._static = static
        self._page = page

    def handle(self, request: HttpRequest) -> HttpResponse:
        """The answer to a request, from wherever the cloud would have it from."""
        return self._page(request) or cdn.to_viewer(request, self._origin(request))

    def _origin(self, request: HttpRequest) -> HttpResponse:
        page = self._static(request) if cdn.is_static(request.path) else None
        return page or self._api(cdn.to_origin(request, self._origin_secret))

    def _api(self, request: HttpRequest) -> HttpResponse:
        if len(request.body) > BODY_LIMIT:
            return message(413, "Request Entity Too Large")
        match = select(self._routes, request.method, request.path)
        if match is None:
            return message(404, "Not Found")
        group = match.route.group
        try:
            return from_answer(self._handlers[group](to_event(request, match), LambdaContext(group)))
        except Exception:  # noqa: BLE001 - whatever it is, the client sees what API Gateway would say
            _log.exception("the handler of %s crashed", group)
            return message(500, "Internal Server Error")

    def wsgi(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The same as a WSGI application."""
        answer = self.handle(_from_wsgi(environ))
        start_response(f"{answer.status} {responses.get(answer.status, '')}".strip(), answer.headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else answer.body]


def _from_wsgi(environ: dict[str, Any]) -> HttpRequest:
    headers = [
        (name[5:].replace("_", "-").lower(), value) for name, value in environ.items() if name.startswith("HTTP_")
    ]
    headers += [
        (name.replace("_", "-").lower(), environ[name])
        for name in ("CONTENT_TYPE", "CONTENT_LENGTH")
        if environ.get(name)
    ]
    body = environ.get("wsgi.input", io.BytesIO()).read(int(environ.get("CONTENT_LENGTH") or 0))
    query = environ.get("QUERY_STRING", "")
    target = (
        environ["REQUEST_URI"] if "?" in environ["REQUEST_URI"] or not query else f"{environ['REQUEST_URI']}?{query}"
    )
    return HttpRequest(environ["REQUEST_METHOD"], target, headers, body, environ.get("REMOTE_ADDR", "127.0.0.1"))
