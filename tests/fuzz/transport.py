"""How cases reach the service: over HTTP to a local port, or directly to the gateway in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.transport.wsgi import WSGI_TRANSPORT

from infra.local.bucket_origin import BucketOrigin
from infra.local.edge import Handle
from infra.local.event import HttpRequest, HttpResponse
from infra.local.gateway import Gateway, wsgi_application
from infra.local.server import Server, bind
from infra.local.service import published
from infra.openapi.site import site
from infra.stack.template import Template

Load = Callable[[SchemathesisConfig], Any]
"""Loads the OpenAPI document from the service; its cases are sent to where it was loaded from."""
_SOCKET_OPTIONS = ("max_redirects", "verify", "cert")


@cache
def _service() -> Handle:
    """Returns the gateway and the document, without the CDN's model: that refuses methods which the API must judge."""
    api, documents = Gateway(Template()).handle, BucketOrigin(published(site())).handle

    def handle(request: HttpRequest) -> HttpResponse:
        if request.path == "/openapi.json":
            return documents(request)
        if request.path == "/api/notification/":  # the edge function drops the slash
            request = replace(request, target=request.target.replace("/?", "?", 1).removesuffix("/"))
        return api(request)

    return handle


def _without_gzip(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Calls the gateway for a client that does not accept gzip."""
    return wsgi_application(_service())({**environ, "HTTP_ACCEPT_ENCODING": "identity"}, start_response)


@contextmanager
def over_http() -> Iterator[Load]:
    """Serves the gateway and all handlers on a free port."""
    with Server(bind("127.0.0.1", 0), _service()) as server:
        url = f"http://127.0.0.1:{server.port}/openapi.json"
        yield lambda config: schemathesis.openapi.from_url(url, config=config)


@contextmanager
def in_process() -> Iterator[Load]:
    """Calls the same gateway without a socket.

    When a check repeats a request, schemathesis 4.32 passes socket options to werkzeug's client, which rejects them.
    """
    send = WSGI_TRANSPORT.send

    def send_without_socket(case: Any, **options: Any) -> Any:
        if options.get("session") is None:
            options = {name: value for name, value in options.items() if name not in _SOCKET_OPTIONS}
        return send(case, **options)

    WSGI_TRANSPORT.send = send_without_socket  # type: ignore[method-assign]
    try:
        yield lambda config: schemathesis.openapi.from_wsgi("/openapi.json", _without_gzip, config=config)
    finally:
        WSGI_TRANSPORT.send = send  # type: ignore[method-assign]


TRANSPORTS = {"in-process": in_process, "over HTTP": over_http}
