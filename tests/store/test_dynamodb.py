"""Calls of the store: the deadline, their lines in the log, and the pool of threads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from governance import telemetry
from governance.store import dynamodb, table
from governance.store.client.connections import Answer
from tests.harness import logs
from tests.harness.fault_injection import hooked
from tests.store.named_items import key


@pytest.mark.usefixtures("store", "waits")
def test_a_call_is_logged_with_its_milliseconds_and_its_repeats(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    telemetry.logger().setLevel("DEBUG")
    monkeypatch.setattr(dynamodb, "time", SimpleNamespace(perf_counter=iter([10.0, 22.5, 22.5, 22.5]).__next__))
    failures = [Answer(500, {}, b"{}")]
    with hooked("before-send.dynamodb.BatchGetItem", lambda **_: failures.pop() if failures else None):
        for _ in range(2):
            table.read_one(key("A"))
    calls = [line for line in logs.lines(capfd.readouterr().out) if line["message"] == "store call"]
    assert [(call["operation"], call["ms"], call["retries"]) for call in calls] == [
        ("batch_get_item", 12_500, 1),
        ("batch_get_item", 0, 0),
    ]


def test_a_call_from_within_the_pool_runs_at_once_and_keeps_its_error_for_the_reader() -> None:
    def fail() -> None:
        raise ValueError("kept")

    def nested() -> list[Any]:
        done, failed = dynamodb.run_async(lambda: 1), dynamodb.run_async(fail)
        return [done.done(), done.result(), failed.done(), failed.exception()]

    done, value, failed, error = dynamodb.run_async(nested).result()
    assert (done, value, failed) == (True, 1, True)
    assert isinstance(error, ValueError)
