"""Workers that are killed at any call: every event that was asked for arrives, and the list of deliveries says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from governance import aws
from governance.domain.webhooks.webhook_delivery import AttemptResult
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ProcessKilled, crash_at
from tests.harness.stream import event_records, send_to_queue
from tests.webhooks.sending import DOWN, OK, Sender, Sent, act, create, deliveries, occupy

pytestmark = pytest.mark.slow


@contextmanager
def killing_at(call: int, sender: Sender, *, before: bool) -> Iterator[None]:
    """Kills the process at this call of the store, the key service, the queue or a receiver.

    It dies before the call is made, or after it and before its answer is read.
    """
    answer = sender.receivers.answer
    with crash_at(call, before=before, kms=aws.kms()) as crash:

        def answer_or_die(sent: Sent) -> AttemptResult:
            crash.before_call()
            answered = answer(sent)
            crash.after_call()
            return answered

        sender.receivers.answer = answer_or_die
        try:
            yield
        finally:
            sender.receivers.answer = answer


def handle_one(function: str) -> None:
    """Invokes a function with its oldest visible message, and removes the message if it was handled."""
    message = queue.current.receive(function)
    if message is not None and not queue.invoke_deliveries(message):
        queue.current.messages.remove(message)


def die_in(function: str, call: int, sender: Sender, *, before: bool) -> bool:
    """Handles one message and dies at this call; returns whether it was handled before that."""
    try:
        with killing_at(call, sender, before=before):
            handle_one(function)
    except ProcessKilled:
        return False
    return True


def settle(sender: Sender) -> None:
    """Handles everything that waits, after every time-out and every lease of the queue is over."""
    for _ in range(6):
        sender.clock.move(queue.LONG_ENOUGH)
        queue.current.deliver()
        sender.sweep()
        sender.run()


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
@pytest.mark.parametrize("function", ["deliveries", "webhook_sender"])
@pytest.mark.parametrize("answer", [OK, DOWN], ids=["up", "down"])
def test_killed_at_every_call_every_event_arrives(
    scenario: BoardScenario, sender: Sender, function: str, answer: AttemptResult, *, before: bool
) -> None:
    hook = create(scenario, events=["meeting.created"])
    settle(sender)
    call, done = 1, False
    while not done:
        queue.current.messages.clear()
        act(scenario)
        assert send_to_queue([event_records(scenario.board_id)[-1]]) == []
        if function == "webhook_sender":
            queue.current.deliver()
        sender.receivers.answer = lambda _: answer
        done = die_in(function, call, sender, before=before)
        sender.receivers.answer = lambda _: OK
        settle(sender)
        listed = deliveries(scenario, hook["id"])
        assert len(listed) == call
        assert {delivery["status"] for delivery in listed} == {"succeeded"}
        arrived = {sent.headers["webhook-id"] for sent in sender.receivers.sent}
        assert arrived >= {delivery["eventId"] for delivery in listed}
        assert queue.current.dead == []
        call += 1
    assert call > (3 if function == "deliveries" else 5)


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_a_clock_that_is_killed_at_any_call_loses_no_delivery(
    scenario: BoardScenario, sender: Sender, *, before: bool
) -> None:
    hook = create(scenario, events=["meeting.created"])
    call, done = 1, False
    while not done:
        sender.receivers.answer = lambda _: AttemptResult(503, None, 5, retry_after=3000)
        act(scenario)
        assert send_to_queue([event_records(scenario.board_id)[-1]]) == []
        queue.current.deliver()
        sender.run()
        sender.clock.move(3100)
        sender.receivers.answer = lambda _: OK
        try:
            with killing_at(call, sender, before=before):
                sender.sweep()
            done = True
        except ProcessKilled:
            done = False
        settle(sender)
        listed = deliveries(scenario, hook["id"])
        assert {delivery["status"] for delivery in listed} == {"succeeded"}, call
        call += 1
    assert call > 5


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
@pytest.mark.parametrize("slow", [False, True], ids=["no permit is free", "the receiver is slow"])
def test_a_worker_that_is_killed_at_any_call_loses_no_delivery_that_waits(
    scenario: BoardScenario, sender: Sender, *, slow: bool, before: bool
) -> None:
    hook = create(scenario, events=["meeting.created"])
    sender.receivers.answer = lambda _: AttemptResult(204, None, 9000 if slow else 5)
    act(scenario)
    assert send_to_queue([event_records(scenario.board_id)[-1]]) == []
    settle(sender)
    call, done = 1, False
    while not done:
        queue.current.messages.clear()
        for _ in range(2):
            act(scenario)
        assert send_to_queue(event_records(scenario.board_id)[-2:]) == []
        queue.current.deliver()
        if not slow:
            occupy(scenario, 30)
        done = die_in("webhook_sender", call, sender, before=before)
        settle(sender)
        listed = deliveries(scenario, hook["id"])
        assert len(listed) == 2 * call + 1
        assert {delivery["status"] for delivery in listed} == {"succeeded"}, call
        assert queue.current.dead == []
        call += 1
    assert call > 2
