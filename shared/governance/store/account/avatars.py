"""Pictures in the bucket: put there when events are delivered; their URLs are signed without a call (ADR documents)."""

from __future__ import annotations

from functools import lru_cache

from governance import aws
from governance.settings import settings

_VALID_SECONDS = 3600
_FOLDER = "avatars/"
_KEPT = "public, max-age=3600"


_client = aws.s3


def object_key(name: str) -> str:
    """Returns the object key of a picture, which is named by a user's id or is the neutral one."""
    return f"{_FOLDER}{name}.svg"


def signed_url(name: str) -> str:
    """Returns the signed URL of a picture, valid for an hour."""
    target = {"Bucket": settings().bucket_name, "Key": object_key(name)}
    return _client().generate_presigned_url("get_object", Params=target, ExpiresIn=_VALID_SECONDS)


def put(name: str, drawing: str) -> bool:
    """Puts a picture into the bucket; returns whether it is there now.

    A picture that this process has put there before is not put again.
    """
    try:
        _put(settings().bucket_name, name, drawing)
    except aws.errors():
        return False
    return True


@lru_cache(maxsize=1024)
def _put(bucket: str, name: str, drawing: str) -> None:
    body = drawing.encode()
    _client().put_object(
        Bucket=bucket, Key=object_key(name), Body=body, ContentType="image/svg+xml", CacheControl=_KEPT
    )
