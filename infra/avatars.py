"""The pictures in the bucket that an operator sees to: the neutral one, and those of purged users (ADR 0064).

`make deploy` publishes the neutral picture, and so does `make run` for a new bucket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.domain.avatars import NEUTRAL, neutral_avatar
from governance.store.avatars import object_key

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def publish(client: S3Client, bucket: str) -> None:
    """Put the neutral picture into the bucket; doing so again changes nothing."""
    client.put_object(
        Bucket=bucket,
        Key=object_key(NEUTRAL),
        Body=neutral_avatar().encode(),
        ContentType="image/svg+xml",
        CacheControl="public, max-age=86400",
    )


def remove(client: S3Client, bucket: str, user_id: str) -> None:
    """Take a user's own picture out of the bucket; its old versions follow within a day."""
    client.delete_object(Bucket=bucket, Key=object_key(user_id))
