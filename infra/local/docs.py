"""Serves `/docs` and `/openapi.json` locally, as the CDN serves them from the bucket."""

from __future__ import annotations

from infra.local.event import HttpRequest, HttpResponse
from infra.openapi.site import site


def page(request: HttpRequest) -> HttpResponse | None:
    """Returns the file at a path of the documentation site, or None if it has no such file."""
    file = site().get(request.path.rstrip("/")) if request.method in {"GET", "HEAD"} else None
    if file is None:
        return None
    return HttpResponse(200, [("Content-Type", file.content_type), ("Cache-Control", "no-cache")], file.body)
