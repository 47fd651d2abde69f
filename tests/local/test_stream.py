"""The stream's way to the function: order, filter, bisection, attempts, the file of failed events."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from infra.local.stream import Feeder, Reader, Record, deliver, matches, to_event_record
from infra.stack.template import StreamMapping

PATTERN = {"eventName": ["INSERT"], "dynamodb": {"Keys": {"PK": {"S": [{"prefix": "EVENTS#"}]}}}}


def record(number: int, pk: str = "EVENTS#1", name: str = "INSERT") -> Record:
    """A record as it lies in an event."""
    return {"eventName": name, "dynamodb": {"SequenceNumber": str(number), "Keys": {"PK": {"S": pk}}}}


class Function:
    """A function that fails on some records, by crashing or by naming them."""

    def __init__(self, poison: set[int], *, crashes: bool) -> None:
        self.poison = poison
        self.crashes = crashes
        self.done: list[int] = []
        self.calls = 0

    def __call__(self, event: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        for entry in event["Records"]:
            number = int(entry["dynamodb"]["SequenceNumber"])
            if number in self.poison:
                if self.crashes:
                    raise RuntimeError("poison")
                return {"batchItemFailures": [{"itemIdentifier": str(number)}]}
            self.done.append(number)
        return {"batchItemFailures": []}


@pytest.mark.parametrize("crashes", [False, True])
@pytest.mark.parametrize("poison", [set(), {0}, {3}, {7}, {2, 5}, set(range(8))])
def test_poison_is_buried_and_its_neighbours_are_done(poison: set[int], crashes: bool) -> None:
    function, buried = Function(poison, crashes=crashes), list[Record]()
    deliver([record(n) for n in range(8)], 3, function, buried.extend)
    assert set(function.done) == set(range(8)) - poison
    assert [int(entry["dynamodb"]["SequenceNumber"]) for entry in buried] == sorted(poison)


def test_a_record_is_tried_as_often_as_the_template_says() -> None:
    function = Function({0}, crashes=True)
    deliver([record(0)], 4, function, lambda _: None)
    assert function.calls == 4


def test_a_batch_without_failures_is_one_call() -> None:
    function = Function(set(), crashes=False)
    deliver([record(n) for n in range(8)], 3, function, lambda _: None)
    assert function.calls == 1


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
def test_the_filter_lets_through_new_events_only(entry: Record, fits: bool) -> None:
    assert matches(PATTERN, entry) is fits


def test_a_record_becomes_plain_json() -> None:
    raw = {"dynamodb": {"ApproximateCreationDateTime": datetime(2026, 1, 1, tzinfo=UTC), "Keys": {"B": {"B": b"\xff"}}}}
    made = to_event_record(raw, "arn")
    assert made["dynamodb"] == {"ApproximateCreationDateTime": 1767225600.0, "Keys": {"B": {"B": "/w=="}}}
    assert made["eventSourceARN"] == "arn"


def test_batches_are_no_larger_than_the_template_says_and_failures_are_kept(tmp_path: Path) -> None:
    function, failed = Function({4}, crashes=False), tmp_path / "failed.jsonl"
    mapping = StreamMapping("events", batch_size=3, attempts=1, patterns=(PATTERN,))
    Feeder(mapping, cast("Reader", None), function, failed).feed([record(n) for n in range(7)] + [record(9, "BOARD#")])
    assert function.done == [0, 1, 2, 3, 5, 6]
    assert [json.loads(line)["dynamodb"]["SequenceNumber"] for line in failed.read_text().splitlines()] == ["4"]
