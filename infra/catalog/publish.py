"""Publishes the releases: uploads new objects under addresses that no reader knows yet, then moves the pointer.

Each file is three objects, `<key>`, `<key>.gz` and `<key>.br`; the CDN picks one by the client's `Accept-Encoding`. An
object's ETag is S3's own, the MD5 of its bytes, so that publishing again changes no ETag.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]

from infra.catalog import page
from infra.catalog.pointer import Pointer, Publication, next_text
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError, SourceError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import PutObjectRequestTypeDef

ROOT = "api/ontology/"
IMMUTABLE = "public, max-age=31536000, immutable"
_ENCODINGS = {".br": "br", ".gz": "gzip"}
_WORKERS = 8


@dataclass(frozen=True)
class CatalogObject:
    """An immutable object of the bucket."""

    key: str
    body: bytes
    content_type: str
    encoding: str = ""

    @property
    def etag(self) -> str:
        """The ETag that S3 computes for these bytes."""
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'


@dataclass(frozen=True)
class PublishResult:
    """The uploaded keys, the number of objects that existed already, and the pointer's text."""

    uploaded: list[str]
    unchanged: int
    pointer: str


def objects(releases: list[Release]) -> list[CatalogObject]:
    """Returns every object of these releases and of their pages."""
    return [obj for plain in _plain_objects(releases) for obj in _with_siblings(plain)]


def pointer_text(releases: list[Release], current: str, before: str) -> str:
    """Returns the pointer's text after these releases are published and `current` is the version that readers get.

    `before` is its present text.
    """
    ordered = sorted(releases, key=lambda release: release.version != current)
    return next_text([Publication(release.version, page.build(release.version).digest) for release in ordered], before)


def publish(client: S3Client, bucket: str, pointer: Pointer, releases: list[Release], current: str) -> PublishResult:
    """Uploads the missing objects, then moves the pointer: all paths without a version change at once.

    Raises `CatalogError` before any upload if the bucket holds other bytes of a release.
    """
    before = pointer.read()
    after = pointer_text(releases, current, before)
    plain, existing = _plain_objects(releases), dict(_existing_etags(client, bucket))
    _refuse_changed_releases(plain, existing)
    with ThreadPoolExecutor(_WORKERS) as pool:
        done = list(pool.map(lambda obj: _upload_missing(client, bucket, obj, existing), plain))
    if after != before:
        pointer.move(after)
    uploaded = [key for keys in done for key in keys]
    return PublishResult(uploaded, len(plain) * (1 + len(_ENCODINGS)) - len(uploaded), after)


def _plain_objects(releases: list[Release]) -> list[CatalogObject]:
    files = {f"v/{release.version}/{path}": body for release in releases for path, body in sorted(release.tree.items())}
    for built in (page.build(release.version) for release in releases):
        files |= {f"browse/{built.digest}/{name}": body for name, body in built.files.items()}
    return [_object(ROOT + path, body) for path, body in files.items()]


def _object(key: str, body: bytes) -> CatalogObject:
    kind = mimetypes.guess_type(key)[0] or "application/octet-stream"
    return CatalogObject(key, body, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


def _with_siblings(plain: CatalogObject, existing: Container[str] = ()) -> Iterator[CatalogObject]:
    """Yields the compressed siblings and the object itself, except those that exist."""
    for suffix, encoding in _ENCODINGS.items():
        if plain.key + suffix not in existing:
            yield CatalogObject(plain.key + suffix, _compressed(plain.body, encoding), plain.content_type, encoding)
    if plain.key not in existing:
        yield plain


def _compressed(body: bytes, encoding: str) -> bytes:
    return bytes(brotli.compress(body)) if encoding == "br" else gzip.compress(body, mtime=0)


def _existing_etags(client: S3Client, bucket: str) -> Iterator[tuple[str, str]]:
    for batch in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=ROOT):
        for item in batch.get("Contents", []):
            yield item["Key"], item["ETag"]


def _refuse_changed_releases(plain: list[CatalogObject], existing: dict[str, str]) -> None:
    """Raises `CatalogError` if the bucket holds other bytes of a release.

    It compares the plain objects only, because another compressor may give other bytes for the same content.
    """
    changed = [obj.key for obj in plain if existing.get(obj.key, obj.etag) != obj.etag]
    if changed:
        raise CatalogError(
            [SourceError(key, "-", "-", "the bucket holds other bytes of this release") for key in changed]
        )


def _upload_missing(client: S3Client, bucket: str, plain: CatalogObject, existing: Container[str]) -> list[str]:
    """Uploads the missing objects of one file and returns their keys."""
    missing = list(_with_siblings(plain, existing))
    for obj in missing:
        _upload(client, bucket, obj)
    return [obj.key for obj in missing]


def _upload(client: S3Client, bucket: str, item: CatalogObject) -> None:
    request: PutObjectRequestTypeDef = {
        "Bucket": bucket,
        "Key": item.key,
        "Body": item.body,
        "ContentType": item.content_type,
        "CacheControl": IMMUTABLE,
    }
    if item.encoding:
        request["ContentEncoding"] = item.encoding
    client.put_object(**request)
