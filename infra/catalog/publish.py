"""Publishes the releases to a bucket: new bytes first, pointers last, and nothing twice.

Each file is three objects, `<key>`, `<key>.gz` and `<key>.br`; the CDN picks one by what the client accepts. An
object's ETag is S3's own, the MD5 of its bytes, so that publishing again changes no ETag.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]

from infra.catalog.releases import Release
from infra.catalog.source import CatalogError, Fault
from infra.catalog.tree import INDEX

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import PutObjectRequestTypeDef

ROOT = "api/ontology/"
PAGE = Path(__file__).parent / "browse"
PAGE_FILES = ("browse.css", "expression.js", "record.js", "browse.js", "index.html")
IMMUTABLE = "public, max-age=31536000, immutable"
POINTER = "public, max-age=300, s-maxage=86400, stale-while-revalidate=86400"
_ENCODINGS = {".br": "br", ".gz": "gzip"}
_WORKERS = 8


@dataclass(frozen=True)
class Stored:
    """One object as it will stand in the bucket."""

    key: str
    body: bytes
    content_type: str
    cache_control: str
    encoding: str = ""

    @property
    def etag(self) -> str:
        """The ETag that S3 gives to these bytes."""
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'


@dataclass(frozen=True)
class Published:
    """The keys that were uploaded, in order, and how many objects stood there already."""

    uploaded: list[str]
    unchanged: int


def steps(releases: list[Release]) -> list[list[Stored]]:
    """What to upload, in order: versions, then records, lists and page, and the index at last.

    A reader of the index finds whatever it names; a step begins when the one before is done.
    """
    latest = releases[0].tree
    records = {path for path in latest if "/" in path}
    versions = [
        _object(f"{ROOT}v/{release.version}/{path}", body, IMMUTABLE)
        for release in releases
        for path, body in sorted(release.tree.items())
    ]
    pointers = [_pointers(latest, records), _pointers(latest, latest.keys() - records - {INDEX})]
    page = [_object(f"{ROOT}browse/{name}", (PAGE / name).read_bytes(), POINTER) for name in PAGE_FILES]
    return [_with_siblings(step) for step in (versions, *pointers, page, _pointers(latest, {INDEX}))]


def publish(client: S3Client, bucket: str, releases: list[Release]) -> Published:
    """Brings the bucket to the releases; raises `CatalogError` before any upload if it holds other released bytes."""
    present = dict(_present(client, bucket))
    plan = steps(releases)
    _refuse_changed_releases(plan, present)
    uploaded: list[str] = []
    for step in plan:
        missing = [each for each in step if _is_missing(each, present)]
        with ThreadPoolExecutor(_WORKERS) as pool:
            list(pool.map(lambda each: _upload(client, bucket, each), missing))
        uploaded.extend(each.key for each in missing)
    return Published(uploaded, sum(map(len, plan)) - len(uploaded))


def _pointers(tree: dict[str, bytes], paths: set[str]) -> list[Stored]:
    return [_object(ROOT + path, tree[path], POINTER) for path in sorted(paths)]


def _object(key: str, body: bytes, cache_control: str) -> Stored:
    kind = mimetypes.guess_type(key)[0] or "application/octet-stream"
    return Stored(key, body, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind, cache_control)


def _with_siblings(step: list[Stored]) -> list[Stored]:
    """Each object behind its compressed siblings: who finds the plain one finds them too."""
    return [each for plain in step for each in (*_siblings(plain), plain)]


def _siblings(plain: Stored) -> Iterator[Stored]:
    for suffix, encoding in _ENCODINGS.items():
        body = _compressed(plain.body, encoding)
        yield Stored(plain.key + suffix, body, plain.content_type, plain.cache_control, encoding)


@cache
def _compressed(body: bytes, encoding: str) -> bytes:
    """Most bodies stand twice, under their version and as the pointer: they are packed once."""
    return bytes(brotli.compress(body)) if encoding == "br" else gzip.compress(body, mtime=0)


def _present(client: S3Client, bucket: str) -> Iterator[tuple[str, str]]:
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=ROOT):
        for item in page.get("Contents", []):
            yield item["Key"], item["ETag"]


def _is_missing(stored: Stored, present: dict[str, str]) -> bool:
    if stored.cache_control == IMMUTABLE:
        return stored.key not in present
    return present.get(stored.key) != stored.etag


def _refuse_changed_releases(plan: list[list[Stored]], present: dict[str, str]) -> None:
    """Another compressor may pack the same bytes otherwise, so only the plain objects are compared."""
    plain = [each for step in plan for each in step if each.cache_control == IMMUTABLE and not each.encoding]
    changed = [each.key for each in plain if present.get(each.key, each.etag) != each.etag]
    if changed:
        raise CatalogError([Fault(key, "-", "-", "the bucket holds other bytes of this release") for key in changed])


def _upload(client: S3Client, bucket: str, stored: Stored) -> None:
    request: PutObjectRequestTypeDef = {
        "Bucket": bucket,
        "Key": stored.key,
        "Body": stored.body,
        "ContentType": stored.content_type,
        "CacheControl": stored.cache_control,
    }
    if stored.encoding:
        request["ContentEncoding"] = stored.encoding
    client.put_object(**request)
