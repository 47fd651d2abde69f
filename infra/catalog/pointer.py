"""The pointer: one small text that says what is published and what is current. Moving it is how a release goes live.

It lists publications, `<version>/<page>` with blanks between, the current one first. Whoever answers for a path without
a version reads it once and answers from that release alone (ADR 0073).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from botocore.exceptions import ClientError

from infra.catalog.source import CatalogError, Fault

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "publications"
BUCKET_KEY = f"catalog/{KEY}"
CACHE_CONTROL = "public, max-age=300, s-maxage=86400, stale-while-revalidate=86400"
MAX_LENGTH = 1024  # of a value in the CDN's key-value store
_EARLIER = 8  # publications remembered, so that a page which a browser still holds finds the rest of its files


class Publication(NamedTuple):
    """A released version, and the digest of the page that was built for it."""

    version: str
    page: str


class Pointer(Protocol):
    """Where the text lies."""

    def read(self) -> str:
        """The text; empty where nothing has been published."""

    def move(self, text: str) -> None:
        """Replace the text that was read last, at once for every reader."""


def parse(text: str) -> list[Publication]:
    """The publications, the current one first."""
    return [Publication(*each.split("/")) for each in text.split()]


def moved(now: Sequence[Publication], before: str) -> str:
    """The text for the publications `now` and, after them, what was published `before` and is not forgotten.

    A released version is never forgotten, a page after some more publications. Raises `CatalogError` if it grows
    too long.
    """
    kept = list(now)
    for each in parse(before):
        is_recent = len(kept) < len(now) + _EARLIER
        if each not in kept and (is_recent or each.version not in {other.version for other in kept}):
            kept.append(each)
    text = " ".join("/".join(each) for each in kept)
    if len(text) > MAX_LENGTH:
        raise CatalogError([Fault(KEY, "-", "-", f"longer than the {MAX_LENGTH} characters that the CDN takes")])
    return text


class BucketPointer:
    """An object of the bucket, which S3 replaces whole: the pointer of `make run`."""

    def __init__(self, client: S3Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def read(self) -> str:
        """The text; empty where nothing has been published."""
        try:
            return self._client.get_object(Bucket=self._bucket, Key=BUCKET_KEY)["Body"].read().decode()
        except self._client.exceptions.NoSuchKey:
            return ""

    def move(self, text: str) -> None:
        """Replace the text."""
        self._client.put_object(Bucket=self._bucket, Key=BUCKET_KEY, Body=text.encode())


class EdgePointer:
    """A value of the CDN's key-value store, which the function at the edge reads."""

    def __init__(self, client: Any, arn: str) -> None:
        self._client = client
        self._arn = arn
        self._etag = ""

    def read(self) -> str:
        """The text; empty where nothing has been published."""
        self._etag = self._client.describe_key_value_store(KvsARN=self._arn)["ETag"]
        try:
            return str(self._client.get_key(KvsARN=self._arn, Key=KEY)["Value"])
        except self._client.exceptions.ResourceNotFoundException:
            return ""

    def move(self, text: str) -> None:
        """Replace the text; raises `CatalogError` where somebody else has done so since it was read."""
        try:
            self._client.put_key(KvsARN=self._arn, Key=KEY, Value=text, IfMatch=self._etag)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConflictException":
                raise
            raise CatalogError([Fault(KEY, "-", "-", "moved by somebody else meanwhile: publish again")]) from error
