"""The store engine of a test run: moto in this process, or a separate engine at an endpoint."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from moto import mock_aws
from moto.core.model_instances import model_data
from moto.s3.models import s3_backends

from governance import aws, telemetry
from governance.http import rate_limit
from governance.http.recent_admissions import public_admissions, recent_admissions
from governance.http.verified_sessions import verified_sessions
from governance.settings import settings
from governance.store import dynamodb
from governance.store.account import avatars
from governance.store.client import connections
from governance.usecases.account import tokens
from infra.local import engine as local
from infra.stack import download_key
from infra.stack.template import Template
from tests.harness import keys, observed_table, queue, sdk
from tests.harness.logs import CurrentStdout
from tests.harness.moto_shortcuts import shortcuts
from tests.harness.programs import ROOT, packages, program

_PATIENCE_SECONDS = 60.0
"""How long an engine may take for an answer: no request of many threads fails because the machine is busy."""
ENVIRONMENT = {
    "AWS_REGION": "eu-west-1",
    "AWS_DEFAULT_REGION": "eu-west-1",
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_EC2_METADATA_DISABLED": "true",
    "ROOT_URL": "https://governance.example.com",
    "BUCKET_NAME": "static-test",
    "PAPERS_BUCKET": "papers-test",
    "JWT_ISSUER": "board-governance-local",
    "JWT_AUDIENCE": "board-governance",
    "JWT_ALGORITHMS": "HS256",
    "JWT_SECRET": "local-development-secret-not-for-production",
    "CURSOR_SECRET": "a-secret-for-cursors-in-tests",
    "BALLOT_SECRET": "a-secret-for-ballots-in-tests",
    "INVITE_LINK_SECRET": "a-secret-for-invite-links-in-tests",
    "DOWNLOADS_ORIGIN": "https://files.example.com",
    "DOWNLOAD_KEY_ID": "KDOWNLOADS",
    "DOWNLOAD_KEY": download_key.draw(),
    "WEBHOOK_KEY_ID": "alias/webhooks-in-tests",
    **{
        f"{name.upper()}_QUEUE_URL": f"https://sqs.eu-west-1.amazonaws.com/123456789012/{name}" for name in queue.QUEUES
    },
    "WEBHOOKS_CONCURRENCY": "50",
    "SLOW_WEBHOOKS_CONCURRENCY": "50",
    "LOG_KEY_ID": "arn:aws:kms:eu-west-1:123456789012:key/of-the-log",
    "SEAL_KEY_ID": "arn:aws:kms:eu-west-1:123456789012:key/of-the-seals",
    "MAIL_SENDER": "no-reply@governance.example.com",
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_METRICS_DISABLED": "true",
}
WITHOUT_RATE_LIMIT = dict.fromkeys(("RATE_LIMIT_PRINCIPAL", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_FLOOD"), str(10**9))
_TABLE = Template().table()
_numbers = itertools.count()


@contextmanager
def running(engine: str) -> Iterator[None]:
    """Runs the engine for a whole test run: `moto`, `dynamodb-local`, or the URL of a running one."""
    os.environ.update(ENVIRONMENT)
    if engine == "moto":
        with mock_aws(), shortcuts():
            yield
    elif engine == local.DYNAMODB_LOCAL:
        program("java")
        packages(ROOT / ".local/npm")
        with TemporaryDirectory() as folder:
            started = local.dynamodb_local(Path(folder) / "log")
            os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = started.environment["AWS_ENDPOINT_URL"]
            with mock_aws():  # the buckets: this engine has none
                yield
            started.stop()
    else:
        os.environ["AWS_ENDPOINT_URL"] = engine
        yield


@contextmanager
def empty_account() -> Iterator[None]:
    """Serves an account of moto in which nothing exists, also where the whole test run has another one."""
    account = f"{next(_numbers):012d}"
    with mock_aws(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOTO_ACCOUNT_ID", account)
        yield
        s3_backends[account]["aws"].reset()  # the names of buckets are shared by all accounts


@contextmanager
def fresh_table(**environment: str) -> Iterator[str]:
    """Creates an empty table under a new name and clears everything that the process cached for the last one."""
    name = f"test-{os.getpid()}-{next(_numbers)}"
    os.environ.update(ENVIRONMENT)
    os.environ.update({"TABLE_NAME": name, **environment})
    clear_caches()
    queue.install()
    keys.install()
    client = sdk.dynamodb()
    client.create_table(**description(name))
    try:
        yield name
    finally:
        client.delete_table(TableName=name)
        _forget_tracked_instances()
        for variable in environment:
            os.environ.pop(variable, None)


@contextmanager
def fresh_threaded_table(endpoint: str) -> Iterator[str]:
    """Creates a table of the engine at an endpoint, without a rate limit, for a store with real threads."""
    with ThreadPoolExecutor(32, thread_name_prefix="store-side") as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynamodb, "_pool", pool)
        patch.setattr(connections, "READ_SECONDS", _PATIENCE_SECONDS)
        patch.setitem(os.environ, "AWS_ENDPOINT_URL", endpoint)
        with fresh_table(**WITHOUT_RATE_LIMIT) as name:
            yield name


def _forget_tracked_instances() -> None:
    """Frees the tables, indexes and items that moto tracks, copies included: it keeps them until the process ends."""
    models: Iterable[Any] = model_data["dynamodb"].values()
    for model in models:
        model.instances_tracked.clear()


def clear_caches() -> None:
    """Clears what an execution environment keeps between requests, except the SDK's data, which are slow to load."""
    settings.cache_clear()
    telemetry.logger.cache_clear()
    telemetry.logger().setLevel(None)
    setattr(telemetry.logger().registered_handler, "stream", CurrentStdout())  # noqa: B010 - of a handler of streams
    _renew_clients(os.environ.get("AWS_ENDPOINT_URL"))
    clear_rate_leases()
    clear_recent_admissions()
    verified_sessions.clear()
    clear_token_uses()
    clear_avatar_cache()


@lru_cache(maxsize=1)
def _renew_clients(endpoint: str | None) -> None:  # noqa: ARG001 - the cache remembers it
    """Forgets the clients if another endpoint is used than the last time; a client is slow to create."""
    observed_table.renew()
    for client in (aws.kms, aws.lambda_, aws.s3, aws.s3_for_copies, aws.sesv2, aws.sqs):
        client.cache_clear()


def clear_rate_leases() -> None:
    """Clears the rate-limit leases, as in a new execution environment."""
    rate_limit._principals.clear()
    rate_limit._addresses.clear()


def clear_recent_admissions() -> None:
    """Forgets the credentials that were admitted lately, so that reads start as in a new execution environment."""
    recent_admissions.clear()
    public_admissions.clear()


def clear_token_uses() -> None:
    """Clears the recorded last uses of tokens."""
    tokens._recorded.clear()


def clear_avatar_cache() -> None:
    """Clears the list of avatars that are known to be in the bucket."""
    avatars._put.cache_clear()


def description(name: str) -> dict[str, Any]:
    """Describes the table as the template does, without its stream."""
    described = ("BillingMode", "AttributeDefinitions", "KeySchema", "LocalSecondaryIndexes")
    return {"TableName": name, **{part: _TABLE[part] for part in described}}
