"""HTTP/1.1 on a port: uvicorn reads and writes, a pool of threads runs the handler.

uvicorn accepts every well-formed request. What API Gateway refuses before a function sees it is refused here.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from governance.limits import LIVE_MESSAGE_BYTES
from infra.local.event import Headers, HttpRequest, HttpResponse, error_response
from infra.local.gateway import BODY_LIMIT
from infra.local.live_gateway import LiveGateway

HEADER_LIMIT = 64 * 1024
_THREADS = 64
_BACKLOG = 128
_IDLE_SECONDS = 75
_DRAIN_SECONDS = 10
_POLL_SECONDS = 0.01
_BODILESS = {204, 304}
_CLOSE = ("Connection", "close")

Handle = Callable[[HttpRequest], HttpResponse]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def bind(host: str, port: int) -> socket.socket:
    """Returns a listening socket; port 0 takes a free one. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # A response is sent as head and body. Without this the body waits 40 ms for the client to acknowledge the head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class Server:
    """A server on a listening socket. As a context manager it serves inside the block.

    `live` serves the connections of the live channel.
    """

    def __init__(self, listener: socket.socket, handle: Handle, live: LiveGateway | None = None) -> None:
        self.port: int = listener.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(
                _Application(handle, live),
                http=_Protocol,
                ws="wsproto" if live else "none",
                ws_max_size=LIVE_MESSAGE_BYTES,
                ws_ping_interval=None,  # the platform sends none
                ws_per_message_deflate=False,
                loop="asyncio",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,  # paths may hold the secrets of guest, invitation and paper links
                server_header=False,
                proxy_headers=False,
                backlog=_BACKLOG,
                timeout_keep_alive=_IDLE_SECONDS,
                timeout_graceful_shutdown=_DRAIN_SECONDS,
                h11_max_incomplete_event_size=4 * HEADER_LIMIT,  # leaves the smaller excess to `_refusal`
            )
        )
        self._thread = threading.Thread(target=self._server.run, args=([listener],), name="server", daemon=True)

    def start(self) -> None:
        """Starts to serve requests in another thread."""
        self._thread.start()
        while self._thread.is_alive() and not self._server.started:
            time.sleep(_POLL_SECONDS)

    def stop(self) -> None:
        """Stops accepting connections and waits up to ten seconds for running requests."""
        self._server.should_exit = True
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Protocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol. Its response to invalid HTTP has the form of the gateway's errors."""

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Refuses a handshake that wsproto would not answer at all: it reads these headers as ASCII."""
        if all(value.isascii() for name, value in self.headers if name.startswith(b"sec-websocket-")):
            super().handle_websocket_upgrade(event)
        else:
            self.send_400_response("Bad Request")

    def send_400_response(self, msg: str) -> None:
        response = error_response(400, msg)
        headers = _encoded([*response.headers, _CLOSE])
        body = h11.Data(data=response.body)
        for event in (h11.Response(status_code=400, headers=headers, reason=b"Bad Request"), body, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class _Application:
    """The ASGI application: reads a whole request, runs the handler in a thread, and sends the response."""

    def __init__(self, handle: Handle, live: LiveGateway | None) -> None:
        self._handle = handle
        self._live = live
        self._threads = ThreadPoolExecutor(_THREADS, "request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and self._live is not None:
            await self._live.serve(scope, receive, send)
            return
        response = _refusal(scope) or await self._response(scope, receive)
        if response is None:
            return
        headers = [pair for pair in response.headers if pair[0].lower() != "content-length"]
        if response.status not in _BODILESS:
            headers.append(("Content-Length", str(len(response.body))))
        await send({"type": "http.response.start", "status": response.status, "headers": _encoded(headers)})
        body = b"" if response.status in _BODILESS else response.body
        await send({"type": "http.response.body", "body": body})

    async def _response(self, scope: Scope, receive: Receive) -> HttpResponse | None:
        """Returns the handler's response, or None if the client disconnected before the whole request had arrived."""
        body = bytearray()
        while (part := await receive())["type"] != "http.disconnect":
            body += part["body"]
            if len(body) > BODY_LIMIT:
                return _too_large()
            if not part["more_body"]:
                return await asyncio.get_running_loop().run_in_executor(
                    self._threads, self._handle, _request(scope, bytes(body))
                )
        return None


def _request(scope: Scope, body: bytes) -> HttpRequest:
    target = b"?".join(filter(None, (scope["raw_path"], scope["query_string"])))
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    return HttpRequest(scope["method"], target.decode("latin-1"), headers, body, scope["client"][0])


def _refusal(scope: Scope) -> HttpResponse | None:
    """Returns the error response to a request whose request line and headers show that it cannot be served.

    A body whose length is too large is refused here, before `100 Continue` asks the client to send it.
    """
    headers = dict(scope["headers"])
    if scope["http_version"] not in {"1.0", "1.1"}:
        return _closing(error_response(505, "HTTP Version Not Supported"))
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADER_LIMIT:
        return _closing(error_response(431, "Request Header Fields Too Large"))
    ambiguous = b"transfer-encoding" in headers and b"content-length" in headers
    if ambiguous or not scope["raw_path"].startswith(b"/"):
        return _closing(error_response(400, "Bad Request"))
    return _too_large() if int(headers.get(b"content-length", 0)) > BODY_LIMIT else None


def _too_large() -> HttpResponse:
    return _closing(error_response(413, "Request Entity Too Large"))


def _closing(response: HttpResponse) -> HttpResponse:
    """Returns the response with `Connection: close`: the rest of the request is not read."""
    return HttpResponse(response.status, [*response.headers, _CLOSE], response.body)


def _encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
