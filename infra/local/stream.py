"""Delivers the table's stream to functions/events, as Lambda's event source mapping does.

Batches are delivered in order, with only the records that match the filter. A batch that fails is split in halves until
the failing record is alone. It is retried as often as the template says and then written to the file of failed events.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from infra.local import engine_streams
from infra.local.periodic import Periodic
from infra.stack import env_file
from infra.stack.template import StreamMapping

if TYPE_CHECKING:
    from mypy_boto3_dynamodbstreams import DynamoDBStreamsClient

Record = dict[str, Any]
Invoke = Callable[[dict[str, Any]], Any]
OnFailure = Callable[[list[Record]], None]
_POLL_SECONDS = 0.2
_RETRY_SECONDS = 1.0
_log = logging.getLogger(__name__)


def matches(pattern: Any, value: Any) -> bool:
    """Returns whether a value matches a filter pattern. Supports what the template uses: literals and three rules."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(matches(rule, value.get(name)) for name, rule in pattern.items())
    return any(_matches_rule(rule, value) for rule in pattern)


def _matches_rule(rule: Any, value: Any) -> bool:
    if isinstance(rule, dict):
        ((kind, part),) = rule.items()
        if not isinstance(value, str):
            return False
        return kind == "exists" or (value.startswith(part) if kind == "prefix" else value.endswith(part))
    return bool(rule == value)


def deliver(
    records: Sequence[Record], attempts: int, invoke: Invoke, on_failure: OnFailure, pause: Callable[[], None]
) -> None:
    """Invokes the function until each record is processed or passed to `on_failure`; pauses before each new attempt."""
    remaining = list(records)
    for attempt in range(attempts):
        if attempt > 0:
            pause()
        remaining = remaining[_succeeded(remaining, invoke) :]
        if not remaining:
            return
        if len(remaining) > 1:
            middle = len(remaining) // 2
            deliver(remaining[:middle], attempts, invoke, on_failure, pause)
            deliver(remaining[middle:], attempts, invoke, on_failure, pause)
            return
    on_failure(remaining)


def _succeeded(records: list[Record], invoke: Invoke) -> int:
    """Invokes the function and returns how many records it processed before the first that failed."""
    try:
        response = invoke({"Records": records}) or {}
        failed = {entry["itemIdentifier"] for entry in response.get("batchItemFailures") or []}
    except Exception:  # noqa: BLE001 - after any error the batch is retried
        _log.exception("The function of the stream crashed.")
        return 0
    if not failed:
        return len(records)
    numbers = [record["dynamodb"]["SequenceNumber"] for record in records]
    known = [at for at, number in enumerate(numbers) if number in failed]
    return min(known, default=0)


def to_event_record(record: Any, arn: str) -> Record:
    """Returns a record as Lambda passes it on: times as numbers, binary values as base64."""
    return {**_plain(record), "eventSourceARN": arn}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value.timestamp() if isinstance(value, datetime) else value


class StreamReader:
    """Reads a table's stream from where the last run stopped. A checkpoint file keeps the position."""

    def __init__(self, table: str, checkpoint: Path) -> None:
        config = Config(account_id_endpoint_mode="disabled")
        self._client: DynamoDBStreamsClient = boto3.client("dynamodbstreams", config=config)
        self._arn = boto3.client("dynamodb", config=config).describe_table(TableName=table)["Table"]["LatestStreamArn"]
        self._file = checkpoint
        self._last = engine_streams.position(checkpoint)
        self._iterators: dict[str, str | None] = {}

    def batches(self) -> Iterator[list[Record]]:
        """Yields the new records of each shard in batches."""
        for shard in self._client.describe_stream(StreamArn=self._arn)["StreamDescription"]["Shards"]:
            name = shard["ShardId"]
            iterator = self._iterators[name] if name in self._iterators else self._begin(name)
            while iterator is not None:
                page = self._client.get_records(ShardIterator=iterator)
                following = page.get("NextShardIterator")
                records = [to_event_record(record, self._arn) for record in page["Records"]]
                yield [record for record in records if self._is_new(name, record)]
                self._remember(name, records)
                self._iterators[name] = following
                iterator = following if records else None

    def _begin(self, shard: str) -> str:
        return self._client.get_shard_iterator(StreamArn=self._arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")[
            "ShardIterator"
        ]

    def _is_new(self, shard: str, record: Record) -> bool:
        return int(record["dynamodb"]["SequenceNumber"]) > int(self._last.get(shard, "-1"))

    def _remember(self, shard: str, records: list[Record]) -> None:
        if records:
            self._last[shard] = records[-1]["dynamodb"]["SequenceNumber"]
            env_file.replace(self._file, json.dumps(self._last))


class _Stopped(Exception):
    """The poller was stopped while a record failed; the next run delivers the record again."""


class StreamPoller(Periodic):
    """A thread that polls a table's stream and invokes a function with its records."""

    def __init__(self, mapping: StreamMapping, reader: StreamReader, invoke: Invoke, failed: Path) -> None:
        super().__init__("stream", _POLL_SECONDS, self._poll)
        self._mapping = mapping
        self._reader = reader
        self._invoke = invoke
        self._failed = failed

    def stop(self) -> None:
        """Ends the thread, then delivers the remaining records."""
        super().stop()
        self._poll()

    def _poll(self) -> None:
        try:
            for records in self._reader.batches():
                self.deliver_matching(records)
        except (BotoCoreError, ClientError):
            _log.warning("The stream cannot be read; retrying.", exc_info=True)
        except _Stopped:
            _log.warning("The last events could not be delivered; the next run tries again.")

    def deliver_matching(self, records: Sequence[Record]) -> None:
        """Delivers the records that match the template's filter."""
        matching = [record for record in records if any(matches(rule, record) for rule in self._mapping.patterns)]
        size = self._mapping.batch_size
        for start in range(0, len(matching), size):
            batch = matching[start : start + size]
            deliver(batch, self._mapping.attempts, self._invoke, self._record_failures, self._pause)

    def _pause(self) -> None:
        if self.wait(_RETRY_SECONDS):
            raise _Stopped

    def _record_failures(self, records: list[Record]) -> None:
        with self._failed.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
