"""Serves `/invite/…` locally, as the CDN serves it from the bucket."""

from __future__ import annotations

from infra.local.event import HttpRequest, HttpResponse
from infra.pages.site import invite_page, object_path

_HEADERS = [("Cache-Control", "no-cache")]


def page(request: HttpRequest) -> HttpResponse | None:
    """Returns the invitation page, its style sheet or its script, or None for any other path."""
    file = invite_page().get(object_path(request.path)) if request.method in {"GET", "HEAD"} else None
    return HttpResponse(200, [("Content-Type", file.content_type), *_HEADERS], file.body) if file else None
