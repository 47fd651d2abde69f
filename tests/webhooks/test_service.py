"""Webhooks of the whole service: `make run`, receivers with threads, storms of events."""

from __future__ import annotations

import json
import random
import statistics
import threading
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
_MEDIAN_SECONDS = 5.0
_SLOW_SECONDS = 8
"""Nearly as long as an attempt may take."""


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
        found: list[Any] = []
        cursor = ""
        while True:
            path = f"{self.path}/webhooks/{hook['id']}/deliveries?limit=100{cursor}"
            page = self.call("GET", path)
            found += page["data"]
            if not page["meta"]["hasMore"]:
                return found
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
        found = service.deliveries(hook)
        if len(found) >= number and {each["status"] for each in found} == {"succeeded"}:
            return found
        assert time.monotonic() < end, [each for each in found if each["status"] != "succeeded"][:3]
        time.sleep(0.5)


def test_an_event_arrives_within_seconds_in_the_median(service: Service) -> None:
    with receiving() as receiver:
        service.hook(receiver, "meeting.created")
        took = []
        for number in range(21):
            began = time.time()
            meeting = service.meet()
            received = receiver.wait_for(number + 1)[-1]
            assert received.content["data"]["meetingId"] == meeting
            took.append(received.at - began)
    print(f"act to receiver: median {statistics.median(took):.3f} s, longest {max(took):.3f} s")
    assert statistics.median(took) < _MEDIAN_SECONDS


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
        for each in (each for each in service.deliveries(hook) if each["status"] != "succeeded"):
            service.call("POST", f"{service.path}/webhooks/{hook['id']}/deliveries/{each['id']}/redeliver")
        found = settled(service, hook, _STORM)
        verifier = StandardWebhook(hook["secret"])
        for received in receiver.received:
            verifier.verify(received.body.decode(), dict(received.headers))
    assert {received.content["data"]["meetingId"] for received in receiver.received} == meetings
    assert len(found) == _STORM
    assert {each["eventId"] for each in found} == {received.event_id for received in receiver.received}


def _until_all_arrived(receiver: Receiver, meetings: set[str], seconds: float = 90) -> None:
    """Waits until each meeting was heard of at least once, accepted or not."""
    end = time.monotonic() + seconds
    while {received.content["data"]["meetingId"] for received in receiver.received} < meetings:
        assert time.monotonic() < end, "not every event was tried"
        time.sleep(0.1)


def test_a_slow_receiver_delays_no_other(service: Service) -> None:
    others = threading.Event()

    def slow(handler: Handler, received: Received) -> None:
        others.wait(_SLOW_SECONDS)
        status(200)(handler, received)

    with receiving(slow) as tortoise, receiving() as hare:
        service.hook(tortoise, "meeting.created")
        service.hook(hare, "meeting.created")
        meetings = {service.meet() for _ in range(30)}
        received = hare.wait_for(30, 60)  # one after the other behind the slow one's they would take five minutes
        others.set()
    assert {each.content["data"]["meetingId"] for each in received} == meetings


def test_a_receiver_that_is_gone_disables_its_webhook(service: Service) -> None:
    with receiving(status(410)) as receiver:
        hook = service.hook(receiver, "meeting.created")
        service.meet()
        receiver.wait_for(1)
        end = time.monotonic() + 60
        while service.call("GET", f"{service.path}/webhooks/{hook['id']}")["data"]["disabledReason"] != "gone":
            assert time.monotonic() < end
            time.sleep(0.1)


def test_retry_after_is_honoured(service: Service) -> None:
    def busy_once(handler: Handler, received: Received) -> None:
        status(204 if len(receiver.received) > 1 else 429, retry_after="9")(handler, received)

    with receiving(busy_once) as receiver:
        hook = service.hook(receiver, "meeting.created")
        service.meet()
        first, second = receiver.wait_for(2, 60)
        assert second.at - first.at >= 9
        assert first.event_id == second.event_id
        (delivery,) = settled(service, hook, 1)
    assert [attempt["statusCode"] for attempt in delivery["attempts"]] == [429, 204]


def test_a_name_that_leads_to_this_machine_without_being_its_address_is_refused(service: Service) -> None:
    for url in ("http://localhost:1/", "https://10.0.0.1/", "http://127.0.0.1.nip.io/"):
        with pytest.raises(urllib.error.HTTPError, match="400"):
            service.call("POST", f"{service.path}/webhooks", {"url": url, "events": ["*"]})
