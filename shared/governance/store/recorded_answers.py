"""Recorded responses to requests with an idempotency key, stored as text, or compressed if that is shorter."""

from __future__ import annotations

import base64
import zlib

from governance.store.schema.keys import Item

PLAIN, COMPRESSED = "answer", "compressedAnswer"
_WORTHWHILE = 1024
_LEVEL = 6


def to_members(answer: str) -> Item:
    """Returns the attributes of a record that hold a response; they take no more bytes than the response itself."""
    if len(answer) < _WORTHWHILE:
        return {PLAIN: answer}
    raw = answer.encode()
    compressed = base64.b64encode(zlib.compress(raw, _LEVEL)).decode()
    return {COMPRESSED: compressed} if len(compressed) < len(raw) else {PLAIN: answer}


def answer_in(record: Item) -> str:
    """Returns the response that a record holds."""
    if COMPRESSED in record:
        return zlib.decompress(base64.b64decode(record[COMPRESSED])).decode()
    answer: str = record[PLAIN]
    return answer
