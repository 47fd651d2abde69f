"""A local stand-in for API Gateway: it turns HTTP requests into calls of the deployed handlers.

`infra.local.service` puts the CDN in front of it; `wsgi_application` lets tests call either in-process.
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

from infra.local.event import Event, HttpRequest, HttpResponse, error_response, to_event, to_response
from infra.local.routing import select
from infra.stack.template import Template

BODY_LIMIT = 10 * 1024 * 1024
HEADER_LIMIT = 10_240
"""Bytes of request line and headers that an HTTP API takes."""
TIMEOUT_SECONDS = 10
"""How long a request may take, as the templates have it."""
_log = logging.getLogger(__name__)

Handler = Callable[[Event, Any], Any]
LoadHandler = Callable[[str], Handler]
WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class LambdaContext:
    """The context object that the Lambda runtime passes to a handler with each event."""

    function_name: str
    memory_limit_in_mb: int = 1024
    aws_request_id: str = field(default_factory=lambda: secrets.token_hex(16))
    deadline: float = field(default_factory=lambda: time.monotonic() + TIMEOUT_SECONDS)

    @property
    def invoked_function_arn(self) -> str:
        """The ARN of the function."""
        return f"arn:aws:lambda:local:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Returns the milliseconds until the function times out."""
        return max(0, int((self.deadline - time.monotonic()) * 1000))


def load_handler(group: str) -> Handler:
    """Imports and returns the handler of a group."""
    handler: Handler = importlib.import_module(f"functions.{group}.handler").lambda_handler
    return handler


class Gateway:
    """The HTTP API and its functions in one object. It is safe to call from many threads."""

    def __init__(self, template: Template, load: LoadHandler | None = None):
        self._routes = template.routes()
        self._handlers = {group: (load or load_handler)(group) for group in {route.group for route in self._routes}}

    def handle(self, request: HttpRequest) -> HttpResponse:
        """Returns the response of the function that a path belongs to."""
        if len(request.body) > BODY_LIMIT:
            return error_response(413, "Request Entity Too Large")
        if len(request.target) + sum(len(name) + len(value) for name, value in request.headers) > HEADER_LIMIT:
            return error_response(431, "Request Header Fields Too Large")
        match = select(self._routes, request.method, request.path)
        if match is None:
            return error_response(404, "Not Found")
        group = match.route.group
        try:
            return to_response(self._handlers[group](to_event(request, match), LambdaContext(group)))
        except Exception:  # noqa: BLE001 - API Gateway answers any crash with 500
            _log.exception("The handler of %s crashed.", group)
            return error_response(500, "Internal Server Error")


def wsgi_application(handle: Callable[[HttpRequest], HttpResponse]) -> WsgiApplication:
    """Returns a WSGI application that serves requests with a handler."""

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = handle(_from_wsgi(environ))
        start_response(f"{response.status} {responses.get(response.status, '')}".strip(), response.headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else response.body]

    return respond


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
