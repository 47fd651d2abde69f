"""Trouble at every call of the routes that send a mail: none is sent twice, and none is kept back for nothing."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

from tests.faults.call_faults import MAIL, TROUBLES, Killed, Wire, wired
from tests.faults.repeatable_request import Trial, new_trial, reference
from tests.faults.test_every_call import sound_refusal
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox

ROUTES = ["POST /api/invite/{boardInviteId}/send-email", "POST /api/invite/{boardId}/test"]
LASTING = [name for name, trouble in TROUBLES.items() if trouble.lasting]
PASSING = [name for name, trouble in TROUBLES.items() if not trouble.lasting]


def calls_of(run: Trial, outbox: Outbox) -> list[str]:
    calls = reference(run).calls
    outbox.raw.clear()
    assert calls.count(MAIL) == 1
    return calls


def sent(run: Trial, outbox: Outbox) -> int:
    """How many mails there are once the client has asked again, and got what is due."""
    response = run.send()
    assert response.status == 200, response.text
    return len(outbox.mails)


def trouble_at(call: int, name: str, calls: list[str], run: Trial) -> Any:
    with wired(Wire(call, TROUBLES[name])) as wire:
        response = run.send()
    assert wire.attempts, f"{name} at {calls[call]}"
    return response


@pytest.mark.parametrize("route", ROUTES)
def test_a_store_in_trouble_before_the_mail_costs_no_mail(route: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_trial(route, scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call, operation in enumerate(calls[: calls.index(MAIL)]):
        for name in (name for name in LASTING if operation in TROUBLES[name].of):
            sound_refusal(trouble_at(call, name, calls, run), name)
            assert outbox.mails == []
            assert sent(run, outbox) == 1, f"{name} at call {call} ({operation})"
            outbox.raw.clear()
            run.before.restore()


@pytest.mark.parametrize("route", ROUTES)
def test_a_trouble_that_passes_sends_one_mail(route: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_trial(route, scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call, operation in enumerate(calls):
        for name in (name for name in PASSING if operation in TROUBLES[name].of):
            assert trouble_at(call, name, calls, run).status == 200
            assert len(outbox.mails) == 1, f"{name} at call {call} ({operation})"
            outbox.raw.clear()
            run.before.restore()


@pytest.mark.parametrize("name", ["throttled", "unreachable", "answer lost", "conflict"])
def test_a_mail_that_is_out_is_out_whatever_becomes_of_the_note(
    name: str, scenario: BoardScenario, outbox: Outbox
) -> None:
    run = new_trial(ROUTES[0], scenario, keyed=False)
    calls = calls_of(run, outbox)
    response = trouble_at(len(calls) - 1, name, calls, run)
    assert (response.status, response.json["throttled"]) == (200, False)
    again = run.send()
    assert (again.json["throttled"], len(outbox.mails)) == (True, 1)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "trouble",
    ["ThrottlingException", "InternalServiceError", EndpointConnectionError(endpoint_url="https://mail.test")],
)
def test_a_refused_mail_may_be_asked_for_again(
    route: str, trouble: Exception | str, scenario: BoardScenario, outbox: Outbox
) -> None:
    run = new_trial(route, scenario, keyed=False)
    calls_of(run, outbox)
    outbox.trouble = trouble
    sound_refusal(run.send(), str(trouble))
    outbox.trouble = None
    assert sent(run, outbox) == 1


def test_a_mail_whose_fate_is_unknown_is_not_sent_again(scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_trial(ROUTES[0], scenario, keyed=False)
    calls_of(run, outbox)
    outbox.trouble = ReadTimeoutError(endpoint_url="https://mail.test")
    sound_refusal(run.send(), "answer lost")
    outbox.trouble = None
    assert run.send().json["throttled"] is True
    assert outbox.mails == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_any_call_no_invite_is_mailed_twice(moment: str, scenario: BoardScenario, outbox: Outbox) -> None:
    run = new_trial(ROUTES[0], scenario, keyed=False)
    calls = calls_of(run, outbox)
    for call in range(len(calls)):
        with wired(Wire(call, kill=moment)), pytest.raises(Killed):
            run.send()
        assert run.send().status == 200
        assert len(outbox.mails) <= 1
        outbox.raw.clear()
        run.before.restore()
