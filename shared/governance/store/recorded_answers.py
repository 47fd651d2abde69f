"""How the answer to a request with an idempotency key is stored: as text, or compressed where that is shorter."""

from __future__ import annotations

import base64
import zlib

from governance.store.schema.keys import Item

PLAIN, COMPRESSED = "answer", "compressedAnswer"
_WORTHWHILE = 1024
_LEVEL = 6


def to_members(answer: str) -> Item:
    """Returns the members of a record that hold an answer; they take no more bytes than the answer itself."""
    if len(answer) < _WORTHWHILE:
        return {PLAIN: answer}
    raw = answer.encode()
    compressed = base64.b64encode(zlib.compress(raw, _LEVEL)).decode()
    return {COMPRESSED: compressed} if len(compressed) < len(raw) else {PLAIN: answer}


def answer_in(record: Item) -> str:
    """Returns the answer that a record holds."""
    if COMPRESSED in record:
        return zlib.decompress(base64.b64decode(record[COMPRESSED])).decode()
    answer: str = record[PLAIN]
    return answer
