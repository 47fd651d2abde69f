"""The clients of the SDK by which tests prepare what the service finds; a client is slow to create."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import boto3

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client


def dynamodb() -> DynamoDBClient:
    """Returns the client of the engine that the environment names. No hook of the service's client sees its calls."""
    return _dynamodb(os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") or os.environ.get("AWS_ENDPOINT_URL"))


def s3() -> S3Client:
    """Returns the client of the buckets where the environment says."""
    return _s3(os.environ.get("AWS_ENDPOINT_URL"))


@cache
def _dynamodb(endpoint: str | None) -> DynamoDBClient:
    return boto3.client("dynamodb", endpoint_url=endpoint)


@cache
def _s3(endpoint: str | None) -> S3Client:
    return boto3.client("s3", endpoint_url=endpoint)
