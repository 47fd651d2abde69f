"""Webhooks that have more deliveries than attempts that may be made at the same time (ADR 0123)."""

from __future__ import annotations

from typing import Any

import pytest

from governance import delivery_queue
from governance.domain import webhook as rules
from governance.limits import WEBHOOK_BOARD_CONCURRENCY, WEBHOOK_CONCURRENCY, WEBHOOKS_PER_BOARD
from governance.models.webhook import StoredDelivery
from governance.store import webhook_deliveries, webhooks
from governance.store.writes import Write
from governance.webhooks.planning import delivery_message
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.stream import event_records, send_to_queue
from tests.webhooks.sending import Sender, act, create, deliveries, occupy
from tests.webhooks.simulation import MOST_INVOCATIONS, simulated

HOUR = 3600
COMES_BACK = 900
QUICK = "https://quick.example.com/"


def burst(scenario: BoardScenario, events: int) -> None:
    """Makes events on a board and plans their deliveries."""
    for _ in range(events):
        act(scenario)
    assert send_to_queue(event_records(scenario.board_id)) == []
    assert queue.current.deliver() == 0


def statuses(scenario: BoardScenario, hook: Any) -> list[str]:
    return [each["status"] for each in deliveries(scenario, hook["id"])]


def waiting_messages() -> list[queue.QueuedMessage]:
    return [each for each in queue.current.messages if each.function == "webhook_sender"]


@pytest.mark.parametrize(("seconds", "events"), [(10.0, 24), (0.2, 32)], ids=["slow", "healthy"])
def test_a_burst_keeps_every_slot_in_use_and_costs_few_invocations(
    scenario: BoardScenario, sender: Sender, seconds: float, events: int
) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, events)
    with simulated(sender, lambda _: seconds) as simulation:
        simulation.run(events / WEBHOOK_CONCURRENCY * (seconds + 0.15))
        assert statuses(scenario, hook) == ["succeeded"] * events, "as fast as the permits allow"
        simulation.run(HOUR)
    print(f"{events} events, {seconds} s each: {simulation.invocations} invocations")
    assert len(sender.receivers.sent) == events
    assert simulation.most_at_once["*"] == WEBHOOK_CONCURRENCY
    assert simulation.invocations - events <= 3 * events
    assert waiting_messages() == []


def test_an_hour_of_waiting_costs_few_invocations(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, 10)
    occupy(scenario, hook, HOUR)
    with simulated(sender, lambda _: 0.2) as simulation:
        simulation.run(HOUR - 1)
        assert sender.receivers.sent == []
        print(f"10 deliveries that wait for an hour: {simulation.invocations} invocations")
        assert simulation.invocations <= 7 * 10
        simulation.run(COMES_BACK + 10)
    assert statuses(scenario, hook) == ["succeeded"] * 10
    assert len(sender.receivers.sent) == 10


def test_a_slot_that_opens_while_a_delivery_is_noted_as_waiting_is_used_at_once(
    scenario: BoardScenario, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, 1)
    occupy(scenario, hook, 30)

    def put_late(delivery: StoredDelivery) -> Write:
        sender.clock.move(31)
        return real(delivery)

    real = webhook_deliveries.put_waiting
    monkeypatch.setattr(webhook_deliveries, "put_waiting", put_late)
    sender.run()
    assert statuses(scenario, hook) == ["succeeded"]


def test_a_delivery_that_nobody_wakes_comes_back_by_itself(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, 1)
    occupy(scenario, hook, 30)
    sender.run()
    assert sender.receivers.sent == []
    sender.clock.move(COMES_BACK)
    sender.run()
    assert statuses(scenario, hook) == ["succeeded"]


def test_a_delivery_that_needs_no_attempt_wakes_the_next(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, 5)
    occupy(scenario, hook, 30)
    sender.run()
    path = f"{scenario.path}/webhooks/{hook['id']}"
    scenario.owner.client.patch(path, {"enabled": False})
    sender.clock.move(31)
    first = deliveries(scenario, hook["id"])[0]["id"]
    delivery_queue.send([delivery_message(scenario.board_id, hook["id"], first)])
    sender.run()
    assert statuses(scenario, hook) == ["failed"] * 5


def test_webhooks_of_a_board_share_what_it_may_do_at_a_time(scenario: BoardScenario) -> None:
    hooks = []
    for number in range(1, WEBHOOKS_PER_BOARD + 1):
        hooks.append(create(scenario, enabled=number > 1))
        share = rules.attempts_at_a_time(webhooks.of_board(scenario.board_id))
        assert 1 <= share <= WEBHOOK_CONCURRENCY
        assert share * (number - 1) <= WEBHOOK_BOARD_CONCURRENCY, "the first one is disabled"
        assert share == WEBHOOK_CONCURRENCY or (share + 1) * (number - 1) > WEBHOOK_BOARD_CONCURRENCY


@pytest.mark.parametrize("number", [2, WEBHOOKS_PER_BOARD])
def test_a_board_with_slow_receivers_leaves_most_of_the_sender_to_others(
    scenario: BoardScenario, sender: Sender, number: int
) -> None:
    for each in range(number):
        create(scenario, events=["meeting.created"], url=f"https://slow{each}.example.com/")
    burst(scenario, 40 // number)
    other = new_board_scenario()
    create(other, events=["meeting.created"], url=QUICK)
    burst(other, 1)
    queue.current.messages[-1].visible_at += 15
    with simulated(sender, lambda url: 0.1 if url == QUICK else 10) as simulation:
        simulation.run(16)
        assert QUICK in {url for _, url in simulation.began}
        assert simulation.most_at_once["*"] <= WEBHOOK_BOARD_CONCURRENCY + 1
        assert MOST_INVOCATIONS >= 3 * WEBHOOK_BOARD_CONCURRENCY
        simulation.run(30)
    assert len(simulation.began) == 41
