"""Idempotency keys: a repeated POST gets the first response again, byte for byte (ADR requests).

The record of a response is written in the transaction of the change, under a key made of the principal, the path and
the header. So a change is made once even if its response is lost, and the record is read in the same batch as the
caller.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from governance.errors import ApiError, Code, invalid_body
from governance.http.envelope import Response
from governance.http.request import Request
from governance.instants import Instant, shift
from governance.limits import IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY
from governance.store.recorded_answers import answer_in, to_members
from governance.store.schema.keys import Item, Key, make_item
from governance.store.schema.usage import idempotency_record_key
from governance.store.writes import Condition, Put

HEADER = "idempotency-key"
_PRINTABLE = re.compile(rf"[\x20-\x7e]{{1,{IDEMPOTENCY_KEY}}}", re.ASCII)


def record_key(request: Request, principal: str) -> Key | None:
    """Returns the key of the record; None if the request has no idempotency key."""
    header = request.headers.get(HEADER)
    if header is None:
        return None
    named = f"{request.method} {request.path}\n{header}".encode("utf-8", "surrogatepass")
    return idempotency_record_key(principal, _digest(named))


def check_header(request: Request) -> None:
    """Raises 400 for a key that is empty, too long or not printable ASCII."""
    if not _PRINTABLE.fullmatch(request.headers.get(HEADER, "x")):
        raise invalid_body({"Idempotency-Key": f"must be 1 to {IDEMPOTENCY_KEY} printable ASCII characters"})


def replay(record: Item | None, request: Request, now: Instant) -> Response | None:
    """Returns the recorded response, None if there is none; raises 409 if its request had another body."""
    if record is None or record["expiresAt"] <= now:
        return None
    if record["body"] != _digest(request.body):
        raise ApiError(Code.IDEMPOTENCY_CONFLICT)
    return Response(record["status"], answer_in(record), {"Idempotent-Replayed": "true"})


def record(key: Key, request: Request, status: int, answer: str, now: Instant) -> Put:
    """Returns the write that keeps a response for a day; it fails if another request has taken the key."""
    expires_at = shift(now, hours=IDEMPOTENCY_HOURS)
    members: dict[str, Any] = {
        "body": _digest(request.body),
        "status": status,
        **to_members(answer),
        "expiresAt": expires_at,
    }
    unused = Condition("attribute_not_exists(#x) OR #x <= :now", {"#x": "expiresAt"}, {":now": now})
    return Put(make_item(key, members, ttl=expires_at), unused)


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
