"""The frames of the live channel: what a client may send, and what it is sent (ADR live)."""

from typing import Literal

from pydantic import Field

from governance.models.base import Resource
from governance.models.live.live import LeftReason, Ring


def _is_none(value: object) -> bool:
    return value is None


class JoinFrame(Resource):
    """Asks to hear of what changes on a board."""

    action: Literal["join"] = "join"
    room: str
    """The room of a board: `boards/` and its id."""


class LeaveFrame(Resource):
    """Asks to hear no more of a board."""

    action: Literal["leave"] = "leave"
    room: str
    """The room of a board: `boards/` and its id."""


class PingFrame(Resource):
    """Keeps a silent connection open."""

    action: Literal["ping"] = "ping"


class JoinedFrame(Resource):
    """You are in a room, and hear of what changes there."""

    type: Literal["joined"] = "joined"
    room: str
    """The room."""


class LeftFrame(Resource):
    """You are not in a room; with a reason, you did not ask to leave it."""

    type: Literal["left"] = "left"
    room: str
    """The room."""
    reason: LeftReason | None = Field(default=None, exclude_if=_is_none)
    """Why you hear no more of the board; absent where you left it."""


class PongFrame(Resource):
    """Answers a ping."""

    type: Literal["pong"] = "pong"


class ErrorFrame(Resource):
    """Refuses what was sent; the connection stays."""

    type: Literal["error"] = "error"
    code: str
    """One of the error codes of the API, or a reason such as `LIMIT_REACHED`."""
    message: str
    """What to change."""
    room: str | None
    """The room that was named; null without one."""


RECEIVED = (JoinFrame, LeaveFrame, PingFrame)
"""What a client may send."""
SENT = (JoinedFrame, LeftFrame, PongFrame, ErrorFrame, Ring)
"""What a client is sent."""
