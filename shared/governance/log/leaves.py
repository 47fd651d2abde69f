"""Entries of the log: 32 bytes each, which say nothing without the salt that lies with what they stand for."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass

_SALT_BYTES = 32


def new_salt() -> str:
    """Returns a random salt, as base64."""
    return base64.b64encode(secrets.token_bytes(_SALT_BYTES)).decode("ascii")


def canonical(text: str) -> str:
    """Returns a JSON text in the form of RFC 8785, in which equal values have equal texts."""
    import rfc8785  # most functions only draw salts

    return rfc8785.dumps(json.loads(text)).decode()


@dataclass(frozen=True)
class Leaf:
    """What an entry of the log stands for: its JSON text, its salt, and its index once it is logged."""

    text: str
    salt: str | None
    index: int | None

    @property
    def entry(self) -> bytes:
        """The entry of the log. The leaf must have its salt."""
        return hashlib.sha256(base64.b64decode(self.salt or "") + canonical(self.text).encode()).digest()
