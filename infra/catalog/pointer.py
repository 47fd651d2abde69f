"""The pointer: one small text that says what is published and what is current. A release goes live by moving it.

It lists publications, `<version>/<page>` separated by blanks, the current one first. Code that answers a path without a
version reads it once and answers from that release alone (ADR catalog).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from botocore.exceptions import ClientError

from infra.catalog.source import CatalogError, SourceError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "publications"
BUCKET_KEY = f"catalog/{KEY}"
CACHE_CONTROL = "public, max-age=300, s-maxage=86400, stale-while-revalidate=86400"
MAX_LENGTH = 1024  # the limit of a value in the CDN's key-value store
_EARLIER = 8  # earlier publications to keep, so that a page in a browser can still load its files


class Publication(NamedTuple):
    """A released version with the digest of the page that was built for it."""

    version: str
    page: str


class Pointer(Protocol):
    """A store of the pointer's text."""

    def read(self) -> str:
        """Returns the text; empty if nothing has been published."""

    def move(self, text: str) -> None:
        """Replaces the text that was read last, at once for every reader."""


def parse(text: str) -> list[Publication]:
    """Returns the publications, the current one first."""
    return [Publication(*entry.split("/")) for entry in text.split()]


def next_text(now: Sequence[Publication], before: str) -> str:
    """Returns the text for the publications `now`, followed by the earlier ones of the text `before` that are kept.

    A released version is always kept, a page for some more publications. Raises `CatalogError` if the text is too long.
    """
    kept = list(now)
    for publication in parse(before):
        is_recent = len(kept) < len(now) + _EARLIER
        if publication not in kept and (is_recent or publication.version not in {other.version for other in kept}):
            kept.append(publication)
    text = " ".join("/".join(publication) for publication in kept)
    if len(text) > MAX_LENGTH:
        raise CatalogError(
            [SourceError(KEY, "-", "-", f"is longer than the {MAX_LENGTH} characters that the CDN accepts")]
        )
    return text


class BucketPointer:
    """The pointer of `make run`: an object of the bucket, which S3 replaces atomically."""

    def __init__(self, client: S3Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def read(self) -> str:
        """Returns the text; empty if nothing has been published."""
        try:
            return self._client.get_object(Bucket=self._bucket, Key=BUCKET_KEY)["Body"].read().decode()
        except self._client.exceptions.NoSuchKey:
            return ""

    def move(self, text: str) -> None:
        """Replaces the text."""
        self._client.put_object(Bucket=self._bucket, Key=BUCKET_KEY, Body=text.encode())


class EdgePointer:
    """The pointer of the CDN: a value of its key-value store, which the edge function reads."""

    def __init__(self, client: Any, arn: str) -> None:
        self._client = client
        self._arn = arn
        self._etag = ""

    def read(self) -> str:
        """Returns the text; empty if nothing has been published."""
        self._etag = self._client.describe_key_value_store(KvsARN=self._arn)["ETag"]
        try:
            return str(self._client.get_key(KvsARN=self._arn, Key=KEY)["Value"])
        except self._client.exceptions.ResourceNotFoundException:
            return ""

    def move(self, text: str) -> None:
        """Replaces the text; raises `CatalogError` if it changed since it was read."""
        try:
            self._client.put_key(KvsARN=self._arn, Key=KEY, Value=text, IfMatch=self._etag)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConflictException":
                raise
            raise CatalogError([SourceError(KEY, "-", "-", "changed since it was read: publish again")]) from error
