"""Publishes the releases: new bytes first, under addresses that nobody knows yet, and then the pointer in one move.

Each file is three objects, `<key>`, `<key>.gz` and `<key>.br`; the CDN picks one by what the client accepts. An
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
from infra.catalog.pointer import Pointer, Publication, moved
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError, Fault

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import PutObjectRequestTypeDef

ROOT = "api/ontology/"
IMMUTABLE = "public, max-age=31536000, immutable"
_ENCODINGS = {".br": "br", ".gz": "gzip"}
_WORKERS = 8


@dataclass(frozen=True)
class Stored:
    """One object as it will stand in the bucket, for ever."""

    key: str
    body: bytes
    content_type: str
    encoding: str = ""

    @property
    def etag(self) -> str:
        """The ETag that S3 gives to these bytes."""
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'


@dataclass(frozen=True)
class Published:
    """The keys that were uploaded, how many objects stood there already, and what the pointer says now."""

    uploaded: list[str]
    unchanged: int
    pointer: str


def objects(releases: list[Release]) -> list[Stored]:
    """Every object of these releases and of their pages; none of them ever changes."""
    return [each for plain in _plain(releases) for each in _with_siblings(plain)]


def pointed(releases: list[Release], current: str, before: str) -> str:
    """What the pointer says when these releases are published and `current` is the version that readers get."""
    ordered = sorted(releases, key=lambda release: release.version != current)
    return moved([Publication(each.version, page.build(each.version).digest) for each in ordered], before)


def publish(client: S3Client, bucket: str, pointer: Pointer, releases: list[Release], current: str) -> Published:
    """Uploads what the bucket lacks, then moves the pointer, at once for all paths that name no version.

    Raises `CatalogError` before any upload if the bucket holds other released bytes.
    """
    before = pointer.read()
    after = pointed(releases, current, before)
    plain, present = _plain(releases), dict(_present(client, bucket))
    _refuse_changed_releases(plain, present)
    with ThreadPoolExecutor(_WORKERS) as pool:
        done = list(pool.map(lambda each: _complete(client, bucket, each, present), plain))
    if after != before:
        pointer.move(after)
    uploaded = [key for keys in done for key in keys]
    return Published(uploaded, len(plain) * (1 + len(_ENCODINGS)) - len(uploaded), after)


def _plain(releases: list[Release]) -> list[Stored]:
    files = {f"v/{each.version}/{path}": body for each in releases for path, body in sorted(each.tree.items())}
    for built in (page.build(release.version) for release in releases):
        files |= {f"browse/{built.digest}/{name}": body for name, body in built.files.items()}
    return [_object(ROOT + path, body) for path, body in files.items()]


def _object(key: str, body: bytes) -> Stored:
    kind = mimetypes.guess_type(key)[0] or "application/octet-stream"
    return Stored(key, body, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


def _with_siblings(plain: Stored, present: Container[str] = ()) -> Iterator[Stored]:
    """The compressed siblings and the object itself, but for what is present."""
    for suffix, encoding in _ENCODINGS.items():
        if plain.key + suffix not in present:
            yield Stored(plain.key + suffix, _compressed(plain.body, encoding), plain.content_type, encoding)
    if plain.key not in present:
        yield plain


def _compressed(body: bytes, encoding: str) -> bytes:
    return bytes(brotli.compress(body)) if encoding == "br" else gzip.compress(body, mtime=0)


def _present(client: S3Client, bucket: str) -> Iterator[tuple[str, str]]:
    for batch in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=ROOT):
        for item in batch.get("Contents", []):
            yield item["Key"], item["ETag"]


def _refuse_changed_releases(plain: list[Stored], present: dict[str, str]) -> None:
    """Another compressor may pack the same bytes otherwise, so only the plain objects are compared."""
    changed = [each.key for each in plain if present.get(each.key, each.etag) != each.etag]
    if changed:
        raise CatalogError([Fault(key, "-", "-", "the bucket holds other bytes of this release") for key in changed])


def _complete(client: S3Client, bucket: str, plain: Stored, present: Container[str]) -> list[str]:
    """Uploads what the bucket lacks of one file; the keys."""
    missing = list(_with_siblings(plain, present))
    for each in missing:
        _upload(client, bucket, each)
    return [each.key for each in missing]


def _upload(client: S3Client, bucket: str, stored: Stored) -> None:
    request: PutObjectRequestTypeDef = {
        "Bucket": bucket,
        "Key": stored.key,
        "Body": stored.body,
        "ContentType": stored.content_type,
        "CacheControl": IMMUTABLE,
    }
    if stored.encoding:
        request["ContentEncoding"] = stored.encoding
    client.put_object(**request)
