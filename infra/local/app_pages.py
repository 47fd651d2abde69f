"""Serves the pages for members and guests locally, as the CDN serves them from the bucket."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from ipaddress import ip_address

from infra.local.event import HttpRequest, HttpResponse
from infra.openapi.site import File
from infra.pages.app.site import (
    CONFIG,
    MissingPackagesError,
    app_site,
    cache_control,
    config,
    object_path,
)
from infra.stack import env_file

_SHOWN = ("name", "email", "role", "session")


def page(request: HttpRequest) -> HttpResponse | None:
    """Returns a page, a file of the pages or their configuration, or None for any other path."""
    path = object_path(request.path)
    try:
        file = _file(path, request.address) if request.method in {"GET", "HEAD"} else None
    except MissingPackagesError as error:
        return HttpResponse(503, [("Content-Type", "text/plain; charset=utf-8")], f"{error}\n".encode())
    if file is None:
        return None
    headers = {"Content-Type": file.content_type, "Cache-Control": cache_control(path)}
    body = file.body
    if any(name.lower() == "accept-encoding" and "gzip" in value for name, value in request.headers):
        body = _compressed(body)
        headers["Content-Encoding"] = "gzip"
    return HttpResponse(200, [*headers.items(), ("Vary", "Accept-Encoding")], body)


def _file(path: str, address: str) -> File | None:
    return _config(address) if path == CONFIG else app_site().get(path)


@cache
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def _config(address: str) -> File:
    """Returns the configuration.

    OIDC_ISSUER and OIDC_CLIENT_ID name a provider. This machine itself is told every demo user with their session, so
    that one click signs in.
    """
    file = env_file.STATE / "demo.json"
    is_ours = ip_address(address).is_loopback
    users = json.loads(file.read_text(encoding="utf-8")).get("users", []) if is_ours and file.exists() else []
    issuer, client = os.environ.get("OIDC_ISSUER", ""), os.environ.get("OIDC_CLIENT_ID", "")
    oidc = {"issuer": issuer, "clientId": client} if issuer and client else None
    return config(oidc, [{name: user[name] for name in _SHOWN} for user in users])
