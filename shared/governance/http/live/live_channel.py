"""The live channel as API Gateway's WebSocket API carries it: its three routes (ADR live).

The gateway takes no posts to a connection while it is being opened, and may not say that one has ended.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from governance import deadline, live_posts, telemetry
from governance.domain.live.messages import PROTOCOL
from governance.errors import ApiError, Code
from governance.http import serving, strict_json
from governance.http.request import Request
from governance.limits import LIVE_MESSAGE_BYTES
from governance.live import protocol
from governance.live.rings import end_by_clock
from governance.queue import sending
from governance.telemetry import Metric

_PROTOCOLS = "sec-websocket-protocol"


def handle(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handles an event of the WebSocket API; the status of `$connect` is that of the handshake."""
    telemetry.begin_invocation(context, event["requestContext"].get("requestId"))
    deadline.begin(context)
    route = event["requestContext"]["routeKey"]
    try:
        return _ROUTES[route](event)
    except ApiError as error:
        return {"statusCode": error.code.status}
    except Exception as error:  # noqa: BLE001 - any other exception is a defect of ours
        telemetry.log_error("crash", error, route=route)
        telemetry.count(Metric.CRASHES, route)
        return {"statusCode": Code.INTERNAL_ERROR.status}


def _connect(event: Mapping[str, Any]) -> dict[str, Any]:
    request = _handshake(event)
    serving.check_origin(request)
    offered = [subprotocol.strip() for subprotocol in request.headers.get(_PROTOCOLS, "").split(",")]
    handshake = protocol.connect(_connection_id(event), offered, request.address)
    for replaced in handshake.replaced:
        live_posts.disconnect(replaced)
        protocol.disconnect(replaced)
    if handshake.opened is None:
        return {"statusCode": handshake.status}
    sending.send(end_by_clock(handshake.opened))
    return {"statusCode": handshake.status, "headers": {"Sec-WebSocket-Protocol": PROTOCOL}}


def _handshake(event: Mapping[str, Any]) -> Request:
    """Returns the request of a handshake; a header that came several times has its values joined."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    headers |= {name.lower(): ",".join(values) for name, values in (event.get("multiValueHeaders") or {}).items()}
    address = event["requestContext"].get("identity", {}).get("sourceIp", "")
    return Request("GET", "/live", headers, "", address, event)


def _receive(event: Mapping[str, Any]) -> dict[str, Any]:
    connection_id, body = _connection_id(event), _body(event)
    if len(body) > LIVE_MESSAGE_BYTES:
        live_posts.disconnect(connection_id)
        return {"statusCode": 200}
    answer = protocol.receive(connection_id, _content(event, body))
    for message in answer.messages:
        live_posts.post(connection_id, message)
    if answer.ends:
        live_posts.disconnect(connection_id)
        protocol.disconnect(connection_id, answer.reason)
    return {"statusCode": 200}


def _body(event: Mapping[str, Any]) -> bytes:
    body: str = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body)
    except binascii.Error:
        return b""


def _content(event: Mapping[str, Any], body: bytes) -> Any:
    """Returns the JSON value of a message; None for a text that is not JSON, and for bytes."""
    if event.get("isBase64Encoded"):
        return None
    try:
        content, invalid = strict_json.parse(body)
    except ApiError:
        return None
    return None if invalid else content


def _disconnect(event: Mapping[str, Any]) -> dict[str, Any]:
    protocol.disconnect(_connection_id(event))
    return {"statusCode": 200}


def _connection_id(event: Mapping[str, Any]) -> str:
    return str(event["requestContext"]["connectionId"])


_ROUTES = {"$connect": _connect, "$default": _receive, "$disconnect": _disconnect}
