"""The table behind a socket on this machine: moto's answers, or those of a test, as the store sends them."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.harness.moto_shortcuts import answer_of_moto

Respond = Callable[[str, bytes], tuple[int, bytes]]
_LOCK = threading.Lock()
"""Moto answers one request after the other."""


@dataclass
class TableServer:
    """A running server: its address, what it answers, and what it was asked."""

    url: str
    respond: Respond
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """The action, the headers with names in lower case, and the body of each request."""
    connections: int = 0
    threads: set[int] = field(default_factory=set)
    """The threads that answer, by their ids."""


@contextmanager
def serving(respond: Respond = answer_of_moto) -> Iterator[TableServer]:
    """Serves the table of moto on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            server.connections += 1
            server.threads.add(threading.get_ident())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            action = self.headers["x-amz-target"].rpartition(".")[2]
            server.requests.append((action, {name.lower(): value for name, value in self.headers.items()}, body))
            with _LOCK:
                status, answer = server.respond(action, body)
            head = f"HTTP/1.1 {status} x\r\nContent-Length: {len(answer)}\r\nx-amz-crc32: {zlib.crc32(answer)}\r\n"
            head += "Server: Server\r\nDate: x\r\nContent-Type: application/x-amz-json-1.0\r\n"
            head += "Connection: keep-alive\r\nx-amzn-RequestId: x\r\n\r\n"
            self.wfile.write(head.encode() + answer)

        def log_message(self, *_: Any) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as running:
        server = TableServer(f"http://127.0.0.1:{running.server_address[1]}", respond)
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        server.threads.add(thread.ident or 0)
        try:
            yield server
        finally:
            running.shutdown()
            thread.join()
