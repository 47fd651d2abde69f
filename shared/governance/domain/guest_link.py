"""Guest links: their token, their hash, their life (ADR 0030).

The token is 64 base64url characters: 12 bytes that name the board, 12 the meeting, 24 of chance. So it names every key
that a guest's request needs, and only the hash decides.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from hmac import compare_digest

from governance.models.meeting import StoredMeeting
from governance.models.slot import StoredGuestLink

_SHAPE = re.compile(r"[A-Za-z0-9_-]{64}", re.ASCII)
_SECRET_BYTES = 24


@dataclass(frozen=True)
class ParsedGuestToken:
    """Which meeting a token says that it opens, before anybody asked the store."""

    board_id: str
    meeting_id: str


def mint(board_id: str, meeting_id: str) -> str:
    """A new token; show it once, keep only `digest`."""
    named = bytes.fromhex(board_id) + bytes.fromhex(meeting_id)
    return base64.urlsafe_b64encode(named + secrets.token_bytes(_SECRET_BYTES)).decode()


def parse(token: str) -> ParsedGuestToken | None:
    """What the token says; None where it is none."""
    if not _SHAPE.fullmatch(token):
        return None
    raw = base64.urlsafe_b64decode(token)
    return ParsedGuestToken(raw[:12].hex(), raw[12:24].hex())


def digest(token: str) -> str:
    """SHA-256 of the token, the only form that is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, link: StoredGuestLink | None, meeting: StoredMeeting | None, now: str) -> bool:
    """The link is the meeting's present one and has not expired, and the meeting is no draft."""
    if link is None or meeting is None or meeting.status == "draft":
        return False
    return compare_digest(link.digest, digest(token)) and now < link.expires_at
