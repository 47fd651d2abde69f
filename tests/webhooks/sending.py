"""Deliveries to webhooks in this process: the sender's queue, its clock, and receivers that only seem to be there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from governance import instants
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.instants import shift
from governance.limits import WEBHOOK_OWNER_CONCURRENCY
from governance.models.queue import DeliveryKind
from governance.queue import message
from governance.store.table import read
from governance.store.transactions import transact
from governance.webhooks import attempts
from governance.webhooks import client as webhook_client
from governance.webhooks.lanes import permit_keys, permits
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import FUNCTIONS, load
from tests.harness.clock import Clock
from tests.harness.privileges import acting_as
from tests.harness.stream import event_records, process_records

URL = "https://hooks.example.com/boards"
OK = AttemptResult(204, None, 5)
DOWN = AttemptResult(503, None, 5)
DAY = 24 * 3600


@dataclass(frozen=True)
class Sent:
    """One request that would have been sent."""

    url: str
    headers: Mapping[str, str]
    content: bytes


@dataclass
class FakeReceivers:
    """Takes the place of the network: notes what is sent, and answers what `answer` says."""

    answer: Callable[[Sent], AttemptResult] = lambda _: OK
    sent: list[Sent] = field(default_factory=list)

    def post(self, url: str, headers: Mapping[str, str], content: bytes) -> AttemptResult:
        sent = Sent(url, headers, content)
        self.sent.append(sent)
        return self.answer(sent)


@dataclass
class Sender:
    """The sender with its receivers and its clock."""

    receivers: FakeReceivers
    clock: Clock

    def plan(self, scenario: BoardScenario) -> None:
        """Takes every event of the board from the stream through the queue of deliveries, once more if need be."""
        assert process_records(event_records(scenario.board_id)) == []

    def run(self) -> int:
        """Delivers every message that is visible, and those that follow at once. Returns how many there were."""
        handled = 0
        while (message := queue.current.receive("webhook_sender")) is not None:
            handled += 1
            if not queue.invoke_deliveries(message):
                queue.current.messages.remove(message)
            assert handled < 5000, "The messages never end."
        return handled

    def deliver(self, scenario: BoardScenario) -> None:
        """Plans and delivers what has happened on a board."""
        self.plan(scenario)
        self.run()

    def send_event(self, scenario: BoardScenario) -> None:
        """Creates a meeting, and delivers what has happened."""
        act(scenario)
        self.deliver(scenario)

    def sweep(self) -> int:
        """Lets the clock tick once."""
        handler = load(FUNCTIONS / "deliveries" / "handler.py").lambda_handler
        with acting_as("deliveries"):
            return int(handler({"source": "aws.events"}, None)["swept"])

    def pass_time(self, seconds: float, step: float = 60) -> None:
        """Lets time pass, with a tick of the clock each minute and the queue delivered after each step."""
        while seconds > 0:
            self.clock.move(min(step, seconds))
            seconds -= step
            self.sweep()
            self.run()


@contextmanager
def sending(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[Sender]:
    """Replaces the network of the sender; the clock is the one of all components."""
    sender = Sender(FakeReceivers(), clock)
    monkeypatch.setattr(webhook_client, "post", sender.receivers.post)
    monkeypatch.setattr(message, "_now", lambda: instants.millis(instants.now()) / 1000)
    attempts._signing_key.cache_clear()
    yield sender


def create(scenario: BoardScenario, **members: Any) -> Any:
    """Creates a webhook for all events and returns it with its secret."""
    response = scenario.owner.client.post(f"{scenario.path}/webhooks", {"url": URL, "events": ["*"], **members})
    assert response.status == 201, response.text
    return response.data


def act(scenario: BoardScenario, title: str = "Meeting") -> str:
    """Creates a meeting that everybody sees, which is an event for webhooks, and returns its id."""
    body = {"title": title, "status": "scheduled"}
    return str(scenario.owner.client.post(f"{scenario.path}/meetings", body).data["id"])


def occupy(scenario: BoardScenario, seconds: int) -> None:
    """Takes every permit of the owner of a board, as workers do that are killed afterwards."""
    moment = shift(instants.now(), seconds=seconds - 60)
    for _ in range(WEBHOOK_OWNER_CONCURRENCY):
        usage = permits(scenario.owner.id, DeliveryKind.WEBHOOK, read(permit_keys(scenario.owner.id)))
        transact([usage.claim(moment).take])
    usage = permits(scenario.owner.id, DeliveryKind.WEBHOOK, read(permit_keys(scenario.owner.id)))
    assert usage.is_exhausted(instants.now())


def deliveries(scenario: BoardScenario, webhook_id: str) -> list[Any]:
    """Returns all deliveries to a webhook, oldest event first."""
    return scenario.owner.client.all(f"{scenario.path}/webhooks/{webhook_id}/deliveries")[::-1]
