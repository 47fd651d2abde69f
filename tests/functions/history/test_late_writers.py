"""Every event is committed within ten seconds or not at all, so that `after=` misses none (ADR history)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from governance.errors import ApiError, Code
from governance.ids import BoardId
from governance.instants import Instant, millis, now, shift
from governance.limits import EVENT_COMMIT_SECONDS, EVENT_SETTLES_SECONDS
from governance.models.history.event import Event
from governance.store import dynamodb
from governance.store.attributes import unmarshal
from governance.store.history import events
from governance.store.transactions import transact
from governance.usecases.operator import operator
from infra.local.demo.scenario import Scenario
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked, refused
from tests.harness.stream import event_records, new_event, process_records


@pytest.fixture(autouse=True)
def _ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the real limit, which is a minute in other tests."""
    monkeypatch.setattr(events, "EVENT_COMMIT_SECONDS", EVENT_COMMIT_SECONDS)


@contextmanager
def slow_reads(clock: Clock, seconds: float) -> Iterator[list[float]]:
    """Makes each read take this long. Yields the ages, in seconds, at which events are committed."""
    ages: list[float] = []

    def wait(**_: Any) -> None:
        clock.move(seconds)

    def note(params: dict[str, Any], **_: Any) -> None:
        puts = [write["Put"]["Item"] for write in json.loads(params["body"])["TransactItems"] if "Put" in write]
        events_put = [unmarshal(item) for item in puts if item["PK"]["S"].startswith("EVENTS#")]
        ages.extend((millis(now()) - millis(item["createdAt"])) / 1000 for item in events_put)

    with (
        hooked("before-call.dynamodb.Query", wait),
        hooked("before-call.dynamodb.BatchGetItem", wait),
        hooked("before-call.dynamodb.TransactWriteItems", note),
    ):
        yield ages


def _revoke(scenario: BoardScenario) -> Callable[[], Any]:
    body = {"name": "Mirror", "preset": "read_only", "expiresInDays": None}
    token = scenario.owner.client.post(f"{scenario.path}/tokens", body)
    return lambda: operator.revoke_token(token.data["id"])


def _fill(_: BoardScenario) -> Callable[[], Any]:
    board_id = BoardId(person("ann").client.post("/api/v1/me/example-board").data["id"])
    return lambda: process_records(event_records(board_id))


WRITERS: dict[str, Callable[[BoardScenario], Callable[[], Any]]] = {
    "billing": lambda board: lambda: operator.set_billing(board.board_id, "CANCELLED"),
    "revocation": _revoke,
    "example board": _fill,
}


@pytest.mark.parametrize("seconds", [3, 8, 12])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_slow_writer_that_is_no_request_commits_no_event_late(
    writer: str, seconds: float, scenario: BoardScenario, clock: Clock
) -> None:
    write = WRITERS[writer](scenario)
    with slow_reads(clock, seconds) as ages, suppress(ApiError):
        write()
    assert all(age <= EVENT_COMMIT_SECONDS for age in ages)


def test_what_was_refused_as_late_changes_nothing_and_may_be_repeated(scenario: BoardScenario, clock: Clock) -> None:
    with slow_reads(clock, 8), pytest.raises(ApiError) as caught:
        operator.set_billing(scenario.board_id, "CANCELLED")
    assert caught.value.code is Code.SERVICE_UNAVAILABLE
    assert operator.set_billing(scenario.board_id, "CANCELLED")[0].billing_state == "TRIAL_ACTIVE"
    clock.move(EVENT_SETTLES_SECONDS + 1)
    listed = scenario.owner.client.all(f"{scenario.path}/events")
    assert [event["type"] for event in listed].count("board.billing_overridden") == 1


def test_a_retry_after_a_conflict_begins_only_while_the_event_is_young(
    scenario: BoardScenario, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dynamodb, "back_off", lambda _: clock.move(4))
    monkeypatch.setattr("governance.deadline.time", _Monotonic(clock))
    conflict = refused("TransactWriteItems", "TransactionCanceledException", reason="TransactionConflict")
    with conflict as refusals, pytest.raises(ApiError, match="SERVICE_UNAVAILABLE"):
        transact([events.put(_event(scenario, now()))])
    assert len(refusals) == 2, "the third would begin eight seconds after the event"


class _Monotonic:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def monotonic(self) -> float:
        return self._clock.now(None).timestamp()


def test_demo_data_may_be_of_the_past(scenario: BoardScenario) -> None:
    old = events.put(_event(scenario, shift(now(), days=-3)))
    with pytest.raises(ApiError, match="SERVICE_UNAVAILABLE"):
        transact([old])
    Scenario.commit([old])


def _event(scenario: BoardScenario, at: Instant) -> Any:
    return new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id, at=at)
