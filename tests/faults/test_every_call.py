"""Trouble at every call of every route that writes: 503 when it cannot go on, all or nothing, and a repeat is safe.

What a request may leave behind is learnt from the route itself: from one sound request, and from two. Each trouble is
then put at each call of the same request over the same table.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.call_faults import TROUBLES, UPDATE, Killed, Wire, wired
from tests.faults.repeatable_request import Reference, State, Trial, new_trial, reference, takes_keys
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

MAILING = {"POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"}
"""Routes that are more than one transaction, for a mail is in between: `test_mails.py` tells their story."""
WRITING_READS = {
    "GET /api/invite/{boardId}/code",
    "GET /api/v1/boards/{boardId}/documents/{documentId}",
    "GET /api/v1/guest/{token}",
}
WRITES = [n for n in ROUTE_NAMES if n in WRITING_READS or (ROUTES_BY_NAME[n].method != "GET" and n not in MAILING)]
READS = [n for n in ROUTE_NAMES if ROUTES_BY_NAME[n].method == "GET" and n not in WRITING_READS]


def settled(run: Trial, known: Reference, state: State, where: str) -> None:
    """All or nothing; and the client, who cannot know which, asks again and gets what is due."""
    assert state in ({}, known.once[1]), f"{where} left something by halves"
    expected = known.twice if state else known.once
    response, end = run.outcome()
    assert response.status == expected[0].status, f"{where}, then again: {response.text}"
    assert response.headers.get("Idempotent-Replayed") == expected[0].headers.get("Idempotent-Replayed"), where
    assert end == expected[1], f"{where}, then again, left something else"


def sound_refusal(response: Response, where: str) -> None:
    assert response.failure == (503, "SERVICE_UNAVAILABLE"), f"{where}: {response.text}"
    assert int(response.headers["Retry-After"]) >= 1
    assert response.json["error"]["requestId"] == response.headers["x-request-id"]


def troubled(run: Trial, known: Reference, call: int, name: str) -> None:
    trouble, where = TROUBLES[name], f"{name} at call {call} ({known.calls[call]})"
    with wired(Wire(call, trouble)) as wire:
        response, state = run.outcome()
    assert wire.attempts, where
    if not trouble.lasting:
        assert (response.status, state) == (known.once[0].status, known.once[1]), f"{where}: {response.text}"
    else:
        sound_refusal(response, where)
        settled(run, known, state, where)
    run.before.restore()


def killed(run: Trial, known: Reference, call: int, moment: str) -> None:
    where = f"killed {moment} call {call} ({known.calls[call]})"
    with wired(Wire(call, kill=moment)), pytest.raises(Killed):
        run.send()
    settled(run, known, run.before.changes(), where)
    run.before.restore()


GIVEN_AWAY = {"POST /api/v1/boards/{boardId}/ownership-transfer"}
"""Whoever repeats it may not make it any more: a key is looked at after the caller's right to the act."""
TELLING = {"throttled", "answer lost", "answer lost once", "conflict", "conflict once", "unprocessed once"}
"""What a fast run tries at every call; the slow one tries everything."""


def cases(known: Reference) -> Iterator[tuple[int, str]]:
    """Every call, with every trouble that its operation can have."""
    for call, operation in enumerate(known.calls):
        yield from ((call, name) for name, trouble in TROUBLES.items() if operation in trouble.of)


def learnt(route: str, scenario: BoardScenario, *, keyed: bool = False) -> tuple[Trial, Reference]:
    run = new_trial(route, scenario, keyed=keyed)
    known = reference(run)
    assert known.once[0].status == ROUTES_BY_NAME[route].status, known.once[0].text
    return run, known


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", WRITES)
def test_a_write_is_whole_or_nothing_whichever_call_fails(route: str, scenario: BoardScenario) -> None:
    run, known = learnt(route, scenario)
    assert known.once[1], "a write that writes nothing proves nothing"
    for call, name in cases(known):
        if name in TELLING:
            troubled(run, known, call, name)


@pytest.mark.slow
@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", WRITES)
def test_a_write_is_whole_or_nothing_in_every_trouble(route: str, scenario: BoardScenario) -> None:
    run, known = learnt(route, scenario)
    for call, name in cases(known):
        if name not in TELLING:
            troubled(run, known, call, name)
    for call in range(len(known.calls)):
        killed(run, known, call, "before")
        killed(run, known, call, "after")


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", [route for route in WRITES if takes_keys(route) and route not in GIVEN_AWAY])
def test_a_repeat_under_a_key_is_the_same_act_whatever_was_lost(route: str, scenario: BoardScenario) -> None:
    run, known = learnt(route, scenario, keyed=True)
    assert known.twice[0].headers["Idempotent-Replayed"] == "true"
    assert known.twice[1] == known.once[1]
    last = len(known.calls) - 1
    for name in ("throttled", "answer lost", "answer lost once"):
        troubled(run, known, last, name)
    killed(run, known, last, "before")
    killed(run, known, last, "after")


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("route", READS)
def test_a_read_answers_the_same_or_says_that_it_cannot(route: str, scenario: BoardScenario) -> None:
    run = new_trial(route, scenario, keyed=False)
    known = reference(run)
    for call, name in cases(known):
        if name in {"throttled", "unreachable", "answer lost once", "unprocessed once", "empty page once"}:
            troubled(run, known, call, name)


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost", "throttled once", "answer lost once"])
def test_a_lease_in_trouble_stops_the_request_before_it_changes_anything(name: str, scenario: BoardScenario) -> None:
    """The first request of an execution environment takes a block of its caller's window."""
    run, known = learnt("PATCH /api/v1/boards/{boardId}", scenario)
    engine.forget_windows()
    with wired(Wire(0, TROUBLES[name])) as wire:
        response, state = run.outcome()
    assert wire.calls[0] == UPDATE
    if TROUBLES[name].lasting:
        sound_refusal(response, name)
        assert state == {}
    else:
        assert (response.status, state) == (known.once[0].status, known.once[1])


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost"])
def test_a_last_use_that_cannot_be_noted_stops_nothing(name: str, scenario: BoardScenario) -> None:
    robot = scenario.token()
    robot.get("/api/v1/whoami")
    engine.forget_uses()
    with wired(Wire(1, TROUBLES[name])) as wire:
        assert robot.get(scenario.path).status == 200
    assert (wire.calls, wire.attempts > 0) == (["BatchGetItem", UPDATE], True)
