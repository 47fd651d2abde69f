"""The stand-in for the WebSocket API of `make run`: what it passes on, and the platform's limits."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from infra.local.event import HttpRequest, HttpResponse
from infra.local.hosts import refusal_for
from infra.local.live_gateway import LiveGateway
from infra.local.server import Server, bind

Event = dict[str, Any]


class Function:
    """Answers as the function of the channel does, and keeps the events."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.status = 200

    def __call__(self, event: Event) -> Event:
        self.events.append(event)
        return {"statusCode": self.status, "headers": {"Sec-WebSocket-Protocol": "board-governance.v1"}}

    @property
    def routes(self) -> list[str]:
        return [event["requestContext"]["routeKey"] for event in self.events]


@pytest.fixture
def function() -> Function:
    return Function()


Open = Callable[..., tuple[LiveGateway, int]]


@pytest.fixture
def serve(function: Function) -> Iterator[Open]:
    servers: list[Server] = []

    def opened(**limits: float) -> tuple[LiveGateway, int]:
        live = LiveGateway(function, origin_secret="known", check=refusal_for("127.0.0.1"), **limits)
        server = Server(bind("127.0.0.1", 0), lambda request: live.manage(request) or HttpResponse(404, []), live)
        server.start()
        servers.append(server)
        return live, server.port

    yield opened
    for server in servers:
        server.stop()


def client(port: int, path: str = "/live", host: str = "127.0.0.1") -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{port}{path}",
        subprotocols=["board-governance.v1", "ticket.x"],  # type: ignore[list-item]
        additional_headers={} if host == "127.0.0.1" else {"Host": host},
    )


def manage(live: LiveGateway, method: str, connection_id: str, body: bytes = b"") -> int:
    response = live.manage(HttpRequest(method, f"{live.management_path}/@connections/{connection_id}", [], body))
    assert response is not None
    return response.status


def test_a_connection_becomes_the_events_of_the_platform(serve: Open, function: Function) -> None:
    live, port = serve()
    with client(port) as connection:
        assert connection.subprotocol == "board-governance.v1"
        connection.send("hello")
        (connection_id,) = live._connections
        assert manage(live, "POST", connection_id, b'{"type":"pong"}') == 200
        assert json.loads(connection.recv(timeout=30)) == {"type": "pong"}
        connection.close()
        while "$disconnect" not in function.routes:
            time.sleep(0.01)
    assert function.routes == ["$connect", "$default", "$disconnect"]
    first, second, _ = function.events
    assert first["headers"]["x-origin-secret"] == "known"
    assert first["headers"]["sec-websocket-protocol"] == "board-governance.v1, ticket.x"
    assert (second["body"], second["isBase64Encoded"]) == ("hello", False)
    assert manage(live, "POST", connection_id) == 410


def test_no_post_reaches_a_connection_that_is_being_opened(serve: Open, function: Function) -> None:
    live, port = serve()
    statuses: list[int] = []
    answer = function.__call__

    def posting(event: Event) -> Event:
        if event["requestContext"]["routeKey"] == "$connect":
            statuses.append(manage(live, "POST", event["requestContext"]["connectionId"], b"early"))
        return answer(event)

    live._invoke = posting
    with client(port):
        assert statuses == [410]


@pytest.mark.parametrize("limits", [{"lifetime_seconds": 0.2}, {"idle_seconds": 0.2}])
def test_a_connection_ends_when_it_is_too_old_or_too_silent(serve: Open, limits: dict[str, float]) -> None:
    _, port = serve(**limits)
    with client(port) as connection, pytest.raises(ConnectionClosed) as closed:
        connection.recv(timeout=30)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001


def test_another_path_or_name_reaches_no_function(serve: Open, function: Function) -> None:
    _, port = serve()
    with pytest.raises(InvalidStatus):
        client(port, path="/other")
    assert function.events == []


def test_a_handshake_that_is_no_ascii_is_400_and_reaches_no_function(serve: Open, function: Function) -> None:
    _, port = serve()
    headers = {
        "Host": "127.0.0.1",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "board-governance.v1, ticket.é",
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/live", headers=headers)
    assert connection.getresponse().status == 400
    connection.close()
    assert function.events == []
