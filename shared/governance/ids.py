"""Identifiers: 24 lower-case hexadecimal digits, opaque to clients (ADR 0003)."""

from __future__ import annotations

import hashlib
import re
import secrets

_ID = re.compile(r"[0-9a-f]{24}", re.ASCII)
_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def new_id() -> str:
    """A fresh random id."""
    return secrets.token_hex(12)


def time_ordered_id(millis: int, tail: str | None = None) -> str:
    """An id that begins with a moment, so that ids are in the order of time; the tail is random unless given."""
    return f"{millis:012x}{tail or secrets.token_hex(6)}"


def millis_of_id(timed: str) -> int:
    """The moment that a timed id begins with."""
    return int(timed[:12], 16)


def is_id(text: object) -> bool:
    """Whether the text has the shape of an id; what has not is simply not found."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def is_uuid4(text: object) -> bool:
    """Whether the text is a UUID of version 4, in either case."""
    return isinstance(text, str) and _UUID4.fullmatch(text) is not None


def user_id(issuer: str, subject: str) -> str:
    """The id of the person whom this issuer calls so; no look-up is needed."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()[:24]


def membership_id(board_id: str, user_or_membership_id: str) -> str:
    """The id of a user's membership of a board, and back again: the mapping is its own inverse (ADR 0003).

    So a membership is found under its id and under its user with one key, and there is one per board and user.
    """
    mask = int(hashlib.sha256(f"membership\n{board_id}".encode()).hexdigest()[:24], 16)
    return f"{int(user_or_membership_id, 16) ^ mask:024x}"
