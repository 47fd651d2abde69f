"""A request, read off an API Gateway event (payload format 2.0)."""

from __future__ import annotations

import base64
import binascii
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from governance.errors import invalid_query

VIEWER_ADDRESS = "cloudfront-viewer-address"
ORIGIN_SECRET = "x-origin-secret"  # noqa: S105 - the header's name
_MAPPED_IPV4 = bytes(10) + b"\xff\xff"
API_PREFIX = "/api/v1/"


@dataclass(frozen=True)
class Request:
    """Method, path as sent, lower-case headers, and the body's bytes."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw_query: str
    source_ip: str
    event: Mapping[str, Any]

    @classmethod
    def from_event(cls, event: Mapping[str, Any]) -> Request:
        """The request of an event."""
        http = event["requestContext"]["http"]
        headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        query = event.get("rawQueryString") or ""
        return cls(http["method"], event["rawPath"], headers, query, http.get("sourceIp", ""), event)

    @property
    def versioned(self) -> bool:
        """Whether this is the versioned surface; the legacy one has bare bodies and some 401s of its own."""
        return self.path.startswith(API_PREFIX)

    @property
    def address(self) -> str:
        """The client's address as the CDN reports it (the CDN overwrites what a client sends); of IPv6 the /64 network.

        A network of that size belongs to one customer, who could otherwise use a new address for every call.
        """
        viewer = self.headers.get(VIEWER_ADDRESS, "")
        return _network(viewer.rpartition(":")[0] or self.source_ip)

    @cached_property
    def body(self) -> bytes:
        """The body's bytes."""
        raw = self.event.get("body") or ""
        if self.event.get("isBase64Encoded"):
            try:
                return base64.b64decode(raw)
            except binascii.Error:
                return b"\xff"
        return raw.encode("utf-8", "surrogatepass")

    def parameters(self) -> dict[str, str]:
        """The query parameters; one that is given twice, or is not UTF-8, is refused."""
        found: dict[str, str] = {}
        faults: dict[str, str] = {}
        for name, value in _pairs(self.raw_query):
            if name in found:
                faults[name] = "must not be repeated"
            found[name] = value
        if faults:
            raise invalid_query(faults)
        return found

    def joined_parameters(self) -> dict[str, str]:
        """The query parameters; one that is repeated has all its values, with commas between."""
        found: dict[str, str] = {}
        for name, value in _pairs(self.raw_query):
            found[name] = f"{found[name]},{value}" if name in found else value
        return found


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


def _pairs(raw_query: str) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(raw_query, keep_blank_values=True, errors="strict", max_num_fields=100)
    except (UnicodeDecodeError, ValueError):
        raise invalid_query({"query": "must be UTF-8, of at most 100 parameters"}) from None
    for name, value in pairs:
        if "\0" in name + value:
            raise invalid_query({name.replace("\0", "") or "query": "must not hold NUL"})
    return pairs
