"""Trouble at every call of every route that writes: 503 when it cannot go on, all or nothing, and a repeat is safe.

What a request may leave behind is learnt from the route itself: from one sound request, and from two. Each trouble is
then put at each call of the same request over the same table.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.call_faults import FAULTS, UPDATE, FaultInjector, ProcessKilled, inject
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
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

EMAIL_ROUTES = {"POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"}
"""Routes that are more than one transaction, for a mail is in between: `test_mails.py` tells their story."""
WRITING_READS = {
    "GET /api/invite/{boardId}/code",
    "GET /api/v1/boards/{boardId}/documents/{documentId}",
    "GET /api/v1/guest/{token}",
}
WRITES = [n for n in ROUTE_NAMES if n in WRITING_READS or (ROUTES_BY_NAME[n].method != "GET" and n not in EMAIL_ROUTES)]
READS = [n for n in ROUTE_NAMES if ROUTES_BY_NAME[n].method == "GET" and n not in WRITING_READS]


def check_all_or_nothing(run: RepeatableRequest, known: Reference, state: TableChanges, where: str) -> None:
    """All or nothing; and the client, who cannot know which, asks again and gets what is due."""
    assert state in ({}, known.once[1]), f"{where} left something by halves"
    expected = known.twice if state else known.once
    response, end = run.outcome()
    assert response.status == expected[0].status, f"{where}, then again: {response.text}"
    assert response.headers.get("Idempotent-Replayed") == expected[0].headers.get("Idempotent-Replayed"), where
    assert end == expected[1], f"{where}, then again, left something else"


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


def check_crash(run: RepeatableRequest, known: Reference, call: int, moment: str) -> None:
    where = f"killed {moment} call {call} ({known.calls[call]})"
    with inject(FaultInjector(call, crash=moment)), pytest.raises(ProcessKilled):
        run.send()
    check_all_or_nothing(run, known, run.before.changes(), where)
    run.before.restore()


GIVEN_AWAY = {"POST /api/v1/boards/{boardId}/ownership-transfer"}
"""Whoever repeats it may not make it any more: a key is looked at after the caller's right to the act."""
QUICK_FAULTS = {"throttled", "answer lost", "answer lost once", "conflict", "conflict once", "unprocessed once"}
"""What a fast run tries at every call; the slow one tries everything."""


def cases(known: Reference) -> Iterator[tuple[int, str]]:
    """Every call, with every trouble that its operation can have."""
    for call, operation in enumerate(known.calls):
        yield from ((call, name) for name, fault in FAULTS.items() if operation in fault.of)


def prepare(route: str, scenario: BoardScenario, *, keyed: bool = False) -> tuple[RepeatableRequest, Reference]:
    run = new_repeatable_request(route, scenario, keyed=keyed)
    known = reference(run)
    assert known.once[0].status == ROUTES_BY_NAME[route].status, known.once[0].text
    return run, known


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", WRITES)
def test_a_write_is_whole_or_nothing_whichever_call_fails(route: str, scenario: BoardScenario) -> None:
    run, known = prepare(route, scenario)
    assert known.once[1], "a write that writes nothing proves nothing"
    for call, name in cases(known):
        if name in QUICK_FAULTS:
            check_fault(run, known, call, name)


@pytest.mark.slow
@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", WRITES)
def test_a_write_is_whole_or_nothing_in_every_trouble(route: str, scenario: BoardScenario) -> None:
    run, known = prepare(route, scenario)
    for call, name in cases(known):
        if name not in QUICK_FAULTS:
            check_fault(run, known, call, name)
    for call in range(len(known.calls)):
        check_crash(run, known, call, "before")
        check_crash(run, known, call, "after")


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", [route for route in WRITES if takes_keys(route) and route not in GIVEN_AWAY])
def test_a_repeat_under_a_key_is_the_same_act_whatever_was_lost(route: str, scenario: BoardScenario) -> None:
    run, known = prepare(route, scenario, keyed=True)
    assert known.twice[0].headers["Idempotent-Replayed"] == "true"
    assert known.twice[1] == known.once[1]
    last = len(known.calls) - 1
    for name in ("throttled", "answer lost", "answer lost once"):
        check_fault(run, known, last, name)
    check_crash(run, known, last, "before")
    check_crash(run, known, last, "after")


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", READS)
def test_a_read_answers_the_same_or_says_that_it_cannot(route: str, scenario: BoardScenario) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    known = reference(run)
    for call, name in cases(known):
        if name in {"throttled", "unreachable", "answer lost once", "unprocessed once", "empty page once"}:
            check_fault(run, known, call, name)


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost", "throttled once", "answer lost once"])
def test_a_lease_in_trouble_stops_the_request_before_it_changes_anything(name: str, scenario: BoardScenario) -> None:
    """The first request of an execution environment takes a block of its caller's window."""
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


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost"])
def test_a_last_use_that_cannot_be_noted_stops_nothing(name: str, scenario: BoardScenario) -> None:
    robot = scenario.token()
    robot.get("/api/v1/whoami")
    engine.clear_token_uses()
    with inject(FaultInjector(1, FAULTS[name])) as injector:
        assert robot.get(scenario.path).status == 200
    assert (injector.calls, injector.attempts > 0) == (["BatchGetItem", UPDATE], True)
