"""The Python client on the live channel, against a channel that plays a script."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.server import Server, ServerConnection, serve

ROOM = "boards/b"
JOINED = {"type": "joined", "room": ROOM}
RING = {"type": "ring", "room": ROOM, "event": "meeting.created", "ids": {"meetingId": "m"}, "at": "2098-01-01"}
REMOVED = {"type": "left", "room": ROOM, "reason": "removed"}
Script = list[list[Any]]


class Channel:
    """A live channel: each connection is sent its frames, then closed with 1001, or with a number among the frames."""

    def __init__(self) -> None:
        self.scripts: Script = []
        self.asked: list[Any] = []
        self.server: Server = serve(self._play, "127.0.0.1", 0, select_subprotocol=lambda _, offered: offered[0])
        self.url = f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}/live"

    def _play(self, connection: ServerConnection) -> None:
        self.asked.append(json.loads(connection.recv()))
        for frame in self.scripts.pop(0):
            if isinstance(frame, int):
                return connection.close(frame)
            connection.send(frame if isinstance(frame, str) else json.dumps(frame))
        return connection.close(1001)

    def ticket(self, _: httpx.Request) -> httpx.Response:
        if not self.scripts:
            return httpx.Response(401, json={"error": {"code": "INVALID_API_TOKEN", "message": "Ended."}})
        return httpx.Response(201, json={"data": {"ticket": "t", "url": self.url}})


@pytest.fixture
def channel(sdk: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Channel]:
    for name in ("called_live.time", "live.asyncio"):
        wait = asyncio.sleep
        pause = (lambda _: None) if "time" in name else (lambda _, wait=wait: wait(0))
        __import__(f"{sdk.__name__}.{name.split('.')[0]}")
        monkeypatch.setattr(f"{sdk.__name__}.{name}.sleep", pause)
    channel = Channel()
    thread = threading.Thread(target=channel.server.serve_forever)
    thread.start()
    yield channel
    channel.server.shutdown()
    thread.join()


def heard(sdk: Any, channel: Channel, *scripts: list[Any]) -> list[Any]:
    channel.scripts = list(scripts)
    transport = httpx.MockTransport(channel.ticket)
    return list(sdk.Client("https://board.example", "t", transport=transport).live("b"))


def test_it_joins_the_board_and_yields_its_rings_alone(sdk: Any, channel: Channel) -> None:
    elsewhere = {**RING, "room": "me"}
    assert heard(sdk, channel, [JOINED, elsewhere, RING, {"type": "pong"}, REMOVED]) == [RING]
    assert channel.asked == [{"action": "join", "room": ROOM}]


def test_after_a_gap_it_reconnects_and_yields_one_change_without_ids(sdk: Any, channel: Channel) -> None:
    first, changed, second = heard(sdk, channel, [JOINED, RING], [JOINED, RING, 4001])
    assert first == second == RING
    assert (changed["event"], changed["ids"], changed["room"]) == ("changed", {}, ROOM)


@pytest.mark.parametrize(
    ("frame", "code"),
    [({"type": "error", "code": "RESOURCE_NOT_FOUND", "message": "No.", "room": ROOM}, "RESOURCE_NOT_FOUND"),
     ("<html>", "UNREADABLE_RESPONSE"), ("[]", "UNREADABLE_RESPONSE")],
)  # fmt: skip
def test_an_error_of_the_channel_is_raised(sdk: Any, channel: Channel, frame: Any, code: str) -> None:
    with pytest.raises(sdk.ApiError) as caught:
        heard(sdk, channel, [JOINED, frame])
    assert caught.value.code == code


def test_a_credential_that_ends_in_a_gap_is_an_error(sdk: Any, channel: Channel) -> None:
    with pytest.raises(sdk.ApiError) as caught:
        heard(sdk, channel, [JOINED])
    assert caught.value.status == 401


def test_a_channel_that_cannot_be_reached_is_an_error_at_first(sdk: Any, channel: Channel) -> None:
    channel.url = "ws://127.0.0.1:1/live"
    with pytest.raises(sdk.ApiError) as caught:
        heard(sdk, channel, [JOINED])
    assert caught.value.code == "NO_RESPONSE"


def test_it_gives_up_after_five_connections_that_joined_nothing(sdk: Any, channel: Channel) -> None:
    with pytest.raises(sdk.ApiError):
        heard(sdk, channel, [JOINED], *[[1011]] * 9)
    assert len(channel.asked) == 5


def test_the_asynchronous_client_hears_the_same(sdk: Any, channel: Channel) -> None:
    channel.scripts = [[JOINED, RING], [JOINED, REMOVED]]

    async def run() -> list[Any]:
        transport = httpx.MockTransport(channel.ticket)
        async with sdk.AsyncClient("https://board.example", "t", transport=transport) as client:
            return [ring["event"] async for ring in client.live("b")]

    assert asyncio.run(run()) == ["meeting.created", "changed"]
