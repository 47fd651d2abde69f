"""A receiver of webhooks: an HTTP server with a thread for each request, that answers as a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request that arrived: where, its headers in small letters, and its body."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def event_id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def content(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[["Handler", Received], None]
"""Answers a request."""


def status(code: int, **headers: str) -> Behaviour:
    """Returns the behaviour of a receiver that answers with this status."""

    def answer(handler: Handler, _: Received) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


class Handler(BaseHTTPRequestHandler):
    """Serves the requests of one connection."""

    server: Receiver
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, headers, content)
        self.server.received.append(received)
        self.server.behaviour(self, received)

    def log_message(self, *_: Any) -> None:
        """Writes nothing."""


class Receiver(ThreadingHTTPServer):
    """A receiver on this machine; `behaviour` may be replaced at any time."""

    daemon_threads = True

    def __init__(self, behaviour: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviour = behaviour
        self.received: list[Received] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keeps quiet: a sender that hangs up is not a failure of the test."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?tenant=7"


@contextmanager
def receiving(behaviour: Behaviour | None = None) -> Iterator[Receiver]:
    """Runs a receiver that accepts everything unless told otherwise."""
    receiver = Receiver(behaviour or status(204))
    thread = threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.shutdown()
        receiver.server_close()
        thread.join()
