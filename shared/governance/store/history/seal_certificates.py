"""The certificates of the keys that seal files of minutes, as everybody reads them: one file, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from governance import aws
from governance.errors import unavailable
from governance.settings import settings
from governance.store import objects

KEY = "seal.pem"
_AS_READ: dict[str, Any] = {"ContentType": "application/x-pem-file", "CacheControl": "max-age=300"}


@dataclass(frozen=True)
class Published:
    """The published certificates as PEM, and the tag under which they are replaced; empty before the first seal."""

    pem: bytes = b""
    tag: str | None = None


def published() -> Published:
    """Returns the published certificates. Raises 503 if they cannot be read."""
    answer = objects.find(lambda: aws.s3().get_object(Bucket=settings().bucket_name, Key=KEY))
    return Published() if answer is None else Published(b"".join(objects.chunks(answer["Body"])), answer["ETag"])


def publish(certificate: bytes, before: Published) -> None:
    """Publishes a certificate, as PEM, in front of those that were read.

    Raises 503 if another one was published meanwhile: the next attempt reads it.
    """
    condition = {"IfMatch": before.tag} if before.tag else {"IfNoneMatch": "*"}
    named: dict[str, Any] = {"Bucket": settings().bucket_name, "Key": KEY, **_AS_READ, **condition}
    if objects.find(lambda: aws.s3().put_object(Body=certificate + before.pem, **named), objects.TAKEN) is None:
        raise unavailable()
