"""The record of what ended (ADR restore): its bucket, and what the stream tells of the changes between two moments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from infra.local.stream import matches
from infra.stack.template import Template
from tests.harness.stream import process_records, record
from tests.harness.table_snapshot import TableSnapshot

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUCKET = "revocations-test"
_SECOND = 1_900_000_000.0
"""When the stream says that everything happened: after all that a test writes."""


@contextmanager
def record_bucket(client: S3Client) -> Iterator[None]:
    """Creates an empty bucket for the record, as a deployment does."""
    client.create_bucket(
        Bucket=BUCKET,
        CreateBucketConfiguration={"LocationConstraint": "eu-west-1"},
        ObjectLockEnabledForBucket=True,
    )
    try:
        yield
    finally:
        empty_record(client)
        client.delete_bucket(Bucket=BUCKET)


def empty_record(client: S3Client) -> None:
    """Deletes what the bucket holds."""
    for version in client.list_object_versions(Bucket=BUCKET).get("Versions", []):
        client.delete_object(Bucket=BUCKET, Key=version["Key"], VersionId=version["VersionId"])


def stream_changes(before: TableSnapshot, after: TableSnapshot) -> None:
    """Passes what changed between two moments through the stream's filter to its function."""
    changes = [_change(key, before.items.get(key), after.items.get(key)) for key in before.items | after.items]
    recorded = [change for change in changes if change and any(matches(pattern, change) for pattern in _patterns())]
    if recorded:
        assert process_records(recorded) == []


def _change(key: tuple[str, str], old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any] | None:
    if old == new:
        return None
    name = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
    change = record(new if new is not None else {"PK": key[0], "SK": key[1]}, name)
    change["dynamodb"]["ApproximateCreationDateTime"] = _SECOND
    if new is None:
        del change["dynamodb"]["NewImage"]
    return change


@cache
def _patterns() -> list[Any]:
    function = Template().resources("AWS::Serverless::Function")["EventsFunction"]
    filters = function["Events"]["Outbox"]["Properties"]["FilterCriteria"]["Filters"]
    return [json.loads(entry["Pattern"]) for entry in filters]


def with_purge(snapshot: TableSnapshot, user_id: str) -> TableSnapshot:
    """Returns the moment with the row that a purge begins with, which its end deletes."""
    key = (f"USER#{user_id}", "PURGE")
    snapshot.items[key] = {"PK": key[0], "SK": key[1], "userId": user_id}
    return snapshot
