"""Merges on a slow day: what a request has no time for is completed by its repeat, and by the deliveries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from governance import deadline
from governance.instants import now, shift
from governance.store import due
from governance.usecases.members.merging import complete_merge
from infra.stack.template import Template
from tests.harness.board_scenario import BoardScenario
from tests.harness.merge_scenario import MergeScenario, new_merge_scenario, rows_naming
from tests.harness.observed_table import events


@pytest.fixture
def merge(scenario: BoardScenario) -> MergeScenario:
    return new_merge_scenario(scenario)


class _Slow:
    """A clock that stands still but for calls of the store, which take this long each."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now = seconds, 1000.0

    def monotonic(self) -> float:
        return self.now

    def pass_time(self, **_: Any) -> None:
        self.now += self.seconds


@contextmanager
def _slow_store(seconds: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes each call of the store take so long, and each request end with the function's time-out."""
    clock, left = _Slow(seconds), Template().timeout("meetings") * 1000
    begin = deadline.begin
    monkeypatch.setattr(deadline, "time", clock)
    monkeypatch.setattr(deadline, "begin", lambda _: begin(SimpleNamespace(get_remaining_time_in_millis=lambda: left)))
    events.register_first("before-call.dynamodb.*", clock.pass_time)
    try:
        yield
    finally:
        events.unregister("before-call.dynamodb.*", clock.pass_time)
        monkeypatch.undo()


def test_a_merge_of_some_rows_is_done_within_one_request(merge: MergeScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    member_id = merge.member_id
    with _slow_store(0.03, monkeypatch):
        assert merge.merge(member_id).status == 200
    assert rows_naming(merge.anna) == []


@pytest.mark.parametrize("is_repeated", [True, False], ids=["the request", "the deliveries"])
def test_a_merge_that_took_too_long_is_completed_by(
    is_repeated: bool, merge: MergeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    member_id = merge.member_id
    with _slow_store(0.2, monkeypatch):
        assert merge.merge(member_id).status == 503
    assert merge.board.owner.client.get(merge.path).data["status"] == "merged"
    assert rows_naming(merge.anna)
    if is_repeated:
        with _slow_store(0.1, monkeypatch):
            statuses = [merge.merge(member_id).status for _ in range(3)]
        assert 200 in statuses
    else:
        (message,) = [
            message
            for messages in due.due_before(shift(now(), minutes=2), 100)
            for message in messages.values()
            if message.kind == "merge"
        ]
        complete_merge(message.body)
    assert rows_naming(merge.anna) == []
