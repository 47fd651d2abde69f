"""Cursors: a position in a list, signed for the list, its filters and the caller (ADR requests)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from governance.errors import invalid_query
from governance.models.page import CursorQuery
from governance.settings import Secret, settings

_SEAL = 16


def binding(path: str, query: CursorQuery, principal_id: str) -> bytes:
    """Returns what a cursor is valid for: this path, order and filter, and this caller, with any page size."""
    filters = query.model_dump_json(exclude={"limit", "cursor"}, by_alias=True)
    return f"{path}\n{filters}\n{principal_id}".encode()


def seal(position: str, bound_to: bytes) -> str:
    """Returns the cursor for a position."""
    text = position.encode()
    return base64.urlsafe_b64encode(_mac(text, bound_to) + text).decode().rstrip("=")


def unseal(cursor: str, bound_to: bytes) -> str:
    """Returns the position in a cursor; raises 400 if it is forged or belongs to another list."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    mac, text = raw[:_SEAL], raw[_SEAL:]
    if not text or not hmac.compare_digest(mac, _mac(text, bound_to)):
        raise invalid_query({"cursor": "is not a cursor of this list"})
    return text.decode()


def _mac(text: bytes, bound_to: bytes) -> bytes:
    key = settings().secret(Secret.CURSOR).encode()
    return hmac.new(key, bound_to + b"\0" + text, hashlib.sha256).digest()[:_SEAL]
