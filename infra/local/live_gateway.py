"""A local stand-in for API Gateway's WebSocket API: it turns connections into calls of the function of the channel.

It holds connections to the platform's limits: two hours, ten silent minutes, 32 KB a message, and no post to a
connection that is being opened. Like the platform, it may fail to say that a connection has ended: a killed service
says nothing.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
from botocore.awsrequest import AWSResponse, HTTPHeaders

from infra.local.event import Headers, HttpRequest, HttpResponse, error_response

PATH = "/live"
_ENDED_BY_US = 4001
_GOING_AWAY = 1001
_GONE = 410
_CONNECTIONS = "/@connections/"
_THREADS = 64
_log = logging.getLogger(__name__)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Invoke = Callable[[dict[str, Any]], Any]
Check = Callable[[HttpRequest], HttpResponse | None]


@dataclass
class _Connection:
    """A connection, with what waits to be sent: texts, then the code with which it is closed."""

    id: str
    loop: asyncio.AbstractEventLoop
    outgoing: asyncio.Queue[str | int] = field(default_factory=asyncio.Queue)
    is_open: bool = False
    heard_at: float = field(default_factory=time.monotonic)

    def put(self, what: str | int) -> None:
        """Sends a text, or closes with a code, from any thread."""
        self.loop.call_soon_threadsafe(self.outgoing.put_nowait, what)


class LiveGateway:
    """The connections of the channel.

    `invoke` calls the function with an event of the platform; `check` refuses a handshake as the CDN in front would.
    """

    def __init__(
        self,
        invoke: Invoke,
        *,
        origin_secret: str = "",
        check: Check = lambda _: None,
        lifetime_seconds: float = 7200,
        idle_seconds: float = 600,
    ) -> None:
        self._invoke = invoke
        self._origin_secret = origin_secret
        self._check = check
        self._lifetime = lifetime_seconds
        self._idle = idle_seconds
        self._connections: dict[str, _Connection] = {}
        self._threads = ThreadPoolExecutor(_THREADS, "live")
        self.management_path = f"/_local/live/{secrets.token_urlsafe(16)}"
        """Where functions post to connections; nobody else knows it."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a WebSocket connection from its handshake to its end."""
        await receive()
        request = _request(scope)
        refused = error_response(404, "Not Found") if request.path != PATH else self._check(request)
        if refused is not None:
            await _reject(send, refused.status)
            return
        connection = _Connection(base64.b64encode(secrets.token_bytes(11)).decode(), asyncio.get_running_loop())
        self._connections[connection.id] = connection
        try:
            answer = await self._call(connection, "$connect", request)
            if answer.get("statusCode") != 200:
                await _reject(send, answer.get("statusCode", 500))
                return
            protocol = (answer.get("headers") or {}).get("Sec-WebSocket-Protocol")
            connection.is_open = True  # the client may act on the answer before this goes on
            await send({"type": "websocket.accept", "subprotocol": protocol})
            await self._converse(connection, request, receive, send)
            connection.is_open = False
            await self._call(connection, "$disconnect", request)
        finally:
            del self._connections[connection.id]

    async def _converse(self, connection: _Connection, request: HttpRequest, receive: Receive, send: Send) -> None:
        """Passes messages on in both directions until one side ends the connection, or a limit of the platform."""
        ends_at = time.monotonic() + self._lifetime
        hearing = asyncio.ensure_future(self._hear(connection, request, receive))
        try:
            while not hearing.done():
                seconds = min(ends_at, connection.heard_at + self._idle) - time.monotonic()
                if seconds <= 0:
                    await _close(send, _GOING_AWAY)
                    return
                what = await _next(connection.outgoing, hearing, seconds)
                if isinstance(what, int):
                    await _close(send, what)
                    return
                if what is not None:
                    connection.heard_at = time.monotonic()
                    await send({"type": "websocket.send", "text": what})
        except OSError:  # the client has gone meanwhile
            return
        finally:
            hearing.cancel()

    async def _hear(self, connection: _Connection, request: HttpRequest, receive: Receive) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            connection.heard_at = time.monotonic()
            text, binary = message.get("text"), message.get("bytes")
            body = {"body": text} if binary is None else {"body": base64.b64encode(binary).decode()}
            await self._call(connection, "$default", request, isBase64Encoded=binary is not None, **body)

    async def _call(self, connection: _Connection, route: str, request: HttpRequest, **more: Any) -> dict[str, Any]:
        event = self._event(connection, route, request) | more
        try:
            answer = await connection.loop.run_in_executor(self._threads, self._invoke, event)
        except Exception:  # noqa: BLE001 - the platform answers any crash with 502
            _log.exception("The function of the live channel crashed.")
            return {"statusCode": 502}
        return answer or {}

    def _event(self, connection: _Connection, route: str, request: HttpRequest) -> dict[str, Any]:
        """Returns an event of the platform; only that of the handshake has headers."""
        kind = {"$connect": "CONNECT", "$disconnect": "DISCONNECT"}.get(route, "MESSAGE")
        context = {
            "routeKey": route,
            "eventType": kind,
            "connectionId": connection.id,
            "requestId": secrets.token_hex(8),
            "identity": {"sourceIp": request.address},
        }
        if route != "$connect":
            return {"requestContext": context, "isBase64Encoded": False}
        added = {"x-viewer-address": request.address, "x-origin-secret": self._origin_secret}
        headers = {name: ",".join(v for n, v in request.headers if n == name) for name, _ in request.headers} | added
        return {"requestContext": context, "headers": headers, "isBase64Encoded": False}

    def manage(self, request: HttpRequest) -> HttpResponse | None:
        """Answers a function's post to a connection, or the end that it gives it; None for any other request."""
        place, _, connection_id = request.path.partition(_CONNECTIONS)
        if place != self.management_path:
            return None
        status = self._manage(request.method, unquote(connection_id), request.body)
        headers = [("x-amzn-ErrorType", "GoneException"), ("Content-Type", "application/json")]
        return HttpResponse(status, headers, b'{"message": "Gone"}') if status == _GONE else HttpResponse(status, [])

    def _manage(self, method: str, connection_id: str, body: bytes) -> int:
        connection = self._connections.get(connection_id)
        if connection is None or not connection.is_open:
            return _GONE
        connection.put(_ENDED_BY_US if method == "DELETE" else body.decode())
        return 204 if method == "DELETE" else 200

    def capture(self, session: boto3.Session) -> None:
        """Intercepts what clients of a session that are created from now on ask of connections."""
        for operation in ("PostToConnection", "DeleteConnection"):
            name = f"before-call.apigatewaymanagementapi.{operation}"
            session.events.register(name, self._intercept)

    def _intercept(self, params: dict[str, Any], **_: Any) -> Any:
        connection_id = unquote(urlsplit(params["url"]).path.rpartition("/")[2])
        status = self._manage(params["method"], connection_id, params["body"] or b"")
        gone = {"Error": {"Code": "GoneException", "Message": "Gone"}} if status == _GONE else {}
        return AWSResponse(params["url"], status, HTTPHeaders(), None), gone


async def _next(outgoing: asyncio.Queue[str | int], hearing: asyncio.Future[None], seconds: float) -> str | int | None:
    """Returns what is to be sent next; None if the client has ended the connection, or the time is over."""
    waiting = asyncio.ensure_future(outgoing.get())
    either: set[asyncio.Future[Any]] = {waiting, hearing}
    await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if waiting.done():
        return waiting.result()
    waiting.cancel()
    return None


async def _close(send: Send, code: int) -> None:
    await send({"type": "websocket.close", "code": code})


async def _reject(send: Send, status: int) -> None:
    await send({"type": "websocket.http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
    await send({"type": "websocket.http.response.body", "body": b""})


def _request(scope: Scope) -> HttpRequest:
    headers: Headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
    if scope["subprotocols"]:
        headers.append(("sec-websocket-protocol", ", ".join(scope["subprotocols"])))
    return HttpRequest("GET", scope["raw_path"].decode("latin-1"), headers, address=scope["client"][0])
