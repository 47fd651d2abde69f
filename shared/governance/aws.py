"""The SDK's clients, one of each per process; no other module creates one.

Each has attempts and time-outs that fit into a function's time (ADR 0081). A client itself may be used by many threads.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config

from governance import deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sqs import SQSClient

_USER_AGENT = "board-governance"
"""Fixed, because the SDK composes its own for every call."""
_THROTTLING = {"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"}
_creation = threading.Lock()
"""The SDK's default session must not create two clients at once."""


def _config(attempts: int, read_timeout: int = 2, **more: Any) -> Config:
    """Returns the settings of a client; its time-outs, in seconds, are those of one attempt."""
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    return Config(retries=retries, connect_timeout=1, read_timeout=read_timeout, **more)


@lru_cache(maxsize=1)
def dynamodb() -> DynamoDBClient:
    """Returns the client of the table: at most three attempts of two seconds each, over connections that stay open."""
    config = _config(3, max_pool_connections=64, parameter_validation=False, user_agent=_USER_AGENT)
    with _creation:
        client = boto3.client("dynamodb", config=config)
    client.meta.events.register_first("before-send.dynamodb", _check_deadline)
    client.meta.events.register_first("needs-retry.dynamodb", _check_deadline_of_retry)
    return client


def _check_deadline(**_: Any) -> None:
    """Keeps the SDK from an attempt for which no time is left."""
    deadline.check(deadline.STORE_ATTEMPT_SECONDS)


def _check_deadline_of_retry(response: Any, caught_exception: Exception | None, **_: Any) -> None:
    """Keeps the SDK from sleeping before an attempt for which no time is left."""
    failed = caught_exception is not None or response[0].status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if failed or response[1].get("Error", {}).get("Code") in _THROTTLING:
        deadline.check(deadline.STORE_ATTEMPT_SECONDS)


@lru_cache(maxsize=1)
def s3() -> S3Client:
    """Returns the client of the bucket.

    Virtual addressing signs the region's own host. The global host redirects for a new bucket, and a signed address
    does not survive a redirect.
    """
    config = _config(2, signature_version="s3v4", s3={"addressing_style": "virtual"})
    with _creation:
        return boto3.client("s3", config=config)


@lru_cache(maxsize=1)
def sesv2() -> SESV2Client:
    """Returns the client of the mail service. It never tries twice: that could be a second e-mail."""
    with _creation:
        return boto3.client("sesv2", config=_config(1, read_timeout=4))


@lru_cache(maxsize=1)
def kms() -> KMSClient:
    """Returns the client of the key service, which encrypts the secrets of webhooks."""
    with _creation:
        return boto3.client("kms", config=_config(2))


@lru_cache(maxsize=1)
def sqs() -> SQSClient:
    """Returns the client of the queue of deliveries. A message that is sent twice does no harm."""
    with _creation:
        return boto3.client("sqs", config=_config(3))
