"""Webhooks that have more deliveries than attempts that may be made at the same time, and slow receivers (ADR
webhooks)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from governance.limits import WEBHOOK_OWNER_CONCURRENCY
from governance.models.queue import DeliveryKind
from governance.settings import settings
from governance.webhooks.lanes import lane_for, permits
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.stream import event_records, send_to_queue
from tests.webhooks.sending import DOWN, OK, Sender, act, create, deliveries, occupy
from tests.webhooks.simulation import simulated

pytestmark = pytest.mark.slow
HOUR = 3600
QUICK = "https://quick.example.com/"
SLOW_SECONDS = 9.5


def burst(scenario: BoardScenario, events: int) -> list[queue.QueuedMessage]:
    """Makes events on a board and plans their deliveries. Returns the messages of these."""
    before = len(queue.current.messages)
    for _ in range(events):
        act(scenario)
    assert send_to_queue(event_records(scenario.board_id)[-events:]) == []
    queue.current.deliver()
    return queue.current.messages[before:]


def statuses(scenario: BoardScenario, hook: Any) -> list[str]:
    return [waiting["status"] for waiting in deliveries(scenario, hook["id"])]


def waiting_messages() -> list[queue.QueuedMessage]:
    return [waiting for waiting in queue.current.messages if waiting.function == "webhook_sender"]


def boards_of_owner(scenario: BoardScenario, number: int) -> Iterable[BoardScenario]:
    """Yields the board, and new ones of the same owner."""
    yield scenario
    for _ in range(number - 1):
        board = scenario.owner.client.post("/api/v1/boards", {"name": "Board"}).data["id"]
        yield BoardScenario(scenario.owner, board)


def receivers_seconds(url: str) -> float:
    return 0.1 if url == QUICK else SLOW_SECONDS


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> Iterable[Callable[[int, int], None]]:
    """Sets how many deliveries run at a time, and how many in the slow lane."""

    def set_concurrency(quick: int, slow: int) -> None:
        monkeypatch.setenv("WEBHOOKS_CONCURRENCY", str(quick))
        monkeypatch.setenv("SLOW_WEBHOOKS_CONCURRENCY", str(slow))
        settings.cache_clear()

    yield set_concurrency
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.parametrize(("seconds", "events"), [(10.0, 24), (0.2, 32)], ids=["slow", "healthy"])
def test_a_burst_is_sent_within_twice_the_least_time_and_costs_few_invocations(
    scenario: BoardScenario, sender: Sender, seconds: float, events: int
) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, events)
    began = queue.current.now
    with simulated(sender, lambda _: seconds) as simulation:
        simulation.run(HOUR)
    assert statuses(scenario, hook) == ["succeeded"] * events
    assert len(sender.receivers.sent) == events
    took = simulation.began[-1][0] + seconds - began
    print(f"{events} events, {seconds} s each: {took:.1f} s, {simulation.invocations} invocations")
    assert took <= 2 * events / WEBHOOK_OWNER_CONCURRENCY * (seconds + 0.15) + 4
    assert simulation.invocations <= 7 * events  # about 5.8 of slow ones, with the jitter of their pauses
    assert waiting_messages() == []


def test_an_hour_of_waiting_costs_few_invocations_and_ends_in_half_an_hour_more(
    scenario: BoardScenario, sender: Sender
) -> None:
    hook = create(scenario, events=["meeting.created"])
    burst(scenario, 10)
    occupy(scenario, HOUR)
    with simulated(sender, lambda _: 0.2) as simulation:
        simulation.run(HOUR - 1)
        assert sender.receivers.sent == []
        print(f"10 deliveries that wait for an hour: {simulation.invocations} invocations")
        assert simulation.invocations <= 28 * 10  # about 24 each
        simulation.run(1000)
    assert statuses(scenario, hook) == ["succeeded"] * 10
    assert len(sender.receivers.sent) == 10


def test_a_webhook_that_fails_is_probed_by_one_attempt_at_a_time_until_it_accepts_again(
    scenario: BoardScenario, sender: Sender
) -> None:
    hook = create(scenario, events=["meeting.created"])
    sender.receivers.answer = lambda _: DOWN
    burst(scenario, 1)
    sender.run()
    burst(scenario, 20)
    with simulated(sender, lambda _: 2.0) as simulation:
        simulation.is_up = lambda _: False
        simulation.run(60)
        assert simulation.most_at_once["*"] == 1
        assert 12 < len(simulation.began) <= 30, "a probe of two seconds follows another"
        simulation.is_up = lambda _: True
        simulation.run(10 * 60)
    assert statuses(scenario, hook) == ["succeeded"] * 21
    assert simulation.most_at_once["*"] > 1


@pytest.mark.parametrize(("quick", "slow"), [(50, 50), (2, 0)], ids=["in use", "new account"])
def test_an_owner_of_120_slow_receivers_delays_no_delivery_of_another_owner(
    scenario: BoardScenario, sender: Sender, deploy: Callable[[int, int], None], quick: int, slow: int
) -> None:
    deploy(quick, slow)
    for board in boards_of_owner(scenario, 12):
        for number in range(10):
            create(board, events=["meeting.created"], url=f"https://slow{number}.example.com/{board.board_id}")
        burst(board, 2)
    other = new_board_scenario("oscar")
    create(other, events=["meeting.created"], url=QUICK)
    due = []
    for number, message in enumerate(burst(other, 20)):
        message.visible_at += 1 + 3 * number
        due.append(message.visible_at)
    with simulated(sender, receivers_seconds, {"webhooks": quick, "slow_webhooks": slow}) as simulation:
        simulation.run(80)
    began = sorted(moment for moment, url in simulation.began if url == QUICK)
    delays = [arrived - sent for arrived, sent in zip(began, due, strict=True)]
    print(f"delays: median {statistics.median(delays):.2f} s, longest {max(delays):.2f} s")
    assert statistics.median(delays) < 5
    assert simulation.most_at_once["*"] <= 2 * WEBHOOK_OWNER_CONCURRENCY + 1


def test_a_slow_receiver_is_attempted_in_the_slow_lane_and_delays_no_quick_one_of_its_owner(
    scenario: BoardScenario, sender: Sender
) -> None:
    slow = create(scenario, events=["meeting.created"], url="https://slow.example.com/")
    _, other = boards_of_owner(scenario, 2)
    burst(scenario, 20)
    with simulated(sender, receivers_seconds) as simulation:
        quick = create(other, events=["meeting.created"], url=QUICK)
        simulation.run(10)
        burst(other, 2)
        assert len(waiting_messages()) > 2 + WEBHOOK_OWNER_CONCURRENCY
        simulation.run(1)
        assert statuses(other, quick) == ["succeeded"] * 2
        simulation.run(HOUR)
    assert statuses(scenario, slow) == ["succeeded"] * 20


def test_a_receiver_that_answers_quickly_again_leaves_the_slow_lane(scenario: BoardScenario, sender: Sender) -> None:
    create(scenario, events=["meeting.created"])
    took = [0.1, SLOW_SECONDS, SLOW_SECONDS, 0.1, 0.1]
    with simulated(sender, lambda _: took.pop(0)) as simulation:
        for _ in range(5):
            burst(scenario, 1)
            simulation.run(12)
    assert simulation.lanes == ["webhooks", "webhooks", "slow_webhooks", "slow_webhooks", "webhooks"]


def test_an_installation_has_a_third_of_each_lane_for_one_owner(deploy: Callable[[int, int], None]) -> None:
    expected = {(2, 0): (1, 1), (2, 2): (1, 1), (50, 12): (8, 4), (9, 100): (3, 8)}
    for (quick, slow), uses in expected.items():
        deploy(quick, slow)
        lanes = [lane_for(slow=False), lane_for(slow=True)]
        assert lanes == [DeliveryKind.WEBHOOK, DeliveryKind.SLOW_WEBHOOK if slow else DeliveryKind.WEBHOOK]
        assert tuple(permits("owner", lane, {}).quota.uses for lane in lanes) == uses


def test_a_message_of_the_release_before_is_counted_for_its_board(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    (message,) = burst(scenario, 1)
    occupy(scenario, 30)
    message.body = message.body.replace(f'"ownerId":"{scenario.owner.id}",', "")
    assert "ownerId" not in message.body
    sender.receivers.answer = lambda _: OK
    sender.run()
    assert statuses(scenario, hook) == ["succeeded"]
