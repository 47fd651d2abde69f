"""Signed addresses of pictures in the bucket: computed here, without a call (ADR 0064)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import get_session

from governance.settings import settings

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_VALID_SECONDS = 3600
AVATARS = "avatars/"


@lru_cache(maxsize=1)
def _client() -> S3Client:
    return cast("S3Client", get_session().create_client("s3", config=Config(signature_version="s3v4")))


def signed_avatar(name: str) -> str:
    """The address of one of the neutral pictures, good for an hour."""
    target = {"Bucket": settings().bucket_name, "Key": f"{AVATARS}{name}.svg"}
    return _client().generate_presigned_url("get_object", Params=target, ExpiresIn=_VALID_SECONDS)
