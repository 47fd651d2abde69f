"""The catalog's objects in a bucket, small releases to publish, and the responses that a reader gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.catalog import page
from infra.catalog.pointer import BUCKET_KEY
from infra.catalog.publish import objects, pointer_text
from infra.catalog.releases import Release
from infra.catalog.tree import canonical
from infra.local.catalog_responses import Read, StaticResponse, StoredObject, serve

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def published(releases: list[Release]) -> dict[str, StoredObject]:
    """Returns the bucket's objects after these releases were published; the first one is current."""
    stored = {
        each.key: StoredObject(each.body, each.etag, each.content_type, each.encoding) for each in objects(releases)
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

    def read(key: str) -> StoredObject | None:
        try:
            found = client.get_object(Bucket=bucket, Key=key)
        except ClientError:
            return None
        return StoredObject(found["Body"].read(), found["ETag"], found["ContentType"], found.get("ContentEncoding", ""))

    return read


def responses(read: Read, paths: list[str], under: str = "") -> list[StaticResponse]:
    """Returns the responses to GET requests for paths of the tree."""
    return [serve("GET", f"/api/ontology{under}/{path}", {}, read) for path in paths]


def tree_of(release: Release) -> dict[str, bytes]:
    """Returns the body of every unversioned path while this release is current."""
    built = page.build(release.version)
    return {**release.tree, "": release.tree["index.json"], "browse/": built.files[page.HTML]}
