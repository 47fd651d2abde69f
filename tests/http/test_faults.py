"""The store throttled, gone, or answering by halves: 503 with Retry-After, and nothing half done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from tests.harness import fault_injection
from tests.harness.board_scenario import BoardScenario
from tests.harness.observed_table import events as table_events
from tests.harness.store_calls import InlinePool, count_store_calls

TROUBLES: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "throttled": lambda: fault_injection.throttled("*"),
    "over its limit": lambda: fault_injection.refused("*", "ProvisionedThroughputExceededException"),
    "out of order": lambda: fault_injection.refused("*", "InternalServerError"),
    "unreachable": fault_injection.unreachable,
    "throttled in transactions": lambda: fault_injection.throttled("TransactWriteItems"),
}


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_store_in_trouble_is_503_and_nothing_is_changed(scenario: BoardScenario, trouble: str) -> None:
    owner, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    meeting = owner.post(meetings, {"title": "Before"}).data
    with TROUBLES[trouble]():
        for answer in (
            owner.post(meetings, {"title": "New"}),
            owner.patch(f"{meetings}/{meeting['id']}", {"title": "B"}),
        ):
            assert answer.failure == (503, "SERVICE_UNAVAILABLE")
            assert int(answer.headers["Retry-After"]) >= 1
    assert owner.all(meetings) == [meeting]


@pytest.mark.parametrize("trouble", [name for name in TROUBLES if "transactions" not in name])
def test_reads_of_a_store_in_trouble_are_503(scenario: BoardScenario, trouble: str) -> None:
    with TROUBLES[trouble]():
        for path in ("/api/v1/me", "/api/v1/boards", scenario.path, f"{scenario.path}/meetings"):
            assert scenario.owner.client.get(path).failure == (503, "SERVICE_UNAVAILABLE")


@pytest.mark.parametrize("code", ["AccessDeniedException", "ResourceNotFoundException", "ValidationException"])
def test_a_defect_of_ours_is_500_and_logged_as_a_crash(
    scenario: BoardScenario, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with fault_injection.refused("*", code):
        answer = scenario.owner.client.get(f"{scenario.path}/meetings")
    assert answer.failure == (500, "INTERNAL_ERROR")
    assert "Retry-After" not in answer.headers
    messages = [record.getMessage() for record in caplog.records]
    assert messages.count("crash") == 1
    assert "store failure" in messages


@pytest.mark.parametrize("code", ["RequestLimitExceeded", "ProvisionedThroughputExceededException"])
def test_a_throttled_store_is_503_and_no_crash(
    scenario: BoardScenario, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with fault_injection.refused("*", code):
        answer = scenario.owner.client.get(f"{scenario.path}/meetings")
    assert answer.failure == (503, "SERVICE_UNAVAILABLE")
    messages = [record.getMessage() for record in caplog.records]
    assert "crash" not in messages
    assert "store failure" in messages


def test_keys_that_a_batch_left_out_are_asked_for_again(scenario: BoardScenario) -> None:
    with fault_injection.with_unprocessed_keys(2) as seen:
        assert scenario.owner.client.get(scenario.path).status == 200
    assert len(seen) == 2


def test_keys_that_are_always_left_out_are_503(scenario: BoardScenario) -> None:
    with fault_injection.with_unprocessed_keys(100):
        assert scenario.owner.client.get(scenario.path).failure == (503, "SERVICE_UNAVAILABLE")


def test_a_conflict_between_transactions_is_tried_again(scenario: BoardScenario) -> None:
    with fault_injection.refused(
        "TransactWriteItems", "TransactionCanceledException", times=3, reason="TransactionConflict"
    ) as seen:
        assert scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"}).status == 201
    assert len(seen) == 3
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings")) == 1


def test_a_conflict_that_does_not_end_is_503(scenario: BoardScenario) -> None:
    with fault_injection.refused("TransactWriteItems", "TransactionCanceledException", reason="TransactionConflict"):
        answer = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"})
    assert answer.failure == (503, "SERVICE_UNAVAILABLE")


def test_every_repeat_of_a_transaction_has_the_same_token(scenario: BoardScenario) -> None:
    tokens: list[str] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        tokens.append(params["ClientRequestToken"])

    table_events.register("provide-client-params.dynamodb.TransactWriteItems", note)
    with fault_injection.refused(
        "TransactWriteItems", "TransactionCanceledException", times=2, reason="TransactionConflict"
    ):
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"})
    scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"})
    table_events.unregister("provide-client-params.dynamodb.TransactWriteItems", note)
    *first, second = tokens
    assert len(first) == 3
    assert len(set(first)) == 1
    assert second not in first


def test_what_somebody_else_changed_meanwhile_is_checked_again(scenario: BoardScenario) -> None:
    """Between this request's read and its write, the meeting is finalized by another."""
    owner, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    path = f"{meetings}/{owner.post(meetings, {'title': 'A', 'status': 'completed'}).data['id']}"

    def overtaken(**_: Any) -> None:
        table_events.unregister("before-call.dynamodb.TransactWriteItems", overtaken)
        assert owner.patch(path, {"status": "finalized"}).status == 200

    table_events.register("before-call.dynamodb.TransactWriteItems", overtaken)
    answer = owner.patch(path, {"title": "B"})
    assert (answer.failure, answer.details) == ((409, "CONFLICT"), {"reason": "MEETING_FINALIZED"})
    assert owner.get(path).data["title"] == "A"


def test_a_request_that_is_tried_again_counts_once(scenario: BoardScenario, pool: InlinePool) -> None:
    before = int(scenario.owner.client.get("/api/v1/whoami").headers["RateLimit-Remaining"])
    with (
        fault_injection.refused(
            "TransactWriteItems", "TransactionCanceledException", times=3, reason="ConditionalCheckFailed"
        ),
        count_store_calls(pool) as calls,
    ):
        answer = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"})
    assert calls.sequential.count("BatchGetItem") == 4
    assert int(answer.headers["RateLimit-Remaining"]) == before - 1


def test_an_answer_that_was_lost_is_a_503_that_a_key_makes_harmless(scenario: BoardScenario) -> None:
    owner, meetings, key = scenario.owner.client, f"{scenario.path}/meetings", {"idempotency-key": "k"}
    with fault_injection.response_lost("TransactWriteItems"):
        assert owner.call("POST", meetings, {"title": "A"}, headers=key).status == 503
    assert owner.call("POST", meetings, {"title": "A"}, headers=key).headers["Idempotent-Replayed"] == "true"
    assert len(owner.all(meetings)) == 1
