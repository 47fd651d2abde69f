"""The live channel of a board (package `websockets`): rings say what changed, and a GET says to what.

Rings may be lost or repeated. After a gap comes one whose `event` is `changed`, without ids: read again what you show.
The iterator reconnects, ends where you no longer hear of the board, and raises ApiError where the service refuses.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from .errors import NO_RESPONSE, UNREADABLE_RESPONSE, ApiError
from .requests import TRIES, Call, Operation

if TYPE_CHECKING:
    from .client import AsyncBaseClient
    from .types import Ring

_TICKET = Call(Operation("POST", "/api/v1/live/tickets", {}, False, True, ("data",)), (), {})
_PING_SECONDS = 540.0
"""The platform closes a connection after ten silent minutes."""
_PING = json.dumps({"action": "ping"})
_LOG = logging.Logger("board_governance.live", logging.INFO)  # noqa: LOG001 - not the program's, nor its level
"""`websockets` logs the headers of its handshake, with the ticket, below this level."""


class _Ended(Exception):
    """One hears no more of the board."""


_LOST = (OSError, WebSocketException, ApiError, _Ended)


class _Room:
    """A board's room, over all connections to it."""

    def __init__(self, board_id: str) -> None:
        self._room = f"boards/{board_id}"
        self.join = json.dumps({"action": "join", "room": self._room})
        self._was_joined = False
        self._failures = 0

    def heard(self, text: str | bytes) -> Iterator[Ring]:
        """Yields the ring that a frame of the channel is, or `changed` where it says that we are back after a gap.

        Raises _Ended where the room was left for a reason, and ApiError for an error and for what is not a frame.
        """
        try:
            frame = json.loads(text)
            kind, is_here = frame["type"], frame.get("room") == self._room
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            kind = "error"
            frame = {"code": UNREADABLE_RESPONSE, "message": "Something else than the live channel sent a message."}
        if kind == "error":
            raise ApiError(400, str(frame.get("code")), str(frame.get("message")))
        if kind == "left" and is_here and frame.get("reason"):
            raise _Ended
        if kind == "ring" and is_here:
            yield frame
        if kind == "joined" and is_here:
            if self._was_joined:
                now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
                yield {"type": "ring", "room": self._room, "event": "changed", "ids": {}, "at": now}
            self._was_joined, self._failures = True, 0

    def lost(self, problem: Exception) -> float | None:
        """Returns after how many seconds to connect again; None where one hears no more of the board.

        Raises ApiError if the service refuses, could not be reached at first, or could not be five times in a row.
        """
        closed = problem.rcvd if isinstance(problem, ConnectionClosed) else None
        if isinstance(problem, _Ended) or (closed and closed.code == 4001):
            return None
        self._failures += 1
        unreachable = ApiError(0, NO_RESPONSE, f"The live channel cannot be reached: {type(problem).__name__}.")
        error = problem if isinstance(problem, ApiError) else unreachable
        is_passing = error.status in (0, 429) or error.status >= 500
        if is_passing and self._was_joined and self._failures < TRIES:
            return 2.0**self._failures * random.uniform(0.25, 0.5)  # noqa: S311 - spreads the return of many clients
        raise error from None


async def rings(client: AsyncBaseClient, board_id: str) -> AsyncIterator[Ring]:
    """Yields the rings of a board's room."""
    room = _Room(board_id)
    while True:
        try:
            async with connect(**_handshake(await client.call(*_TICKET))) as socket:
                await socket.send(room.join)
                while True:
                    try:
                        text = await asyncio.wait_for(socket.recv(), _PING_SECONDS)
                    except TimeoutError:
                        await socket.send(_PING)
                    else:
                        for ring in room.heard(text):
                            yield ring
        except _LOST as failed:
            wait = room.lost(failed)
        if wait is None:
            return
        await asyncio.sleep(wait)


def _handshake(ticket: Any) -> dict[str, Any]:
    if not ticket["ticket"]:
        raise ConnectionResetError("The ticket was lost with the connection.")
    protocols = [Subprotocol("board-governance.v1"), Subprotocol(f"ticket.{ticket['ticket']}")]
    return {"uri": ticket["url"], "subprotocols": protocols, "logger": _LOG}
