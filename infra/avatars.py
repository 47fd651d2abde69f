"""Publishes the neutral avatar and removes the avatars of purged users (ADR documents).

`make deploy` publishes the neutral avatar; `make run` does so for a new bucket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.domain.account.avatars import NEUTRAL, neutral_avatar
from governance.store.account.avatars import object_key

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def publish(client: S3Client, bucket: str) -> None:
    """Uploads the neutral avatar. Repeating the call changes nothing."""
    client.put_object(
        Bucket=bucket,
        Key=object_key(NEUTRAL),
        Body=neutral_avatar().encode(),
        ContentType="image/svg+xml",
        CacheControl="public, max-age=86400",
    )


def remove(client: S3Client, bucket: str, user_id: str) -> None:
    """Deletes a user's avatar; the bucket deletes its old versions within a day."""
    client.delete_object(Bucket=bucket, Key=object_key(user_id))
