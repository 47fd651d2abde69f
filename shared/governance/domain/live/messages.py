"""What clients of the live channel send and receive: the forms of its messages, and how often they may come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from governance.errors import ApiError, Code, not_found
from governance.ids import BoardId, is_id
from governance.instants import Instant, millis
from governance.limits import LIVE_MESSAGES_PER_MINUTE
from governance.models.live.frames import ErrorFrame, JoinedFrame, LeftFrame, PongFrame
from governance.models.live.live import LeftReason

PROTOCOL = "board-governance.v1"
"""The subprotocol that a client offers and is given."""
TICKET_PREFIX = "ticket."
"""The beginning of the subprotocol that carries a ticket."""
OWN_ROOM = "me"
"""The room that every connection is in by itself."""
_ROOM_PREFIX = "boards/"
_SCHEMES = {"https": "wss", "http": "ws"}
_WINDOW_MILLIS = 60_000
_MESSAGE = (
    'Send {"action": "join" or "leave", "room": "boards/<id>"} or {"action": "ping"}, as the JSON text of a message.'
)
_SLOW_DOWN = f"Send at most {LIVE_MESSAGES_PER_MINUTE} messages a minute."
LiveMessage = dict[str, Any]


@dataclass(frozen=True)
class Wish:
    """What a client asks for; a ping names no board."""

    action: Literal["join", "leave", "ping"]
    board_id: BoardId | None = None


def channel_url(root_url: str) -> str:
    """Returns the address of the channel, on the host of `root_url`."""
    root = urlsplit(root_url)
    return f"{_SCHEMES[root.scheme]}://{root.netloc}/live"


def room_of(board_id: BoardId) -> str:
    """Returns the name of a board's room."""
    return f"{_ROOM_PREFIX}{board_id}"


def named_room(content: Any) -> str | None:
    """Returns the room that a message names, whatever else is in it."""
    room = content.get("room") if isinstance(content, dict) else None
    return room if isinstance(room, str) else None


def wish_of(content: Any) -> Wish:
    """Returns what the JSON value of a message asks for.

    Raises `RESOURCE_NOT_FOUND` for a malformed board id, and `INVALID_REQUEST_BODY` for anything else.
    """
    match content:
        case {"action": "ping", **more} if not more:
            return Wish("ping")
        case {"action": ("join" | "leave") as action, "room": str(room), **more} if not more:
            if room.startswith(_ROOM_PREFIX):
                board_id = room.removeprefix(_ROOM_PREFIX)
                if not is_id(board_id):
                    raise not_found()
                return Wish(action, BoardId(board_id))
    raise invalid_message()


def invalid_message() -> ApiError:
    """Returns the error of a message that asks for nothing."""
    return ApiError(Code.INVALID_REQUEST_BODY, _MESSAGE)


def too_many_messages() -> ApiError:
    """Returns the error of a message beyond the limit of a minute."""
    return ApiError(Code.RATE_LIMITED, _SLOW_DOWN)


def is_first_in_a_minute(recent: Sequence[int], now: Instant) -> bool:
    """Returns whether a message is the first of a connection within a minute."""
    return all(instant <= millis(now) - _WINDOW_MILLIS for instant in recent)


def counted(recent: Sequence[int], now: Instant) -> tuple[int, ...] | None:
    """Returns the instants of a connection's messages with one of now; None if it has had as many as a minute takes.

    `recent` are those of the messages that were taken, in milliseconds since 1970.
    """
    at = millis(now)
    kept = tuple(instant for instant in recent if instant > at - _WINDOW_MILLIS)
    return None if len(kept) >= LIVE_MESSAGES_PER_MINUTE else (*kept, at)


def joined(board_id: BoardId) -> LiveMessage:
    """Returns the answer to a join."""
    return JoinedFrame(room=room_of(board_id)).item()


def left(board_id: BoardId, reason: LeftReason | None = None) -> LiveMessage:
    """Returns the answer to a leave; with a reason, the one for somebody who did not ask to leave."""
    return LeftFrame(room=room_of(board_id), reason=reason).item()


def pong() -> LiveMessage:
    """Returns the answer to a ping."""
    return PongFrame().item()


def failure(error: ApiError, room: str | None) -> LiveMessage:
    """Returns the answer to a message that is refused."""
    code = (error.details or {}).get("reason", error.code.name)
    return ErrorFrame(code=code, message=error.message, room=room).item()
