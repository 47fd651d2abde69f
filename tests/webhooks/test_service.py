"""Webhooks of the whole service: `make run`, a receiver with threads, a storm of events."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from standardwebhooks import Webhook as StandardWebhook

from tests.e2e.conftest import Service
from tests.harness import local_run
from tests.webhooks.receiver import Handler, Received, Receiver, receiving, status

pytestmark = pytest.mark.slow
_STORM, _THREADS = 200, 8


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    run = local_run.start_seeded(tmp_path_factory, WEBHOOK_ALLOW_LOOPBACK="1", RATE_LIMIT_PRINCIPAL="1000000")
    demo = json.loads((run.state / "demo.json").read_text(encoding="utf-8"))
    yield Service(f"http://127.0.0.1:{run.port}", run.state, demo)
    local_run.stop(run)


@dataclass(frozen=True)
class Hooked:
    """A new board of a demo user, with one webhook."""

    service: Service
    session: str
    board: str
    hook: dict[str, Any]

    def post(self, path: str, body: Any = None) -> Any:
        return self.service.call("POST", f"{self.board}{path}", self.session, body).data

    def deliveries(self) -> list[Any]:
        listed: list[Any] = []
        cursor = ""
        while True:
            path = f"{self.board}/webhooks/{self.hook['id']}/deliveries?limit=100{cursor}"
            page = self.service.call("GET", path, self.session).json
            listed += page["data"]
            if not page["meta"]["hasMore"]:
                return listed
            cursor = f"&cursor={page['meta']['nextCursor']}"


def new_hooked(service: Service, receiver: Receiver) -> Hooked:
    session = service.demo["users"][0]["session"]
    board = f"/api/v1/boards/{service.call('POST', '/api/v1/boards', session, {'name': 'Hooked'}).data['id']}"
    hook = service.call("POST", f"{board}/webhooks", session, {"url": receiver.url, "events": ["meeting.*"]}).data
    return Hooked(service, session, board, hook)


def settled(hooked: Hooked, number: int, seconds: float = 120) -> list[Any]:
    """Returns the deliveries once this many have succeeded. Fails if that takes too long."""
    end = time.monotonic() + seconds
    while True:
        listed = hooked.deliveries()
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

    def meet(number: int) -> str:
        return str(hooked.post("/meetings", {"title": f"Meeting {number}", "status": "scheduled"})["id"])

    with receiving(flapping) as receiver:
        hooked = new_hooked(service, receiver)
        with ThreadPoolExecutor(_THREADS) as pool:
            meetings = set(pool.map(meet, range(_STORM)))
        _until_all_arrived(receiver, meetings)
        receiver.behaviour = status(200)
        for delivery in hooked.deliveries():
            if delivery["status"] != "succeeded":
                hooked.post(f"/webhooks/{hooked.hook['id']}/deliveries/{delivery['id']}/redeliver")
        accepted = settled(hooked, _STORM)
        verifier = StandardWebhook(hooked.hook["secret"])
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
