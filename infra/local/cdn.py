"""What the CDN does before a request reaches the API.

It sets the client's address, adds the origin secret, and keeps paths with encoded separators from the API.
"""

from __future__ import annotations

import re
from dataclasses import replace

from infra.cdn.headers import security_headers
from infra.local.event import Headers, HttpRequest, HttpResponse

STATIC_PATHS = ("/api/ontology", "/docs", "/openapi.json", "/invite", "/app", "/boards", "/guest")
ROOT = "/"
UNROUTABLE_PATH = "/-"
_OWN_HEADERS = re.compile(r"cloudfront-|x-forwarded-|x-origin-secret$|x-viewer-address$", re.IGNORECASE)
# The API decodes a path before it routes it, so an encoded separator would change the meaning of the path.
ENCODED_SEPARATOR = re.compile(r"%(2f|5c|3f|23|00)", re.IGNORECASE)


def is_static(path: str) -> bool:
    """Returns whether the CDN serves a path from the bucket and not from the API."""
    return path == ROOT or any(path == prefix or path.startswith(f"{prefix}/") for prefix in STATIC_PATHS)


def to_origin(request: HttpRequest, origin_secret: str) -> HttpRequest:
    """Returns the request as the API sees it: with the CDN's own headers, and without any that the client made up."""
    headers: Headers = [pair for pair in request.headers if not _OWN_HEADERS.match(pair[0])]
    headers += [
        ("x-viewer-address", request.address),
        ("x-forwarded-for", request.address),
        ("x-forwarded-proto", "http"),
    ]
    if origin_secret:
        headers.append(("x-origin-secret", origin_secret))
    target = UNROUTABLE_PATH if ENCODED_SEPARATOR.search(request.path) else request.target
    return replace(request, target=target, headers=headers)


def to_viewer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns the response as the client gets it: the security headers of the path replace those of the origin."""
    added = security_headers(request.path)
    kept = [(name, value) for name, value in response.headers if name.lower() not in added]
    return replace(response, headers=[*kept, *added.items()])
