"""The table's stream, fed to functions/events as Lambda's event source mapping does it.

Batches in order, only what the filter names; a batch that fails is halved until the poisonous record stands alone, is
tried as often as the template says, and then goes to the file of failed events while its neighbours are done.
"""

from __future__ import annotations

import base64
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from infra.stack.template import StreamMapping

if TYPE_CHECKING:
    from mypy_boto3_dynamodbstreams import DynamoDBStreamsClient

Record = dict[str, Any]
Invoke = Callable[[dict[str, Any]], Any]
Bury = Callable[[list[Record]], None]
_POLL_SECONDS = 0.2
_log = logging.getLogger(__name__)


def matches(pattern: Any, value: Any) -> bool:
    """Whether a value fits a filter pattern: literals and prefixes are what our template uses."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(matches(rule, value.get(name)) for name, rule in pattern.items())
    return any(_fits(rule, value) for rule in pattern)


def _fits(rule: Any, value: Any) -> bool:
    if isinstance(rule, dict):
        (prefix,) = [rule["prefix"]]
        return isinstance(value, str) and value.startswith(prefix)
    return bool(rule == value)


def deliver(records: Sequence[Record], attempts: int, invoke: Invoke, bury: Bury) -> None:
    """Hand records to the function until each is done or buried."""
    rest = list(records)
    for _ in range(attempts):
        rest = rest[_done(rest, invoke) :]
        if not rest:
            return
        if len(rest) > 1:
            middle = len(rest) // 2
            deliver(rest[:middle], attempts, invoke, bury)
            deliver(rest[middle:], attempts, invoke, bury)
            return
    bury(rest)


def _done(records: list[Record], invoke: Invoke) -> int:
    """How many records from the front are done; none where the function crashed."""
    try:
        answer = invoke({"Records": records}) or {}
        failed = {entry["itemIdentifier"] for entry in answer.get("batchItemFailures") or []}
    except Exception:  # noqa: BLE001 - whatever it is, the batch was not done
        _log.exception("the function of the stream crashed")
        return 0
    if not failed:
        return len(records)
    numbers = [record["dynamodb"]["SequenceNumber"] for record in records]
    known = [at for at, number in enumerate(numbers) if number in failed]
    return min(known, default=0)


def to_event_record(record: Any, arn: str) -> Record:
    """A record as Lambda hands it over: times are numbers, binary values base64."""
    return {**_plain(record), "eventSourceARN": arn}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value.timestamp() if isinstance(value, datetime) else value


class Reader:
    """The records of a table's stream from where the last run ended; what was read is remembered in a file."""

    def __init__(self, table: str, checkpoint: Path) -> None:
        config = Config(account_id_endpoint_mode="disabled")
        self._client: DynamoDBStreamsClient = boto3.client("dynamodbstreams", config=config)
        self._arn = boto3.client("dynamodb", config=config).describe_table(TableName=table)["Table"]["LatestStreamArn"]
        self._file = checkpoint
        self._last: dict[str, str] = json.loads(checkpoint.read_text()) if checkpoint.exists() else {}
        self._iterators: dict[str, str | None] = {}

    def batches(self) -> Iterator[list[Record]]:
        """What is new, a batch for each shard that has something."""
        for shard in self._client.describe_stream(StreamArn=self._arn)["StreamDescription"]["Shards"]:
            name = shard["ShardId"]
            iterator = self._iterators[name] if name in self._iterators else self._begin(name)
            while iterator is not None:
                answer = self._client.get_records(ShardIterator=iterator)
                following = answer.get("NextShardIterator")
                records = [to_event_record(record, self._arn) for record in answer["Records"]]
                yield [record for record in records if self._is_new(name, record)]
                self._remember(name, records)
                self._iterators[name] = following
                iterator = following if records else None

    def _begin(self, shard: str) -> str:
        answer = self._client.get_shard_iterator(StreamArn=self._arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")
        return answer["ShardIterator"]

    def _is_new(self, shard: str, record: Record) -> bool:
        return int(record["dynamodb"]["SequenceNumber"]) > int(self._last.get(shard, "-1"))

    def _remember(self, shard: str, records: list[Record]) -> None:
        if records:
            self._last[shard] = records[-1]["dynamodb"]["SequenceNumber"]
            self._file.write_text(json.dumps(self._last), encoding="utf-8")


class Feeder:
    """A thread that carries a table's stream to a function."""

    def __init__(self, mapping: StreamMapping, reader: Reader, invoke: Invoke, failed: Path) -> None:
        self._mapping = mapping
        self._reader = reader
        self._invoke = invoke
        self._failed = failed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Carry what is there already, then end."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(_POLL_SECONDS):
            self._carry()
        self._carry()

    def _carry(self) -> None:
        try:
            for records in self._reader.batches():
                self.feed(records)
        except (BotoCoreError, ClientError):
            _log.warning("the stream cannot be read; trying again", exc_info=True)

    def feed(self, records: Sequence[Record]) -> None:
        """Deliver those of the records that the template's filter lets through."""
        wanted = [record for record in records if any(matches(rule, record) for rule in self._mapping.patterns)]
        size = self._mapping.batch_size
        for start in range(0, len(wanted), size):
            deliver(wanted[start : start + size], self._mapping.attempts, self._invoke, self._bury)

    def _bury(self, records: list[Record]) -> None:
        with self._failed.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
