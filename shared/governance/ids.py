"""Identifiers: 24 lower-case hexadecimal digits, opaque to clients (ADR identity)."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NewType

ID_PATTERN = "^[0-9a-f]{24}$"
"""The form of an id, as the API reference says it."""
_ID = re.compile(r"[0-9a-f]{24}", re.ASCII)
_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)

BoardId = NewType("BoardId", str)
"""The id of a board."""
UserId = NewType("UserId", str)
"""The id of a user, the same on every board."""
PersonId = NewType("PersonId", str)
"""The id of a person without an account, on one board."""
RecipientId = UserId | PersonId
"""The id of a recipient, a user or a person: what is delivered to them is stored under it."""
MembershipId = NewType("MembershipId", str)
"""The id of a user's membership of one board."""


def new_id() -> str:
    """Returns a new random id."""
    return secrets.token_hex(12)


def time_ordered_id(millis: int, tail: str | None = None) -> str:
    """Returns an id that begins with an instant (milliseconds since 1970), so that ids sort by time.

    `tail` is the rest of the id, 12 hexadecimal digits; it is random unless given.
    """
    return f"{millis:012x}{tail or secrets.token_hex(6)}"


def consecutive_ids(millis: int, number: int) -> list[str]:
    """Returns ids that begin with an instant (milliseconds since 1970), in ascending order without a gap."""
    first = secrets.randbelow(16**12 - number + 1)
    return [time_ordered_id(millis, f"{first + offset:012x}") for offset in range(number)]


def millis_of_id(timed: str) -> int:
    """Returns the instant that a time-ordered id begins with, in milliseconds since 1970."""
    return int(timed[:12], 16)


def is_id(text: object) -> bool:
    """Returns whether a value is text in the form of an id."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def is_uuid4(text: object) -> bool:
    """Returns whether a value is the text of a UUID of version 4, in upper or lower case."""
    return isinstance(text, str) and _UUID4.fullmatch(text) is not None


def user_id(issuer: str, subject: str) -> UserId:
    """Returns the id of the user with this subject at this issuer; no look-up is needed."""
    return UserId(hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()[:24])


def membership_id(board_id: BoardId, user_id: UserId) -> MembershipId:
    """Returns the id of a user's membership of a board (ADR identity).

    A membership has one key for its id and its user, and a user has one membership of a board: `user_id_of` is the way
    back.
    """
    return MembershipId(_masked(board_id, user_id))


def user_id_of(board_id: BoardId, membership_id: MembershipId) -> UserId:
    """Returns the id of the user whose membership of a board has this id."""
    return UserId(_masked(board_id, membership_id))


def _masked(board_id: BoardId, id_: str) -> str:
    """Returns an id with bits changed that depend on the board; twice gives the id again."""
    mask = int(hashlib.sha256(f"membership\n{board_id}".encode()).hexdigest()[:24], 16)
    return f"{int(id_, 16) ^ mask:024x}"
