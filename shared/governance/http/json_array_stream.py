"""Packs long JSON arrays entry by entry, and ends them before the response is too large (ADR 0061).

Lambda refuses a response of more than 6 MB, counted as it is sent: text with its quotes escaped, compressed bytes as
base64.
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
    """A packed array: the body, whether it is base64 of gzip, and the position of its last entry if more follow."""

    body: str
    compressed: bool
    position: str | None


class _Sink(Protocol):
    def takes(self, text: str) -> bool:
        """Adds the text, unless the response would be too large; returns whether it was added."""

    def body(self) -> str:
        """Returns the whole body."""


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
        self._compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self._done = bytearray()
        self._pending = 0

    def takes(self, text: str) -> bool:
        raw = text.encode()
        if self._pending + len(raw) > _CHUNK:
            self._done += self._compressor.flush(zlib.Z_SYNC_FLUSH)
            self._pending = 0
        if _as_base64(len(self._done) + self._pending + len(raw) + _CHUNK) >= ANSWER_BYTES:
            return False
        self._done += self._compressor.compress(raw)
        self._pending += len(raw)
        return True

    def body(self) -> str:
        whole = bytes(self._done) + self._compressor.compress(b"]") + self._compressor.flush()
        return base64.b64encode(whole).decode()


def _as_base64(size: int) -> int:
    return (size + 2) // 3 * 4


def pack(stream: JsonArrayStream, *, compressed: bool) -> Packed:
    """Returns as many of the entries as the request wants and the response can contain."""
    sink: _Sink = _Gzip() if compressed else _Plain()
    sink.takes("[")
    last: str | None = None
    for count, (position, text) in enumerate(stream.entries):
        if count == stream.limit or not sink.takes(f",{text}" if count else text):
            return Packed(sink.body(), compressed, last)
        last = position
    return Packed(sink.body(), compressed, None)


def accepts_gzip(accept_encoding: str) -> bool:
    """Returns whether the client accepts gzip; a quality of 0 is a refusal."""
    codings = accept_encoding.split(",")
    gzip = [coding for coding in codings if coding.strip().lower().startswith("gzip")]
    return any(_ACCEPTED.fullmatch(coding) for coding in (gzip or codings))
