"""The store throttled, gone, or answering by halves: 503 with Retry-After, and nothing half done."""

from __future__ import annotations

import pytest

from tests.harness import fault_injection
from tests.harness.board_scenario import BoardScenario
from tests.harness.store_calls import InlinePool, count_store_calls


@pytest.mark.parametrize(
    ("code", "is_defect"),
    [("AccessDeniedException", True), ("ValidationException", True), ("RequestLimitExceeded", False)],
)
def test_a_defect_of_ours_is_500_and_a_crash_and_a_throttled_store_is_503_and_none(
    scenario: BoardScenario, code: str, is_defect: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with fault_injection.refused("*", code):
        answer = scenario.owner.client.get(f"{scenario.path}/meetings")
    assert answer.failure == ((500, "INTERNAL_ERROR") if is_defect else (503, "SERVICE_UNAVAILABLE"))
    assert ("Retry-After" in answer.headers) is not is_defect
    messages = [record.getMessage() for record in caplog.records]
    assert messages.count("crash") == is_defect
    assert "store failure" in messages


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
