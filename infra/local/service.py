"""The service behind one handler: the CDN's model in front of the bucket and of API Gateway."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping

from infra.catalog.pointer import BUCKET_KEY, KEY
from infra.cdn import distribution
from infra.cdn.javascript import Lookup
from infra.local.bucket_origin import BucketOrigin, Read, StoredObject
from infra.local.edge import Edge, Firewall, Handle, open_to_all
from infra.local.edge_cache import EdgeCache
from infra.local.event import HttpRequest, HttpResponse, error_response
from infra.openapi.site import File
from infra.pages.app.site import cache_control

LocalPage = Callable[[HttpRequest], HttpResponse | None]
"""Serves a page of this machine, in front of the CDN, or returns None for any other path."""


def service(
    api: Handle,
    read: Read,
    *,
    lookup: Lookup | None = None,
    origin_secret: str = "",
    firewall: Firewall = open_to_all,
    local: LocalPage = open_to_all,
    cache: EdgeCache | None = None,
) -> Handle:
    """Returns the handler of all paths. That of the live channel takes nothing but WebSockets (`live_gateway`).

    `read` returns the objects of the bucket. `lookup` reads the key-value store; without it, the bucket holds the
    catalog's pointer. OIDC_ISSUER is the local value of the parameter OidcOrigins, AWS_ENDPOINT_URL that of
    PapersOrigin, DOWNLOADS_ORIGIN that of DownloadsOrigin.
    """
    parameters = {
        "OidcOrigins": os.environ.get("OIDC_ISSUER", ""),
        "PapersOrigin": os.environ.get("AWS_ENDPOINT_URL", ""),
        "DownloadsOrigin": os.environ.get("DOWNLOADS_ORIGIN", ""),
    }
    edge = Edge(
        distribution.read(parameters),
        {"api": api, "bucket": BucketOrigin(read).handle, "live": lambda _: error_response(403, "Forbidden")},
        lookup or (lambda key: _pointer(read) if key == KEY else None),
        origin_secret=origin_secret,
        firewall=firewall,
        cache=cache,
    )
    return lambda request: local(request) or edge.handle(request)


def _pointer(read: Read) -> str | None:
    stored = read(BUCKET_KEY)
    return stored.body.decode() if stored else None


def published(files: Mapping[str, File]) -> Read:
    """Returns a bucket that holds these files alone, under their paths."""
    stored = {path.removeprefix("/"): _stored(path, file) for path, file in files.items()}
    return stored.get


def _stored(path: str, file: File) -> StoredObject:
    etag = f'"{hashlib.md5(file.body, usedforsecurity=False).hexdigest()}"'
    return StoredObject(file.body, etag, file.content_type, cache_control=cache_control(path))
