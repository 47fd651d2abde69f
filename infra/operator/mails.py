"""`boardctl mails`: which mails of calendars were set aside, and why (ADR calendars)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import boto3
import click

from governance.instants import Instant, format_instant
from governance.mail.inbox import REFUSED
from infra.stack.env_file import state_of_service

_SUFFIX = ".txt"


class _SetAside(NamedTuple):
    at: Instant
    mail: str
    reason: str


@click.command()
@click.option("--bucket", envvar="MAILS_BUCKET", help="The bucket of received mails; without it, those of `make run`.")
def mails(bucket: str | None) -> None:
    """List the mails that were set aside, newest first, each with its reason, as JSON lines.

    Answers of calendars that change nothing are set aside, and nobody is notified. A line names the mail by the id that
    the mail service gave it, and nothing of its content. In the cloud, the list goes back two days.
    """
    for mail in sorted(_in_bucket(bucket) if bucket else _on_this_machine(), reverse=True):
        click.echo(json.dumps(mail._asdict()))


def _in_bucket(bucket: str) -> Iterator[_SetAside]:
    client = boto3.client("s3")
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=REFUSED):
        for entry in page.get("Contents", []):
            reason = client.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read().decode().strip()
            yield _SetAside(format_instant(entry["LastModified"]), entry["Key"].removeprefix(REFUSED), reason)


def _on_this_machine() -> Iterator[_SetAside]:
    for file in (state_of_service() / "inbox" / "refused").glob(f"*{_SUFFIX}"):
        at = format_instant(datetime.fromtimestamp(file.stat().st_mtime, UTC))
        yield _SetAside(at, file.name.removesuffix(_SUFFIX), file.read_text(encoding="utf-8").strip())
