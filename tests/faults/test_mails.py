"""Trouble at every call of the routes that send a mail: none is sent twice, and none is kept back for nothing."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

from tests.faults.call_faults import FAULTS, MAIL, FaultInjector, ProcessKilled, inject
from tests.faults.repeatable_request import RepeatableRequest, new_repeatable_request, reference
from tests.faults.test_every_call import check_unavailable
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox

ROUTES = ["POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"]
PERSISTENT = [name for name, fault in FAULTS.items() if fault.persistent]
TRANSIENT = [name for name, fault in FAULTS.items() if not fault.persistent]


def calls_of(run: RepeatableRequest, outbox: Outbox) -> list[str]:
    calls = reference(run).calls
    outbox.raw.clear()
    assert calls.count(MAIL) == 1
    return calls


def sent(run: RepeatableRequest, outbox: Outbox) -> int:
    """How many mails there are once the client has asked again, and got what is due."""
    response = run.send()
    assert response.status == 200, response.text
    return len(outbox.mails)


def send_with_fault(call: int, name: str, calls: list[str], run: RepeatableRequest) -> Any:
    with inject(FaultInjector(call, FAULTS[name])) as injector:
        response = run.send()
    assert injector.attempts, f"{name} at {calls[call]}"
    return response


@pytest.mark.parametrize("route", ROUTES)
def test_a_store_in_trouble_before_the_mail_costs_no_mail(route: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call, operation in enumerate(calls[: calls.index(MAIL)]):
        for name in (name for name in PERSISTENT if operation in FAULTS[name].of):
            check_unavailable(send_with_fault(call, name, calls, run), name)
            assert outbox.mails == []
            assert sent(run, outbox) == 1, f"{name} at call {call} ({operation})"
            outbox.raw.clear()
            run.before.restore()


@pytest.mark.parametrize("route", ROUTES)
def test_a_trouble_that_passes_sends_one_mail(route: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call, operation in enumerate(calls):
        for name in (name for name in TRANSIENT if operation in FAULTS[name].of):
            assert send_with_fault(call, name, calls, run).status == 200
            assert len(outbox.mails) == 1, f"{name} at call {call} ({operation})"
            outbox.raw.clear()
            run.before.restore()


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost", "conflict"])
def test_a_mail_that_is_out_is_out_whatever_becomes_of_the_note(
    name: str, scenario: BoardScenario, outbox: Outbox
) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls = calls_of(run, outbox)
    response = send_with_fault(len(calls) - 1, name, calls, run)
    assert (response.status, response.json["throttled"]) == (200, False)
    again = run.send()
    assert (again.json["throttled"], len(outbox.mails)) == (True, 1)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "trouble",
    ["ThrottlingException", "InternalServiceError", EndpointConnectionError(endpoint_url="https://mail.test")],
)
def test_a_refused_mail_may_be_asked_for_again(
    route: str, fault: Exception | str, scenario: BoardScenario, outbox: Outbox
) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    calls_of(run, outbox)
    outbox.failure = fault
    check_unavailable(run.send(), str(fault))
    outbox.failure = None
    assert sent(run, outbox) == 1


def test_a_mail_whose_fate_is_unknown_is_not_sent_again(scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls_of(run, outbox)
    outbox.failure = ReadTimeoutError(endpoint_url="https://mail.test")
    check_unavailable(run.send(), "answer lost")
    outbox.failure = None
    assert run.send().json["throttled"] is True
    assert outbox.mails == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_any_call_no_invite_is_mailed_twice(moment: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call in range(len(calls)):
        with inject(FaultInjector(call, crash=moment)), pytest.raises(ProcessKilled):
            run.send()
        assert run.send().status == 200
        assert len(outbox.mails) <= 1
        outbox.raw.clear()
        run.before.restore()
