"""The S3 bucket as a deployment leaves it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from governance.settings import settings
from infra import avatars
from tests.harness import sdk

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@contextmanager
def fresh_bucket() -> Iterator[S3Client]:
    """Creates a bucket that holds the neutral avatar and nothing else, and yields an S3 client."""
    client, name = sdk.s3(), settings().bucket_name
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    avatars.publish(client, name)
    yield client
    for key in keys(client):
        client.delete_object(Bucket=name, Key=key)
    client.delete_bucket(Bucket=name)


def keys(client: S3Client) -> list[str]:
    """Returns the keys of all objects in the bucket."""
    return [entry["Key"] for entry in client.list_objects_v2(Bucket=settings().bucket_name).get("Contents", [])]
