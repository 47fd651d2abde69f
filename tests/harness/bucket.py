"""The S3 bucket as a deployment leaves it; import it in a conftest: `from tests.harness.bucket import bucket`."""

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
def bucket(store: str) -> Iterator[S3Client]:  # noqa: ARG001 - requested for its effect
    """An S3 client for a bucket that holds the neutral avatar and nothing else."""
    client, name = boto3.client("s3"), settings().bucket_name
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    avatars.publish(client, name)
    yield client
    for key in keys(client):
        client.delete_object(Bucket=name, Key=key)
    client.delete_bucket(Bucket=name)


def keys(client: S3Client) -> list[str]:
    """Returns the keys of all objects in the bucket."""
    return [entry["Key"] for entry in client.list_objects_v2(Bucket=settings().bucket_name).get("Contents", [])]
