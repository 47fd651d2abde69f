"""JSON-RPC messages of the Model Context Protocol, in its revisions 2026-07-28 and 2025-11-25 and two earlier ones.

A request of the newer revision states its revision in `_meta` and repeats what it asks in headers; there is no
handshake. One of the older revision comes after an `initialize`, which is answered and leaves nothing behind.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.errors import ApiError, Code
from governance.http import strict_json, validation
from governance.http.envelope import Response
from governance.http.request import Request

MODERN, LEGACY = "2026-07-28", "2025-11-25"
SUPPORTED = (MODERN, LEGACY)
EARLIER = ("2025-06-18", "2025-03-26")
"""Revisions whose messages are those of the older one, as far as they are used here."""
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
_META = "io.modelcontextprotocol/"
_NAMED_BY = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
_ENCODED = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
RESOURCE_NOT_FOUND = -32002
"""In the older revision only; the newer one has `INVALID_PARAMS` for it."""
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
_STATUS = {METHOD_NOT_FOUND: Code.RESOURCE_NOT_FOUND.status}
_BAD_REQUEST, _OK, _ACCEPTED = Code.INVALID_REQUEST_BODY.status, 200, 202


@dataclass(frozen=True)
class RpcMessage:
    """A request or a notification, which has no id. `modern` is whether it is of the newer revision."""

    method: str
    params: Mapping[str, Any]
    id: str | int | None
    modern: bool

    @property
    def meta(self) -> Mapping[str, Any]:
        """The message's `_meta`."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


class ProtocolError(Exception):
    """A JSON-RPC error. `status` is that of HTTP: an error of a message in the older revision is an answer like any."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        data: Any = None,
        to: RpcMessage | None = None,
        id: str | int | None = None,  # noqa: A002 - the member's name
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        in_body = to is not None and not to.modern
        self._status = status or (_OK if in_body else _STATUS.get(code, _BAD_REQUEST))
        error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self._body = {"jsonrpc": "2.0", "id": to.id if to else id, "error": error}

    @property
    def response(self) -> Response:
        """The response with this error."""
        return Response(self._status, json.dumps(self._body))


def accepted() -> Response:
    """Returns the response to a notification, which has no body."""
    return Response(_ACCEPTED, "")


def result(message: RpcMessage, members: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Response:
    """Returns the response to a request; `members` are those of its result, as JSON texts."""
    own = {"resultType": '"complete"', "_meta": _SERVER_META} if message.modern else {}
    text = ",".join(f"{json.dumps(name)}:{value}" for name, value in (own | dict(members)).items())
    return Response(_OK, f'{{"jsonrpc":"2.0","id":{json.dumps(message.id)},"result":{{{text}}}}}', headers or {})


SERVER_INFO = {"name": "board-governance", "title": "Board Governance Service", "version": "1.0.0"}
_SERVER_META = json.dumps({f"{_META}serverInfo": SERVER_INFO})


def cacheable(message: RpcMessage, seconds: int, *, private: bool) -> dict[str, str]:
    """Returns the members that say how long, and in which caches, a result may be kept; the older revision has none."""
    if not message.modern:
        return {}
    return {"ttlMs": str(seconds * 1000), "cacheScope": '"private"' if private else '"public"'}


def parse(request: Request) -> RpcMessage:
    """Returns the message of a request; raises 413, 415, or `ProtocolError` unless it is a single valid message."""
    validation.check_size(request)
    validation.check_json(request)
    try:
        body, errors = strict_json.parse(request.body)
    except ApiError as error:
        raise ProtocolError(PARSE_ERROR, f"The body {(error.details or {})['fields']['body']}.") from None
    if errors:
        raise ProtocolError(PARSE_ERROR, "The body must be valid Unicode.", data={"fields": errors})
    if not isinstance(body, dict):
        raise ProtocolError(INVALID_REQUEST, "Send one JSON-RPC message in each request; there are no batches.")
    message = _message(body, request.headers)
    if message.id is not None:
        _check_revision(message, request.headers)
    return message


def _message(body: Mapping[str, Any], headers: Mapping[str, str]) -> RpcMessage:
    known = body.get("id")
    if isinstance(known, float) and known.is_integer():
        known = int(known)
    identifier = known if isinstance(known, str | int) and not isinstance(known, bool) else None
    if body.get("jsonrpc") != "2.0" or not isinstance(body.get("method"), str):
        raise ProtocolError(INVALID_REQUEST, 'Send `jsonrpc` as "2.0" and a `method`.', id=identifier)
    if "id" in body and identifier is None:
        raise ProtocolError(INVALID_REQUEST, "`id` must be a string or an integer.")
    params = body.get("params")
    if params is not None and not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "`params` must be an object.", id=identifier)
    meta = (params or {}).get("_meta")
    if meta is not None and not isinstance(meta, dict):
        raise ProtocolError(INVALID_PARAMS, "`params._meta` must be an object.", id=identifier)
    modern = f"{_META}protocolVersion" in (meta or {}) or headers.get(VERSION_HEADER) == MODERN
    return RpcMessage(body["method"], params or {}, identifier, modern)


def _check_revision(message: RpcMessage, headers: Mapping[str, str]) -> None:
    """Raises the errors of a revision that is not supported, and of headers that contradict the message."""
    stated = headers.get(VERSION_HEADER)
    if not message.modern:
        if stated is not None and stated not in (*SUPPORTED, *EARLIER):
            raise _unsupported(message, stated)
        return
    requested = message.meta.get(f"{_META}protocolVersion")
    missing = [name for name in ("protocolVersion", "clientCapabilities") if f"{_META}{name}" not in message.meta]
    if missing:
        named = ", ".join(f"`{_META}{name}`" for name in missing)
        raise ProtocolError(INVALID_PARAMS, f"`params._meta` lacks {named}.", to=message)
    if stated is None or stated != requested:
        raise _mismatch(message, VERSION_HEADER, "its protocol version")
    if requested != MODERN:
        raise _unsupported(message, stated)
    if headers.get(METHOD_HEADER) != message.method:
        raise _mismatch(message, METHOD_HEADER, "its method")
    key = _NAMED_BY.get(message.method)
    if key is not None and _decoded(headers.get(NAME_HEADER)) != message.params.get(key):
        raise _mismatch(message, NAME_HEADER, f"`params.{key}`")


def _unsupported(message: RpcMessage, requested: str) -> ProtocolError:
    data = {"supported": list(SUPPORTED), "requested": requested}
    text = f"This protocol version is not supported; use {' or '.join(SUPPORTED)}."
    return ProtocolError(UNSUPPORTED_VERSION, text, data=data, to=message, status=_BAD_REQUEST)


def _mismatch(message: RpcMessage, header: str, what: str) -> ProtocolError:
    return ProtocolError(HEADER_MISMATCH, f"The header `{header}` must repeat {what} of the message.", to=message)


def _decoded(header: str | None) -> str | None:
    """Returns the value of a header that may be encoded; None for one that is absent or malformed."""
    encoded = _ENCODED.fullmatch(header or "")
    if encoded is None:
        return header
    try:
        return base64.b64decode(encoded[1], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
