"""Calls of the store: the deadline, and the pool of threads."""

from __future__ import annotations

from typing import Any

import pytest

from governance import deadline
from governance.errors import ApiError, Code
from governance.store import dynamodb, table
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.store.named_items import key


@pytest.mark.usefixtures("store")
def test_a_call_that_cannot_end_before_the_deadline_is_a_503_and_does_not_begin(
    pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exceeded(_: float) -> None:
        raise deadline.DeadlineExceededError

    monkeypatch.setattr(deadline, "check", exceeded)
    with count_store_calls(pool) as calls, pytest.raises(ApiError) as refusal:
        table.read_one(key("A"))
    assert (refusal.value.code, calls.sequential) == (Code.SERVICE_UNAVAILABLE, [])


def test_a_call_from_within_the_pool_runs_at_once_and_keeps_its_error_for_the_reader() -> None:
    def fail() -> None:
        raise ValueError("kept")

    def nested() -> list[Any]:
        done, failed = dynamodb.run_async(lambda: 1), dynamodb.run_async(fail)
        return [done.done(), done.result(), failed.done(), failed.exception()]

    done, value, failed, error = dynamodb.run_async(nested).result()
    assert (done, value, failed) == (True, 1, True)
    assert isinstance(error, ValueError)
