"""The bucket lets the distribution read what publishing puts there for it, and nothing else."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from infra import avatars
from infra.catalog import publish as catalog
from infra.catalog.pointer import BucketPointer
from infra.pages.app.site import app_site
from infra.publish import page_files, upload
from tests.contract.templates import MAIN, STACKS
from tests.harness.catalog import release

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUCKET = "static"
POINTER = "api/ontology/publications"
"""Where a bucket without a CDN keeps what the key-value store has in the cloud."""
(DISTRIBUTION,) = STACKS["cdn"].resources("AWS::CloudFront::Distribution").values()
PATTERNS = [each["PathPattern"] for each in DISTRIBUTION["DistributionConfig"]["CacheBehaviors"]]
(ALLOW,) = [
    statement
    for statement in MAIN.resources("AWS::S3::BucketPolicy")["StaticBucketPolicy"]["PolicyDocument"]["Statement"]
    if statement["Sid"] == "OurDistribution"
]
ALLOWED = [resource["Fn::Sub"].removeprefix("${StaticBucket.Arn}/") for resource in ALLOW["Resource"]]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["S3Client"]:
    monkeypatch.setattr(catalog, "_WORKERS", 1)  # the engine of this test serves one call at a time
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
        client.create_bucket(Bucket=BUCKET)
        yield client


def published(client: "S3Client") -> set[str]:
    """Publishes as `make deploy` does and returns the keys."""
    upload(client, BUCKET, page_files(app_site()))
    avatars.publish(client, BUCKET)
    catalog.publish(client, BUCKET, BucketPointer(client, BUCKET), [release("1.0.0", "old")], "1.0.0")
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    return {item["Key"] for page in pages for item in page["Contents"]}


def is_served(key: str) -> bool:
    return any(fnmatchcase(f"/{key}", pattern) for pattern in PATTERNS)


def is_allowed(key: str) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in ALLOWED)


def test_the_distribution_may_read_every_published_object_that_it_serves_and_no_other(client: "S3Client") -> None:
    keys = published(client)
    assert {key.split("/")[0] for key in keys} >= {"api", "app", "avatars", "docs", "openapi.json"}
    assert {key for key in keys if is_served(key)} == {key for key in keys if is_allowed(key)}


def test_the_distribution_may_read_nothing_where_nothing_is_published(client: "S3Client") -> None:
    keys = published(client)
    unpublished = [pattern for pattern in ALLOWED if not any(fnmatchcase(key, pattern) for key in keys)]
    assert unpublished == ["log/*"], "which the sealer writes"
    assert not is_allowed("avatars/olivia.svg")
    assert not [pattern for pattern in ALLOWED if re.match(r"\*|[^/]*\*$", pattern)]
