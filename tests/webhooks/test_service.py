"""Webhooks of the whole service: `make run`, a receiver with threads, a storm of events."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from standardwebhooks import Webhook as StandardWebhook

from tests.harness import local_run
from tests.webhooks.receiver import Handler, Received, Receiver, receiving, status

pytestmark = pytest.mark.slow
_STORM, _THREADS = 200, 8


@dataclass(frozen=True)
class Service:
    """A running service, called as the owner of a new board of its own."""

    url: str
    session: str
    board_id: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(  # noqa: S310 - our own service
            f"{self.url}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.session}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own service
            return json.loads(answer.read())

    @property
    def path(self) -> str:
        return f"/api/v1/boards/{self.board_id}"

    def hook(self, receiver: Receiver, *events: str) -> Any:
        body = {"url": receiver.url, "events": [*events]}
        return self.call("POST", f"{self.path}/webhooks", body)["data"]

    def meet(self, title: str = "Meeting") -> str:
        body = {"title": title, "status": "scheduled"}
        return str(self.call("POST", f"{self.path}/meetings", body)["data"]["id"])

    def deliveries(self, hook: Any) -> list[Any]:
        listed: list[Any] = []
        cursor = ""
        while True:
            path = f"{self.path}/webhooks/{hook['id']}/deliveries?limit=100{cursor}"
            page = self.call("GET", path)
            listed += page["data"]
            if not page["meta"]["hasMore"]:
                return listed
            cursor = f"&cursor={page['meta']['nextCursor']}"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The service, with the session of its first demo user."""
    run = local_run.start_seeded(tmp_path_factory, WEBHOOK_ALLOW_LOOPBACK="1", RATE_LIMIT_PRINCIPAL="1000000")
    demo = json.loads((run.state / "demo.json").read_text(encoding="utf-8"))
    yield f"http://127.0.0.1:{run.port}", demo["users"][0]["session"]
    local_run.stop(run)


@pytest.fixture
def service(running: tuple[str, str]) -> Service:
    url, session = running
    board = Service(url, session, "").call("POST", "/api/v1/boards", {"name": "Hooked"})["data"]["id"]
    return Service(url, session, board)


def settled(service: Service, hook: Any, number: int, seconds: float = 120) -> list[Any]:
    """Returns the deliveries once this many have succeeded. Fails if that takes too long."""
    end = time.monotonic() + seconds
    while True:
        listed = service.deliveries(hook)
        failed = [delivery for delivery in listed if delivery["status"] != "succeeded"]
        if len(listed) >= number and not failed:
            return listed
        assert time.monotonic() < end, failed[:3]
        time.sleep(0.5)


def test_in_a_storm_at_a_flapping_receiver_every_event_arrives_and_verifies(service: Service) -> None:
    chance = random.Random(7)  # noqa: S311 - the same storm every time

    def flapping(handler: Handler, received: Received) -> None:
        if chance.random() < 0.3:
            status(chance.choice([500, 503, 429, 302, 400]))(handler, received)
        else:
            status(200)(handler, received)

    with receiving(flapping) as receiver:
        hook = service.hook(receiver, "meeting.*")
        with ThreadPoolExecutor(_THREADS) as pool:
            meetings = set(pool.map(lambda number: service.meet(f"Meeting {number}"), range(_STORM)))
        _until_all_arrived(receiver, meetings)
        receiver.behaviour = status(200)
        for delivery in service.deliveries(hook):
            if delivery["status"] != "succeeded":
                service.call("POST", f"{service.path}/webhooks/{hook['id']}/deliveries/{delivery['id']}/redeliver")
        accepted = settled(service, hook, _STORM)
        verifier = StandardWebhook(hook["secret"])
        for received in receiver.received:
            verifier.verify(received.body.decode(), dict(received.headers))
    assert {received.content["data"]["meetingId"] for received in receiver.received} == meetings
    assert len(accepted) == _STORM
    assert {delivery["eventId"] for delivery in accepted} == {received.event_id for received in receiver.received}


def _until_all_arrived(receiver: Receiver, meetings: set[str], seconds: float = 90) -> None:
    """Waits until each meeting was heard of at least once, accepted or not."""
    end = time.monotonic() + seconds
    while {received.content["data"]["meetingId"] for received in receiver.received} < meetings:
        assert time.monotonic() < end, "not every event was tried"
        time.sleep(0.1)
