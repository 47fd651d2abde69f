"""Foreign clients of the live channel: the package `websockets`, and Node.js."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.e2e.conftest import Service
from tests.harness.programs import program

pytestmark = pytest.mark.slow
PROTOCOL = Subprotocol("board-governance.v1")
_NODE = """
const [url, ticket, room] = process.argv.slice(1);
const socket = new WebSocket(url, ['board-governance.v1', `ticket.${ticket}`]);
socket.onopen = () => socket.send(JSON.stringify({ action: 'join', room }));
socket.onmessage = ({ data }) => {
  console.log(data);
  if (JSON.parse(data).type === 'ring') socket.close();
};
"""


def ticket(service: Service, session: str) -> dict[str, str]:
    answer: dict[str, str] = service.call("POST", "/api/v1/live/tickets", session).data
    return answer


def opened(service: Service, session: str) -> ClientConnection:
    given = ticket(service, session)
    return connect(given["url"], subprotocols=[PROTOCOL, Subprotocol(f"ticket.{given['ticket']}")])


def said(connection: ClientConnection, message: Any) -> Any:
    connection.send(json.dumps(message))
    return json.loads(connection.recv(timeout=30))


def told_until_closed(connection: ClientConnection) -> list[Any]:
    told = []
    with suppress(ConnectionClosed):
        while True:
            told.append(json.loads(connection.recv(timeout=30)))
    return told


def session_and_board(service: Service) -> tuple[str, str]:
    session = service.demo["users"][0]["session"]
    return session, service.call("GET", "/api/v1/boards", session).data[0]["id"]


def create_meeting(service: Service, session: str, board: str) -> str:
    body = {"title": "Live", "status": "scheduled"}
    return str(service.call("POST", f"/api/v1/boards/{board}/meetings", session, body).data["id"])


def test_a_connection_joins_a_room_and_is_rung(service: Service) -> None:
    session, board = session_and_board(service)
    with opened(service, session) as connection:
        assert connection.subprotocol == PROTOCOL
        assert said(connection, {"action": "ping"}) == {"type": "pong"}
        assert said(connection, {"action": "join", "room": f"boards/{board}"})["type"] == "joined"
        meeting = create_meeting(service, session, board)
        while (ring := json.loads(connection.recv(timeout=30)))["ids"].get("meetingId") != meeting:
            pass
        assert (ring["type"], ring["event"]) == ("ring", "meeting.created")
        connection.send(b"binary")
        assert json.loads(connection.recv(timeout=30))["code"] == "INVALID_REQUEST_BODY"


def test_a_handshake_is_refused_by_its_status(service: Service) -> None:
    session, _ = session_and_board(service)
    given = ticket(service, session)
    for offered, status in (([], 400), ([PROTOCOL], 401), ([PROTOCOL, Subprotocol("ticket.unknown")], 401)):
        with pytest.raises(InvalidStatus) as refused:
            connect(given["url"], subprotocols=offered)
        assert refused.value.response.status_code == status


def test_a_revoked_token_ends_its_connection_with_4001(service: Service) -> None:
    session, board = session_and_board(service)
    body = {"name": "live", "preset": "read_only", "expiresInDays": 30}
    token = service.call("POST", "/api/v1/me/tokens", session, body).data
    with opened(service, token["secret"]) as connection:
        said(connection, {"action": "join", "room": f"boards/{board}"})
        service.call("DELETE", f"/api/v1/me/tokens/{token['id']}", session)
        told = told_until_closed(connection)
        assert told[-1] == {"type": "left", "room": f"boards/{board}", "reason": "token_revoked"}
        assert connection.close_code == 4001


def test_node_is_rung(service: Service) -> None:
    node = program("node")
    session, board = session_and_board(service)
    given, room = ticket(service, session), f"boards/{board}"
    words = ["timeout", "60", node, "--experimental-websocket", "--eval", _NODE, given["url"], given["ticket"], room]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own program
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"type": "joined", "room": room}
        create_meeting(service, session, board)
        assert json.loads(process.stdout.readline())["type"] == "ring"
