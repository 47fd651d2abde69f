"""Access tokens: their text, digest and status (the API specification, sections 3.5 and 5; ADR identity).

A token is `svc_pat_` or `svc_bat_`, 17 base62 characters that name the owner (user or board), 30 random ones and 6 of
CRC-32.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import zlib
from dataclasses import dataclass
from typing import Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant

TokenKind = Literal["personal", "board"]

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_PREFIX: dict[TokenKind, str] = {"personal": "svc_pat_", "board": "svc_bat_"}
_KIND = {prefix: kind for kind, prefix in _PREFIX.items()}
_SHAPE = re.compile(r"svc_[pb]at_([0-9A-Za-z]{17})[0-9A-Za-z]{30}([0-9A-Za-z]{6})", re.ASCII)


@dataclass(frozen=True)
class ParsedToken:
    """The content of a well-formed token, before the store confirms it."""

    kind: TokenKind
    owner_id: str
    token_id: str
    digest: str


def base62(number: int, width: int) -> str:
    """Returns the number in base 62, most significant digit first, padded with zeros."""
    text = ""
    while number:
        text = _DIGITS[number % 62] + text
        number //= 62
    return text.rjust(width, "0")


def _number(text: str) -> int:
    value = 0
    for character in text:
        value = value * 62 + _VALUES[character]
    return value


def _checksum(text: str) -> str:
    return base62(zlib.crc32(text.encode()), 6)


def mint_secret(prefix: str, owner_id: UserId | BoardId) -> str:
    """Returns a new secret of the form that all tokens have: prefix, owner, random characters, checksum."""
    text = prefix + base62(int(owner_id, 16), 17) + "".join(secrets.choice(_DIGITS) for _ in range(30))
    return text + _checksum(text)


def owner_of(text: str, shape: re.Pattern[str]) -> str | None:
    """Returns the id of the owner that a secret names; None if it has another shape or its checksum is wrong.

    The first group of the shape is the owner, the second one the checksum.
    """
    match = shape.fullmatch(text)
    if match is None or _checksum(text[:-6]) != match[2]:
        return None
    owner = _number(match[1])
    return f"{owner:024x}" if owner < 1 << 96 else None


def mint(kind: TokenKind, owner_id: UserId | BoardId) -> str:
    """Returns a new token for the user or board with this id. Show it once and store only its `digest`."""
    return mint_secret(_PREFIX[kind], owner_id)


def parse(text: str) -> ParsedToken | None:
    """Returns the content of a token; None if it is malformed or its checksum is wrong."""
    owner_id = owner_of(text, _SHAPE)
    return None if owner_id is None else ParsedToken(_KIND[text[:8]], owner_id, token_id(text), digest(text))


def digest(text: str) -> str:
    """Returns the SHA-256 of the token, the only form that is stored."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_id(text: str) -> str:
    """Returns the token's public id: derived from the token, so that a request names its key; it reveals nothing."""
    return hashlib.sha256(b"token-id\n" + text.encode()).hexdigest()[:24]


def matches(stored_digest: str, presented_digest: str) -> bool:
    """Returns whether two digests are equal, in time that does not depend on where they differ."""
    return hmac.compare_digest(stored_digest.encode(), presented_digest.encode())


def status(
    expires_at: Instant | None, revoked_at: Instant | None, now: Instant
) -> Literal["active", "expired", "revoked"]:
    """Returns the status at `now`: revoked for ever once revoked, expired from `expires_at` on, to the millisecond."""
    if revoked_at is not None:
        return "revoked"
    if expires_at is not None and now >= expires_at:
        return "expired"
    return "active"
