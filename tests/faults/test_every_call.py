"""A fault at every call of every writing route: 503 if the request cannot go on, all or nothing, and a safe retry.

The expected changes are learnt from the route itself, by one valid request and by two. Each fault is then injected at
each call of the same request on the same table.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.call_faults import FAULTS, SEEN, TRANSACT, UPDATE, FaultInjector, fault_cases, inject
from tests.faults.repeatable_request import (
    Reference,
    RepeatableRequest,
    TableChanges,
    new_repeatable_request,
    reference,
    takes_keys,
)
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.crash_injection import ProcessKilled
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.stored_versions import TAKES_BACK_A_COPY
from tests.harness.table_snapshot import TableSnapshot

_MINUTES = "/api/v1/boards/{boardId}/meetings/{meetingId}/minutes"
EMAIL_ROUTES = {"POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"}
"""Routes of more than one transaction, with an e-mail in between; `test_mails.py` covers them."""
STEPWISE = {"POST /api/v1/boards/{boardId}/unregistered-users/{unregisteredUserId}/merge"}
"""Routes of one transaction a row, which go on where they stopped (ADR merging); `test_merges.py` covers them."""
JUDGING = {TAKES_BACK_A_COPY}
"""Routes whose samples write nothing any more; `minutes_file/test_signed_copies.py` covers them."""
WRITING_READS = {
    "GET /api/invite/{boardId}/code",
    "GET /api/v1/boards/{boardId}/documents/{documentId}",
    "GET /api/v1/guest/{token}",
}
READING_POSTS = {"POST /api/v1/access/evaluation", "POST /api/v1/access/evaluations"}
READS = [n for n in ROUTE_NAMES if n in READING_POSTS or (n.startswith("GET ") and n not in WRITING_READS)]
WRITES = [n for n in ROUTE_NAMES if n not in READS and n not in EMAIL_ROUTES | STEPWISE | JUDGING]


def check_all_or_nothing(run: RepeatableRequest, known: Reference, state: TableChanges, where: str) -> None:
    """Asserts that all or nothing was written, and that a retry has the expected outcome in both cases."""
    assert state in ({}, known.once[1]), f"{where} wrote only a part"
    expected = known.twice if state else known.once
    response, changes = run.outcome()
    assert response.status == expected[0].status, f"{where}, then retried: {response.text}"
    assert response.headers.get("Idempotent-Replayed") == expected[0].headers.get("Idempotent-Replayed"), where
    assert changes == expected[1], f"{where}, then retried, wrote something else"


def check_unavailable(response: Response, where: str) -> None:
    assert response.failure == (503, "SERVICE_UNAVAILABLE"), f"{where}: {response.text}"
    assert int(response.headers["Retry-After"]) >= 1
    assert response.json["error"]["requestId"] == response.headers["x-request-id"]


def check_fault(run: RepeatableRequest, known: Reference, call: int, name: str) -> None:
    fault, where = FAULTS[name], f"{name} at call {call} ({known.calls[call]})"
    with inject(FaultInjector(call, fault)) as injector:
        response, state = run.outcome()
    assert injector.attempts, where
    if not fault.persistent:
        assert (response.status, state) == (known.once[0].status, known.once[1]), f"{where}: {response.text}"
    else:
        check_unavailable(response, where)
        check_all_or_nothing(run, known, state, where)
    run.before.restore()


def check_crash(run: RepeatableRequest, known: Reference, call: int) -> None:
    where = f"died after call {call} ({known.calls[call]})"
    with inject(FaultInjector(call, crash="after")), pytest.raises(ProcessKilled):
        run.send()
    check_all_or_nothing(run, known, run.before.changes(), where)
    run.before.restore()


LOSES_THE_RIGHT = {"POST /api/v1/boards/{boardId}/ownership-transfer"}
"""The caller loses the right to the request with it, and the right is checked before the idempotency key."""
OF_EVERY_OPERATION = [
    "PATCH /api/v1/boards/{boardId}/meetings/{meetingId}",
    "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}",
    "GET /api/v1/boards/{boardId}/documents/{documentId}",
]
"""Routes that read, query and write."""


def prepare(route: str, scenario: BoardScenario, *, keyed: bool = False) -> tuple[RepeatableRequest, Reference]:
    run = new_repeatable_request(route, scenario, keyed=keyed)
    known = reference(run)
    assert known.once[0].status == ROUTES_BY_NAME[route].status, known.once[0].text
    return run, known


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", WRITES)
def test_a_write_is_all_or_nothing_whichever_call_fails(route: str, scenario: BoardScenario) -> None:
    """A death leaves another table than a fault only between two transactions."""
    run, known = prepare(route, scenario)
    assert known.once[1], "this route writes nothing, so the test would prove nothing"
    for call, name in fault_cases(known.calls):
        check_fault(run, known, call, name)
    if known.calls.count(TRANSACT) > 1:
        for call in (call for call, operation in enumerate(known.calls) if operation == TRANSACT):
            check_crash(run, known, call)


def test_the_approval_of_a_correction_is_all_or_nothing(scenario: BoardScenario) -> None:
    run = new_repeatable_request(f"POST {_MINUTES}/approval", scenario, keyed=False)
    minutes = run.request.path.rpartition("/")[0]
    assert run.send().status == 200
    assert run.client.post(f"{minutes}/corrections", {"items": [{"text": "Corrected"}]}).status == 201
    assert run.client.post(f"{minutes}/circulation").status == 201
    corrected = replace(run, before=TableSnapshot())
    known = reference(corrected)
    assert known.once[0].data["supersedesVersion"] == 1
    for call, name in fault_cases(known.calls):
        check_fault(corrected, known, call, name)


@pytest.mark.parametrize("route", OF_EVERY_OPERATION)
def test_every_fault_of_the_store_passes_or_is_503(route: str, scenario: BoardScenario) -> None:
    run, known = prepare(route, scenario)
    for call, name in fault_cases(known.calls, FAULTS):
        check_fault(run, known, call, name)


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", [route for route in WRITES if takes_keys(route) and route not in LOSES_THE_RIGHT])
def test_a_retry_with_an_idempotency_key_takes_effect_once(route: str, scenario: BoardScenario) -> None:
    run, known = prepare(route, scenario, keyed=True)
    assert known.twice[0].headers["Idempotent-Replayed"] == "true"
    assert known.twice[1] == known.once[1]
    last = len(known.calls) - 1
    for name in SEEN:
        check_fault(run, known, last, name)
    check_crash(run, known, last)


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", READS)
def test_a_read_responds_the_same_or_with_503(route: str, scenario: BoardScenario) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    known = reference(run)
    for call, name in fault_cases(known.calls, ("throttled", "empty page once")):
        check_fault(run, known, call, name)


@pytest.mark.parametrize("name", ["throttled", "response lost", "throttled once", "response lost once"])
def test_a_request_without_a_rate_lease_changes_nothing(name: str, scenario: BoardScenario) -> None:
    """The first request of an execution environment leases a block of the caller's window."""
    run, known = prepare("PATCH /api/v1/boards/{boardId}", scenario)
    engine.clear_rate_leases()
    with inject(FaultInjector(0, FAULTS[name])) as injector:
        response, state = run.outcome()
    assert injector.calls[0] == UPDATE
    if FAULTS[name].persistent:
        check_unavailable(response, name)
        assert state == {}
    else:
        assert (response.status, state) == (known.once[0].status, known.once[1])


@pytest.mark.parametrize("name", [*SEEN])
def test_a_failed_write_of_a_tokens_last_use_stops_nothing(name: str, scenario: BoardScenario) -> None:
    robot = scenario.token()
    robot.get("/api/v1/whoami")
    engine.clear_token_uses()
    with inject(FaultInjector(1, FAULTS[name])) as injector:
        assert robot.get(scenario.path).status == 200
    assert (injector.calls, injector.attempts > 0) == (["BatchGetItem", UPDATE], True)
