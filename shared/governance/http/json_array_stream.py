"""Packs long JSON arrays entry by entry, and ends them before the response is too large (ADR history and ADR limits).

Lambda refuses a response of more than 6 MB, counted as it is sent: text with its quotes escaped, compressed bytes as
base64.
"""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass
from typing import Any, Protocol

from governance.limits import ANSWER_BYTES
from governance.models.page import JsonArrayStream
from governance.sizes import LONGEST_CHARACTER, sent_bytes

_GZIP = 31
_LEVEL = 6
_CHUNK = 64 * 1024
_MOST_HIDDEN = 5000
_ACCEPTED = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Packed:
    """A packed array: the body, whether it is base64 of gzip, and the position at which the rest begins, if any."""

    body: str
    compressed: bool
    position: str | None


class _Sink(Protocol):
    def takes(self, text: str) -> bool:
        """Adds the text, unless the response would be too large; returns whether it was added."""

    def body(self, tail: str) -> str:
        """Returns the whole body, which ends in `tail`."""


class _Plain:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def takes(self, text: str) -> bool:
        size = sent_bytes(text)
        if self._size + size >= ANSWER_BYTES:
            return False
        self._size += size
        self._parts.append(text)
        return True

    def body(self, tail: str) -> str:
        return "".join([*self._parts, tail])


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

    def body(self, tail: str) -> str:
        whole = bytes(self._done) + self._compressor.compress(tail.encode()) + self._compressor.flush()
        return base64.b64encode(whole).decode()


def _as_base64(size: int) -> int:
    return (size + 2) // 3 * 4


def pack(stream: JsonArrayStream[Any], *, compressed: bool) -> Packed:
    """Returns as many of the entries as the request wants and the response can contain.

    The response also ends after many entries that are not shown, so that a request reads a limited number of them.
    """
    sink: _Sink = _Gzip() if compressed else _Plain()
    last = seen = None
    shown = hidden = 0
    for position, text in stream.entries:
        if text is None:
            hidden += 1
        elif shown != stream.limit and sink.takes(stream.frame.lead(last, position) + text):
            shown, last = shown + 1, position
        else:
            seen = last  # the rest begins behind what is shown: a position of a hidden entry would reveal it
            break
        seen = position
        if hidden == _MOST_HIDDEN:
            break
    else:
        seen = None
    return Packed(sink.body(stream.frame.close(last, shown)), compressed, seen)


def pack_text(text: str, *, compressed: bool) -> Packed | None:
    """Returns a whole JSON text, compressed only if it is too large as it is; None for one that is too large anyway."""
    if len(text) * LONGEST_CHARACTER < ANSWER_BYTES or sent_bytes(text) < ANSWER_BYTES:
        return Packed(text, compressed=False, position=None)
    body = base64.b64encode(zlib.compress(text.encode(), _LEVEL, _GZIP)).decode() if compressed else ""
    return Packed(body, compressed=True, position=None) if body and len(body) < ANSWER_BYTES else None


def accepts_gzip(accept_encoding: str) -> bool:
    """Returns whether the client accepts gzip; a quality of 0 is a refusal."""
    codings = accept_encoding.split(",")
    named = [coding for coding in codings if coding.strip().lower().startswith("gzip")]
    return any(_ACCEPTED.fullmatch(coding) for coding in (named or codings))
