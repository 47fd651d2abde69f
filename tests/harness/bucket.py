"""The S3 buckets as a deployment leaves them."""

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
    """Creates a bucket that holds the neutral avatar alone, and an empty one of papers; yields an S3 client."""
    client, names = sdk.s3(), (settings().bucket_name, settings().papers_bucket)
    for name in names:
        client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    client.put_bucket_versioning(Bucket=names[1], VersioningConfiguration={"Status": "Enabled"})
    avatars.publish(client, names[0])
    try:
        yield client
    finally:
        for name in names:
            listed = client.list_object_versions(Bucket=name)
            for version in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]:
                client.delete_object(Bucket=name, Key=version["Key"], VersionId=version["VersionId"])
            client.delete_bucket(Bucket=name)


def keys(client: S3Client, bucket: str = "") -> list[str]:
    """Returns the keys of all objects in a bucket, by default that of the pages."""
    listed = client.list_objects_v2(Bucket=bucket or settings().bucket_name)
    return [entry["Key"] for entry in listed.get("Contents", [])]
