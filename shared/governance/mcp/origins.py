"""Pages that call the MCP endpoint from a browser: only the service's own may (ADR 0105)."""

from __future__ import annotations

from urllib.parse import urlsplit

from governance.errors import forbidden
from governance.http.request import Request
from governance.settings import settings

_LOOPBACK = {"localhost": "127.0.0.1"}


def check_origin(request: Request) -> None:
    """Raises 403 for a request from a page of another origin than the service's own."""
    origin = request.headers.get("origin")
    if origin is not None and _host(origin) != _host(settings().root_url):
        raise forbidden("Pages of other origins may not call this.")


def _host(url: str) -> tuple[str, str, int | None] | None:
    """Returns scheme, host and port of an origin, with one name for this machine; None for what is no origin."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        return parts.scheme, _LOOPBACK.get(host, host), parts.port
    except ValueError:
        return None
