"""What the CDN does before a request reaches the API: vouch for the address, prove itself, keep odd paths out."""

from __future__ import annotations

import re
from dataclasses import replace

from infra.cdn.headers import security_headers
from infra.local.event import Headers, HttpRequest, HttpResponse

STATIC_PATHS = ("/api/ontology", "/docs", "/openapi.json", "/invite")
NOWHERE = "/-"
_OWN_HEADERS = re.compile(r"cloudfront-|x-forwarded-|x-origin-secret$", re.IGNORECASE)
# The API decodes paths before it routes them, so an encoded separator would change what a path means.
ENCODED_SEPARATOR = re.compile(r"%(2f|5c|3f|23|00)", re.IGNORECASE)


def is_static(path: str) -> bool:
    """Whether the bucket answers, not the API."""
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in STATIC_PATHS)


def to_origin(request: HttpRequest, origin_secret: str) -> HttpRequest:
    """The request as the API sees it: the client's claims about himself dropped, the CDN's own headers set."""
    headers: Headers = [pair for pair in request.headers if not _OWN_HEADERS.match(pair[0])]
    headers += [
        ("cloudfront-viewer-address", f"{request.address}:{request.port}"),
        ("x-forwarded-for", request.address),
        ("x-forwarded-proto", "http"),
    ]
    if origin_secret:
        headers.append(("x-origin-secret", origin_secret))
    target = NOWHERE if ENCODED_SEPARATOR.search(request.path) else request.target
    return replace(request, target=target, headers=headers)


def to_viewer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns the response as the client gets it: the security headers of the path replace those of the origin."""
    added = security_headers(request.path)
    kept = [(name, value) for name, value in response.headers if name.lower() not in added]
    return replace(response, headers=[*kept, *added.items()])
