"""The SDK's clients, one of each per process; no other module creates one.

Each has attempts and time-outs that fit into a function's time (ADR 0081). A client itself may be used by many threads.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client

_USER_AGENT = "board-governance"
"""Fixed, because the SDK composes its own anew for every call."""
_creation = threading.Lock()
"""The SDK's default session must not create two clients at once."""


@lru_cache(maxsize=1)
def dynamodb() -> DynamoDBClient:
    """Returns the client of the table: at most three attempts of two seconds each, over connections that stay open."""
    config = Config(
        retries={"mode": "standard", "total_max_attempts": 3},
        connect_timeout=1,
        read_timeout=2,
        max_pool_connections=64,
        parameter_validation=False,
        user_agent=_USER_AGENT,
    )
    with _creation:
        return boto3.client("dynamodb", config=config)


@lru_cache(maxsize=1)
def s3() -> S3Client:
    """Returns the client of the bucket.

    Virtual addressing signs the region's own host. The global host redirects for a new bucket, and a signed address
    does not survive a redirect.
    """
    config = Config(
        signature_version="s3v4",
        s3={"addressing_style": "virtual"},
        retries={"mode": "standard", "total_max_attempts": 2},
        connect_timeout=1,
        read_timeout=2,
    )
    with _creation:
        return boto3.client("s3", config=config)


@lru_cache(maxsize=1)
def sesv2() -> SESV2Client:
    """Returns the client of the mail service. It never tries twice: that could be a second e-mail."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 1}, connect_timeout=1, read_timeout=4)
    with _creation:
        return boto3.client("sesv2", config=config)
