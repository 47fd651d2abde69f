"""A request, taken from an API Gateway event (payload format 2.0)."""

from __future__ import annotations

import base64
import binascii
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from governance.errors import invalid_query

VIEWER_ADDRESS = "x-viewer-address"
ORIGIN_SECRET = "x-origin-secret"  # noqa: S105 - the header's name
_MAPPED_IPV4 = bytes(10) + b"\xff\xff"


@dataclass(frozen=True)
class Request:
    """A request: method, path as sent, headers by lower-case name, and the event, which contains the body."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw_query: str
    source_ip: str
    event: Mapping[str, Any]
    id: str = field(default_factory=lambda: f"req_{secrets.token_hex(8)}")

    @classmethod
    def from_event(cls, event: Mapping[str, Any]) -> Request:
        """Returns the request of an event."""
        http = event["requestContext"]["http"]
        headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        query = event.get("rawQueryString") or ""
        return cls(http["method"], event["rawPath"], headers, query, http.get("sourceIp", ""), event)

    @property
    def address(self) -> str:
        """The client's address as the CDN's function states it, whatever a client sends; of IPv6 the /64 network.

        A network of that size belongs to one customer, who could otherwise use a new address for every call.
        """
        return _network(self.headers.get(VIEWER_ADDRESS) or self.source_ip)

    @cached_property
    def body(self) -> bytes:
        """The body's bytes; bytes that are not UTF-8 if the event's base64 is malformed."""
        raw = self.event.get("body") or ""
        if self.event.get("isBase64Encoded"):
            try:
                return base64.b64decode(raw)
            except binascii.Error:
                return b"\xff"
        return raw.encode("utf-8", "surrogatepass")

    def parameters(self) -> dict[str, str]:
        """Returns the query parameters; raises 400 for one that is repeated, is not UTF-8 or holds NUL."""
        values: dict[str, str] = {}
        errors: dict[str, str] = {}
        for name, value in _pairs(self.raw_query):
            if "\0" in name + value:
                errors[name.replace("\0", "") or "query"] = "must not contain NUL"
            if name in values:
                errors[name] = "must not be repeated"
            values[name] = value
        if errors:
            raise invalid_query(errors)
        return values

    def joined_parameters(self) -> dict[str, str]:
        """Returns the query parameters; the values of one that is repeated are joined with commas.

        Bytes that are not text are replaced, and NUL is kept: they may be in a parameter that nobody defines.
        """
        values: dict[str, str] = {}
        for name, value in _pairs(self.raw_query, errors="replace"):
            values[name] = f"{values[name]},{value}" if name in values else value
        return values


def _network(address: str) -> str:
    if ":" not in address:
        return address
    try:
        packed = socket.inet_pton(socket.AF_INET6, address.strip("[]").partition("%")[0])
    except OSError:
        return address
    if packed.startswith(_MAPPED_IPV4):
        return socket.inet_ntop(socket.AF_INET, packed[12:])
    return f"{packed[:8].hex(':', 2)}::/64"


def _pairs(raw_query: str, errors: str = "strict") -> list[tuple[str, str]]:
    try:
        return parse_qsl(raw_query, keep_blank_values=True, errors=errors, max_num_fields=100)
    except (UnicodeDecodeError, ValueError):
        raise invalid_query({"query": "must be UTF-8, of at most 100 parameters"}) from None
