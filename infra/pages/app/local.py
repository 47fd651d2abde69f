"""The pages on this machine, as the CDN serves them from the bucket."""

from __future__ import annotations

import gzip
import json
from functools import cache

from infra.local.environment import STATE
from infra.local.event import HttpRequest, HttpResponse
from infra.openapi.site import File
from infra.pages.app.site import CONFIG, app_site, config, is_immutable, object_path, security_headers


def page(request: HttpRequest) -> HttpResponse | None:
    """A page, a file of the pages or their configuration; None for any other path."""
    if request.method not in {"GET", "HEAD"}:
        return None
    path = object_path(request.path)
    file = _config() if path == CONFIG else app_site().get(path)
    if file is None:
        return None
    lasting = "public, max-age=31536000, immutable" if is_immutable(path) else "no-cache"
    headers = {"Content-Type": file.content_type, "Cache-Control": lasting, "Vary": "Accept-Encoding", **security_headers()}
    body = file.body
    accepted = next((value for name, value in request.headers if name.lower() == "accept-encoding"), "")
    if "gzip" in accepted:
        body, headers["Content-Encoding"] = _packed(file.body), "gzip"
    return HttpResponse(200, list(headers.items()), body)


@cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def _config() -> File:
    """The demo users with a session each: one click signs in."""
    found = STATE / "demo.json"
    users = json.loads(found.read_text(encoding="utf-8"))["users"] if found.exists() else []
    return config(demo=[{name: user[name] for name in ("name", "email", "role", "session")} for user in users])
