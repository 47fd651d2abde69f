"""The certificates of the keys that seal files of minutes, as everybody reads them: one file, the newest first.

Each is an entry of the log, whose salt everybody knows: who has a certificate finds its entry.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from governance import aws
from governance.errors import unavailable
from governance.instants import Instant
from governance.settings import settings
from governance.store import objects
from governance.store.history.leaves import SALT, TEXT
from governance.store.schema.history import seal_certificate_key
from governance.store.schema.keys import make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import ABSENT, Put

KEY = "seal.pem"
_AS_READ: dict[str, Any] = {"ContentType": "application/x-pem-file", "CacheControl": "max-age=300"}
_KNOWN_SALT = base64.b64encode(bytes(32)).decode()


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


def log(sha256: str, since: Instant) -> None:
    """Lets the log hold the SHA-256 of a certificate, as hexadecimal digits, once; it is one from `since` on.

    Raises `StaleRead` if that was done at the same moment, and 503.
    """
    key = seal_certificate_key(since, sha256)
    if read_one(key) is None:
        text = json.dumps({"object": "seal_certificate", "sha256": sha256})
        transact([Put(make_item(key, {TEXT: text, SALT: _KNOWN_SALT}), ABSENT)])
