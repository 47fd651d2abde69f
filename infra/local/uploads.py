"""Teaches the local engine what S3 does with a form: it ignores fields behind the file, and checks and keeps checksums.

The engine takes a form's file without looking at it, and so could not say afterwards what it holds (ADR documents).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from ministack.services import s3

_FIELD = "x-amz-checksum-sha256"

Post = Callable[[str, bytes, dict[str, str]], Any]


def with_checksums(post: Post) -> Post:
    """Returns the engine's handler of forms, which checks order and checksum first, and keeps that with the object."""

    def handle(bucket_name: str, body: bytes, headers: dict[str, str]) -> Any:
        listed = [(part[0].lower(), part[-1]) for part in s3._parse_multipart_form(headers["content-type"], body)]
        parts = dict(listed)
        names = [name for name, _ in listed]
        late = names[names.index("file") + 1 :] if "file" in names else []
        if "key" in late:
            return s3._error("InvalidArgument", "Bucket POST must contain a field named 'key' before the file.", 400)
        if late:
            return s3._error("AccessDenied", "Access Denied", 403)
        stated = parts.get(_FIELD, b"").decode("latin-1")
        if not stated:
            return post(bucket_name, body, headers)
        digest = base64.b64encode(hashlib.sha256(parts.get("file", b"")).digest()).decode()
        if stated != digest:
            return s3._error("BadDigest", "The SHA256 you specified did not match the calculated checksum.", 400)
        answer = post(bucket_name, body, headers)
        stored = s3._ensure_bucket(bucket_name)["objects"].get(parts.get("key", b"").decode())
        if answer[0] < 300 and stored is not None:
            stored["checksums"] = {"SHA256": digest}
        return answer

    return handle


def keep_checksums() -> None:
    """Makes the engine of this process check and keep the checksums of forms."""
    s3._post_object = with_checksums(s3._post_object)
