"""The catalog's objects in a bucket, small releases to publish, and the responses that a reader gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.catalog import page
from infra.catalog.pointer import BUCKET_KEY
from infra.catalog.publish import IMMUTABLE, objects, pointer_text
from infra.catalog.releases import Release
from infra.catalog.tree import canonical
from infra.local.bucket_origin import Read, StoredObject
from infra.local.edge import Handle
from infra.local.event import HttpRequest, HttpResponse
from infra.local.service import service
from infra.local.static_site import read_object

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True)
class StaticResponse:
    """A response, with the names of its headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def catalog_site(read: Read) -> Handle:
    """Returns the handler of a service with these objects and without an API."""
    return service(lambda _: HttpResponse(404, []), read)


def serve(method: str, path: str, headers: Mapping[str, str], handle: Handle) -> StaticResponse:
    """Returns the response to a request."""
    response = handle(HttpRequest(method, path, list(headers.items())))
    named = {name.lower(): value for name, value in response.headers}
    return StaticResponse(response.status, named, response.body)


def published(releases: list[Release]) -> dict[str, StoredObject]:
    """Returns the bucket's objects after these releases were published; the first one is current."""
    stored = {
        entry.key: StoredObject(entry.body, entry.etag, entry.content_type, entry.encoding, IMMUTABLE)
        for entry in objects(releases)
    }
    pointer = pointer_text(releases, releases[0].version, "").encode()
    return stored | {BUCKET_KEY: StoredObject(pointer, "", "text/plain")}


def release(version: str, text: str) -> Release:
    """Builds a small release: one record, one domain, one list and the index, which all name the version."""
    index = canonical({"version": version, "kpis": [{"rogueId": "finance.revenue"}]})
    body = canonical({"version": version, "text": text * 400})
    return Release(
        version, {"index.json": index, "search.json": body, "finance.json": body, "finance/revenue.json": body}
    )


def stored_in(client: S3Client, bucket: str) -> Read:
    """Returns a function that reads a bucket's objects as the local gateway does."""
    return lambda key: read_object(client, bucket, key)


def responses(read: Read, paths: list[str], under: str = "") -> list[StaticResponse]:
    """Returns the responses to GET requests for paths of the tree."""
    handle = catalog_site(read)
    return [serve("GET", f"/api/ontology{under}/{path}", {}, handle) for path in paths]


def tree_of(release: Release) -> dict[str, bytes]:
    """Returns the body of every unversioned path while this release is current."""
    built = page.build(release.version)
    return {**release.tree, "": release.tree["index.json"], "browse/": built.files[page.HTML]}
