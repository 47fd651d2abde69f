"""How many functions of Python and C a warm request calls, its store calls included (ADR growth).

The count is the same on any machine under any load, and processor time follows it. The engine answers at once, from a
thread that is not counted.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from governance.http import sessions
from governance.settings import settings
from governance.store import dynamodb
from governance.store.client.table_client import TableClient
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import gateway_event, handler_for, session
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.single_key_issuer import SingleKeyIssuer
from tests.harness.store_calls import InlinePool
from tests.harness.table_server import TableServer, serving

MOST = {"get-one": 1_000, "list-25": 2_200, "create": 1_700, "vote": 2_200}
"""Round bounds, which leave room to write code plainly: `make bench` prints what it is. With the SDK it was 6,465,
45,718, 10,197 and 18,050."""
STORE_CALLS = {"get-one": 1, "list-25": 5, "create": 2, "vote": 4}
ITEMS = {"get-one": (4, 0), "list-25": (3, 0), "create": (3, 5), "vote": (6, 5)}
"""Items that a session reads by their keys, a unit each, and items of a transaction, two units each at least."""
_WARM_UPS = 3


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - requested for its effect
    """A fresh table, without a rate limit, of whose leases some requests write one and others do not."""
    with engine.fresh_table(**engine.WITHOUT_RATE_LIMIT) as name:
        yield name


class DrainedPool(ThreadPoolExecutor):
    """The threads of the store, for a test that must know when all calls beside a request have ended."""

    def __init__(self) -> None:
        super().__init__(32, thread_name_prefix="store-side")
        self._started: list[Future[Any]] = []

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        self._started.append(super().submit(*call, **named))
        return self._started[-1]

    def drain(self) -> None:
        wait(self._started)


@dataclass
class Requests:
    """The requests that are counted, on a board with a meeting, a slot and more meetings than a page."""

    bearers: dict[str, str]
    requests: dict[str, tuple[str, str, str, Any]]
    server: TableServer
    pool: DrainedPool

    def prepared(self, name: str, credential: str) -> Callable[[], None]:
        """Returns what makes the request."""
        method, path, query, body = self.requests[name]
        headers = {"x-viewer-address": "203.0.113.7", "authorization": f"Bearer {self.bearers[credential]}"}
        if body is not None:
            headers["content-type"] = "application/json"
        event = gateway_event(method, path, query, headers, None if body is None else json.dumps(body))
        handler = handler_for(method, path)

        def send() -> None:
            answer = handler(event, None)
            assert answer["statusCode"] in {200, 201}, answer["body"]

        return send


@pytest.fixture
def requests(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requests]:
    """The requests, to a service with the real client of the table and real threads, whose issuer signs by RS256."""
    owner, meetings = scenario.owner, f"{scenario.path}/meetings"
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot()
    new = {"title": "Budget 2027", "status": "scheduled", "startTime": "2027-03-01T10:00:00+01:00"}
    for number in range(60):
        owner.client.post(meetings, {**new, "status": "draft" if number % 3 == 0 else "scheduled"})
    body = {"name": "counted", "preset": "full_access", "expiresInDays": 30}
    token = owner.client.post("/api/v1/me/tokens", body).data["secret"]
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = jwt.decode(session(owner.email), options={"verify_signature": False})
    monkeypatch.setenv("JWKS_URL", "https://issuer.example.com/keys")
    monkeypatch.setenv("JWT_ALGORITHMS", "RS256")
    settings.cache_clear()
    keys = SingleKeyIssuer(key)
    monkeypatch.setattr(sessions, "_issuer_keys", lambda: keys)
    with serving() as server, DrainedPool() as pool:
        client = TableClient(server.url, "eu-west-1")
        monkeypatch.setattr(dynamodb, "client", lambda: client)
        monkeypatch.setattr(dynamodb, "_pool", pool)
        yield Requests(
            {"session": jwt.encode(claims, key, "RS256"), "token": token},
            {
                "get-one": ("GET", meeting.path, "", None),
                "list-25": ("GET", meetings, "limit=25", None),
                "create": ("POST", meetings, "", new),
                "vote": ("PUT", f"{meeting.slots}/{slot['id']}/vote", "", {"vote": "ok"}),
            },
            server,
            pool,
        )
        client._connections.close_idle()
    settings.cache_clear()


def calls_of(send: Callable[[], None], server: TableServer) -> int:
    """Returns how many functions a request calls on all threads but those of the engine."""
    counted: Counter[str] = Counter()
    threading_module: Any = threading

    def note(_frame: Any, kind: str, _argument: Any) -> None:
        if kind in {"call", "c_call"} and threading.get_ident() not in server.threads:
            counted[kind] += 1

    threading_module.setprofile_all_threads(note)  # since Python 3.12
    try:
        send()
    finally:
        threading_module.setprofile_all_threads(None)
    return counted.total()


def items_of(requests: list[tuple[str, dict[str, str], bytes]]) -> tuple[int, int]:
    """Returns how many items are read by their keys, and how many the transactions name."""
    bodies = [json.loads(body) for _, _, body in requests]
    batches = [batch for body in bodies for batch in body.get("RequestItems", {}).values()]
    return sum(len(batch["Keys"]) for batch in batches), sum(len(body.get("TransactItems", ())) for body in bodies)


@pytest.mark.parametrize("name", MOST)
def test_a_request_keeps_within_its_budget_of_functions_and_store_calls(requests: Requests, name: str) -> None:
    for credential in requests.bearers:
        send = requests.prepared(name, credential)
        for _ in range(_WARM_UPS):
            send()
        requests.pool.drain()
        requests.server.requests.clear()
        counted = calls_of(send, requests.server)
        assert len(requests.server.requests) == STORE_CALLS[name]
        read, written = ITEMS[name]
        assert items_of(requests.server.requests) == (read + (credential == "token"), written)
    assert counted <= MOST[name], credential
