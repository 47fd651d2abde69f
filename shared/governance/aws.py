"""The SDK's clients, one of each per process; no other module creates one.

Each has attempts and time-outs that fit into a function's time (ADR requests). A client itself may be used by many
threads. The SDK is imported when a client is first used: the table has a client of its own (`store/client`), and most
requests call nothing else.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boto3 import Session
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
    from mypy_boto3_apigatewaymanagementapi import ApiGatewayManagementApiClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sqs import SQSClient

_creation = threading.Lock()
"""The SDK's default session must not create two clients at once."""


def _config(attempts: int, read_timeout: int = 2, **more: Any) -> Config:
    """Returns the settings of a client; its time-outs, in seconds, are those of one attempt."""
    from botocore.config import Config

    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    return Config(retries=retries, connect_timeout=1, read_timeout=read_timeout, **more)


def errors() -> tuple[type[BotoCoreError], type[ClientError]]:
    """Returns the errors of the SDK's calls, for an `except` that imports them only where something was raised."""
    from botocore.exceptions import BotoCoreError, ClientError

    return BotoCoreError, ClientError


def refusal() -> type[ClientError]:
    """Returns the error of a call that a service has refused."""
    return errors()[1]


def no_answer() -> type[BotoCoreError]:
    """Returns the error of a call that a service has not answered, or that was not made."""
    return errors()[0]


@lru_cache(maxsize=1)
def session() -> Session:
    """Returns the SDK's session: where credentials and region are found that the environment does not name."""
    import boto3

    with _creation:
        return boto3.Session()


@lru_cache(maxsize=1)
def s3() -> S3Client:
    """Returns the client of the bucket.

    Virtual addressing signs the region's own host. The global host redirects for a new bucket, and a signed address
    does not survive a redirect.
    """
    return _s3(attempts=2)


@lru_cache(maxsize=1)
def s3_for_copies() -> S3Client:
    """Returns a client of the bucket that waits until a file of 100 MB is copied, and makes one attempt.

    A copy whose answer is late is found by the next request for it.
    """
    return _s3(attempts=1, read_timeout=5)


def _s3(attempts: int, read_timeout: int = 2) -> S3Client:
    import boto3

    config = _config(attempts, read_timeout, signature_version="s3v4", s3={"addressing_style": "virtual"})
    with _creation:
        return boto3.client("s3", config=config)


@lru_cache(maxsize=1)
def sesv2() -> SESV2Client:
    """Returns the client of the mail service. It never tries twice: that could be a second e-mail."""
    import boto3

    with _creation:
        return boto3.client("sesv2", config=_config(1, read_timeout=4))


@lru_cache(maxsize=1)
def kms() -> KMSClient:
    """Returns the client of the key service, which encrypts the secrets of webhooks."""
    import boto3

    with _creation:
        return boto3.client("kms", config=_config(2))


@lru_cache(maxsize=1)
def apigatewaymanagementapi(endpoint: str) -> ApiGatewayManagementApiClient:
    """Returns the client of the connections of the live channel. It never tries twice: that could be a second ring."""
    import boto3

    with _creation:
        config = _config(1, max_pool_connections=32)
        return boto3.client("apigatewaymanagementapi", endpoint_url=endpoint, config=config)


@lru_cache(maxsize=1)
def lambda_() -> LambdaClient:
    """Returns the client that invokes the function of rings. One that comes twice does no harm."""
    import boto3

    with _creation:
        return boto3.client("lambda", config=_config(2))


@lru_cache(maxsize=1)
def sqs() -> SQSClient:
    """Returns the client of the queue of deliveries. A message that is sent twice does no harm."""
    import boto3

    with _creation:
        return boto3.client("sqs", config=_config(3))
