"""Delivery of the stream to the function: order, filter, bisection, attempts, the file of failed events."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from infra.local.stream import Record, StreamPoller, StreamReader, deliver, matches, to_event_record
from infra.stack.template import StreamMapping

PATTERN = {"eventName": ["INSERT"], "dynamodb": {"Keys": {"PK": {"S": [{"prefix": "EVENTS#"}]}}}}


def record(number: int, pk: str = "EVENTS#1", name: str = "INSERT") -> Record:
    """Returns a record of a stream event."""
    return {"eventName": name, "dynamodb": {"SequenceNumber": str(number), "Keys": {"PK": {"S": pk}}}}


class Function:
    """A function that fails on some records, by crashing or by reporting them."""

    def __init__(self, failing: set[int], *, crashes: bool) -> None:
        self.failing = failing
        self.crashes = crashes
        self.processed: list[int] = []
        self.calls = 0

    def __call__(self, event: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        for entry in event["Records"]:
            number = int(entry["dynamodb"]["SequenceNumber"])
            if number in self.failing:
                if self.crashes:
                    raise RuntimeError("failing")
                return {"batchItemFailures": [{"itemIdentifier": str(number)}]}
            self.processed.append(number)
        return {"batchItemFailures": []}


@pytest.mark.parametrize("crashes", [False, True])
@pytest.mark.parametrize("failing", [set(), {0}, {3}, {7}, {2, 5}, set(range(8))])
def test_failing_records_are_kept_and_the_others_are_processed(failing: set[int], crashes: bool) -> None:
    function, failed = Function(failing, crashes=crashes), list[Record]()
    deliver([record(n) for n in range(8)], 3, function, failed.extend, no_pause)
    assert set(function.processed) == set(range(8)) - failing
    assert [int(entry["dynamodb"]["SequenceNumber"]) for entry in failed] == sorted(failing)


def no_pause() -> None:
    """Goes on at once."""


def test_a_record_is_retried_as_often_as_the_template_says_with_a_pause_each_time() -> None:
    function, paused = Function({0}, crashes=True), list[int]()

    def pauses() -> None:
        paused.append(function.calls)

    deliver([record(0)], 4, function, lambda _: None, pauses)
    assert (function.calls, paused) == (4, [1, 2, 3])


@pytest.mark.parametrize(
    ("entry", "fits"),
    [
        (record(1), True),
        (record(1, "EVENTS#"), True),
        (record(1, "BOARD#1"), False),
        (record(1, name="REMOVE"), False),
        ({"eventName": "INSERT", "dynamodb": {}}, False),
    ],
)
def test_the_filter_selects_new_events_only(entry: Record, fits: bool) -> None:
    assert matches(PATTERN, entry) is fits


def test_batches_respect_the_template_size_and_failures_are_kept(tmp_path: Path) -> None:
    function, failed = Function({4}, crashes=False), tmp_path / "failed.jsonl"
    mapping = StreamMapping("events", batch_size=3, attempts=1, patterns=(PATTERN,))
    StreamPoller(mapping, cast("StreamReader", None), function, failed).deliver_matching(
        [record(n) for n in range(7)] + [record(9, "BOARD#")]
    )
    assert function.processed == [0, 1, 2, 3, 5, 6]
    assert [json.loads(line)["dynamodb"]["SequenceNumber"] for line in failed.read_text().splitlines()] == ["4"]


def test_a_record_becomes_plain_json() -> None:
    raw = {"dynamodb": {"ApproximateCreationDateTime": datetime(2026, 1, 1, tzinfo=UTC), "Keys": {"B": {"B": b"\xff"}}}}
    made = to_event_record(raw, "arn")
    assert made["dynamodb"] == {"ApproximateCreationDateTime": 1767225600.0, "Keys": {"B": {"B": "/w=="}}}
    assert made["eventSourceARN"] == "arn"
