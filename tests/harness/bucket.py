"""The bucket as a deployment leaves it; use it as `from tests.harness.bucket import bucket` in a conftest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3
import pytest

from governance.settings import settings
from infra import avatars

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def bucket(store: str) -> Iterator[S3Client]:  # noqa: ARG001 - a fixture needs another
    """A client of a bucket that holds the neutral picture and nothing else."""
    client, name = boto3.client("s3"), settings().bucket_name
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    avatars.publish(client, name)
    yield client
    for key in keys(client):
        client.delete_object(Bucket=name, Key=key)
    client.delete_bucket(Bucket=name)


def keys(client: S3Client) -> list[str]:
    """The keys of all that lies there."""
    return [entry["Key"] for entry in client.list_objects_v2(Bucket=settings().bucket_name).get("Contents", [])]
