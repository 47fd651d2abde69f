"""A fault at every call of the routes that send an e-mail: none is sent twice, and none is withheld for no reason."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

from tests.faults.call_faults import FAULTS, MAIL, SEEN, FaultInjector, inject
from tests.faults.repeatable_request import RepeatableRequest, new_repeatable_request, reference
from tests.faults.test_every_call import check_unavailable
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ProcessKilled
from tests.harness.outbox import Outbox

ROUTES = ["POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"]


def calls_with_one_email(run: RepeatableRequest, outbox: Outbox) -> list[str]:
    calls = reference(run).calls
    outbox.raw.clear()
    assert calls.count(MAIL) == 1
    return calls


def count_after_retry(run: RepeatableRequest, outbox: Outbox) -> int:
    """Retries the request, which must succeed, and returns how many e-mails were sent so far."""
    response = run.send()
    assert response.status == 200, response.text
    return len(outbox.mails)


def send_with_fault(call: int, name: str, calls: list[str], run: RepeatableRequest) -> Any:
    with inject(FaultInjector(call, FAULTS[name])) as injector:
        response = run.send()
    assert injector.attempts, f"{name} at {calls[call]}"
    return response


@pytest.mark.parametrize("route", ROUTES)
def test_a_store_fault_before_the_email_loses_no_email(route: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    calls = calls_with_one_email(run, outbox)
    for call, operation in enumerate(calls[: calls.index(MAIL)]):
        for name in (name for name in SEEN if operation in FAULTS[name].operations):
            check_unavailable(send_with_fault(call, name, calls, run), name)
            assert outbox.mails == []
            assert count_after_retry(run, outbox) == 1, f"{name} at call {call} ({operation})"
            outbox.raw.clear()
            run.before.restore()


@pytest.mark.parametrize("name", [*SEEN])
def test_a_sent_email_counts_even_if_its_record_fails(name: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls = calls_with_one_email(run, outbox)
    response = send_with_fault(len(calls) - 1, name, calls, run)
    assert (response.status, response.json["throttled"]) == (200, False)
    again = run.send()
    assert (again.json["throttled"], len(outbox.mails)) == (True, 1)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "failure",
    ["ThrottlingException", "InternalServiceError", EndpointConnectionError(endpoint_url="https://mail.test")],
)
def test_a_refused_email_may_be_requested_again(
    route: str, failure: Exception | str, scenario: BoardScenario, outbox: Outbox
) -> None:
    run = new_repeatable_request(route, scenario, keyed=False)
    calls_with_one_email(run, outbox)
    outbox.failure = failure
    check_unavailable(run.send(), str(failure))
    outbox.failure = None
    assert count_after_retry(run, outbox) == 1


def test_an_email_without_a_response_is_not_sent_again(scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls_with_one_email(run, outbox)
    outbox.failure = ReadTimeoutError(endpoint_url="https://mail.test")
    check_unavailable(run.send(), "response lost")
    outbox.failure = None
    assert run.send().json["throttled"] is True
    assert outbox.mails == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_no_crash_sends_an_invitation_twice(moment: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_repeatable_request(ROUTES[0], scenario, keyed=False)
    calls = calls_with_one_email(run, outbox)
    for call in range(len(calls)):
        with inject(FaultInjector(call, crash=moment)), pytest.raises(ProcessKilled):
            run.send()
        assert run.send().status == 200
        assert len(outbox.mails) <= 1
        outbox.raw.clear()
        run.before.restore()
