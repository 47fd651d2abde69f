"""HTTP/1.1 in threads, with kept-alive connections, before `Gateway.handle`."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from infra.local.event import HttpRequest, HttpResponse
from infra.local.event import message as refusal
from infra.local.gateway import BODY_LIMIT

_IDLE_SECONDS = 75
_DRAIN_SECONDS = 10
_BODILESS = {204, 304}

Handle = Callable[[HttpRequest], HttpResponse]


class _TooLarge(Exception):
    """The body is larger than the gateway takes."""


class _BadRequest(Exception):
    """The body's framing cannot be understood."""


class Server(ThreadingHTTPServer):
    """A listening server; `serve_forever` in a thread of the caller's, `stop` lets running requests end."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, handle: Handle) -> None:
        self.handle = handle
        self._idle = threading.Condition()
        self._running = 0
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), _Connection)

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The answer to a request, counted while it is being made."""
        with self._idle:
            self._running += 1
        try:
            return self.handle(request)
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()

    def stop(self) -> None:
        """Accept nothing more, and wait for the requests that are being answered."""
        self.shutdown()
        self.server_close()
        with self._idle:
            self._idle.wait_for(lambda: self._running == 0, _DRAIN_SECONDS)


class _Connection(BaseHTTPRequestHandler):
    """One client's connection."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    wbufsize = -1  # one packet for head and body
    disable_nagle_algorithm = True

    def __getattr__(self, name: str) -> Any:
        """Every method is served, known or not: which ones a path has is the API's affair."""
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def _serve(self) -> None:
        try:
            answer = cast("Server", self.server).answer(self._request())
        except _TooLarge:
            answer, self.close_connection = refusal(413, "Request Entity Too Large"), True
        except _BadRequest:
            answer, self.close_connection = refusal(400, "Bad Request"), True
        self._send(answer)

    def _request(self) -> HttpRequest:
        target = self.requestline.split()[1]
        if not target.startswith("/"):
            raise _BadRequest
        headers = [(name, value.strip()) for name, value in self.headers.items()]
        address, port = self.client_address[:2]
        return HttpRequest(self.command, target, headers, self._body(), address, port)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding"):
            return self._chunks()
        length = self.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdigit()):
            raise _BadRequest
        if int(length) > BODY_LIMIT:
            raise _TooLarge
        return self.rfile.read(int(length))

    def _chunks(self) -> bytes:
        if self.headers["Transfer-Encoding"].lower() != "chunked" or "Content-Length" in self.headers:
            raise _BadRequest
        body = bytearray()
        while size := self._chunk_size():
            if len(body) + size > BODY_LIMIT:
                raise _TooLarge
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            """Trailers are of no use here."""
        return bytes(body)

    def _chunk_size(self) -> int:
        try:
            return int(self.rfile.readline(64).partition(b";")[0], 16)
        except ValueError:
            raise _BadRequest from None

    def _send(self, answer: HttpResponse) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers:
            if name.lower() != "content-length":
                self.send_header(name, value)
        if answer.status not in _BODILESS:
            self.send_header("Content-Length", str(len(answer.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and answer.status not in _BODILESS:
            self.wfile.write(answer.body)

    def version_string(self) -> str:
        """The Server header: nothing to learn from it."""
        return "local"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A request line or headers that are no HTTP: the gateway's own words, and the end of the connection."""
        del explain
        self.command, self.request_version = getattr(self, "command", None) or "", self.protocol_version
        self.close_connection = True
        self._send(refusal(code, message or "Bad Request"))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's signature
        """Nothing: paths may carry what opens a guest's or an invite's door."""
