"""Bare arrays too long to be held whole: packed entry by entry, and ended before the answer is too big.

Lambda refuses an answer of more than 6 MB, counted as it travels: text with its quotes escaped, compressed bytes as
base64 (ADR 0061).
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from typing import Protocol

from governance.limits import ANSWER_BYTES
from governance.models.page import JsonArrayStream

_GZIP = 31
_LEVEL = 6
_CHUNK = 64 * 1024
_ACCEPTED = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Packed:
    """The body, whether it is base64 of gzip, and the position of its last entry where more follow."""

    body: str
    compressed: bool
    position: str | None


class _Sink(Protocol):
    def takes(self, text: str) -> bool:
        """Add the text, if it still fits."""

    def body(self) -> str:
        """The whole body."""


class _Plain:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def takes(self, text: str) -> bool:
        size = len(json.dumps(text)) - 2
        if self._size + size >= ANSWER_BYTES:
            return False
        self._size += size
        self._parts.append(text)
        return True

    def body(self) -> str:
        return "".join([*self._parts, "]"])


class _Gzip:
    def __init__(self) -> None:
        self._press = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self._done = bytearray()
        self._pending = 0

    def takes(self, text: str) -> bool:
        raw = text.encode()
        if self._pending + len(raw) > _CHUNK:
            self._done += self._press.flush(zlib.Z_SYNC_FLUSH)
            self._pending = 0
        if _as_base64(len(self._done) + self._pending + len(raw) + _CHUNK) >= ANSWER_BYTES:
            return False
        self._done += self._press.compress(raw)
        self._pending += len(raw)
        return True

    def body(self) -> str:
        whole = bytes(self._done) + self._press.compress(b"]") + self._press.flush()
        return base64.b64encode(whole).decode()


def _as_base64(size: int) -> int:
    return (size + 2) // 3 * 4


def pack(flow: JsonArrayStream, *, compressed: bool) -> Packed:
    """As many of the entries as are asked for and fit."""
    sink: _Sink = _Gzip() if compressed else _Plain()
    sink.takes("[")
    last: str | None = None
    for count, (position, text) in enumerate(flow.entries):
        if count == flow.limit or not sink.takes(f",{text}" if count else text):
            return Packed(sink.body(), compressed, last)
        last = position
    return Packed(sink.body(), compressed, None)


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether the client takes gzip; a quality of nought is a refusal."""
    parts = accept_encoding.split(",")
    named = [part for part in parts if part.strip().lower().startswith("gzip")]
    return any(_ACCEPTED.fullmatch(part) for part in (named or parts))
