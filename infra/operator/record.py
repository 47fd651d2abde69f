"""Reads the record of what ended (ADR restore)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3

from governance.ids import UserId
from governance.settings import settings
from governance.store.history.revocations import PREFIX, Revocation

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def recorded() -> Iterator[Revocation]:
    """Yields the whole record, in the order of time; nothing without a bucket."""
    bucket = settings().revocations_bucket
    if not bucket:
        return
    client: S3Client = boto3.client("s3")
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=PREFIX):
        for entry in page.get("Contents", []):
            body = client.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            yield Revocation(**json.loads(body))


def purged_users() -> list[UserId]:
    """Returns the users whose purges are recorded."""
    return [user_of(revocation) for revocation in recorded() if revocation.kind == "purge"]


def user_of(revocation: Revocation) -> UserId:
    """Returns the user whose row a revocation names."""
    return UserId(revocation.pk.partition("#")[2])
