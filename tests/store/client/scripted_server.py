"""A server on this machine that does to each of its connections what a test says."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Act = Callable[[socket.socket], object]


@dataclass
class ScriptedServer:
    """A running server, with the requests that arrived whole, on which connection (from 0)."""

    url: str
    requests: list[tuple[int, bytes]] = field(default_factory=list)
    closed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released after the server has closed a connection."""


def answer(content: Any, status: int = 200, **headers: str) -> bytes:
    """Returns an answer as the store sends it; None removes a header."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    usual = {"content-length": str(len(body)), "x-amz-crc32": str(zlib.crc32(body))}
    named = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value)
    return f"HTTP/1.1 {status} x\r\n{lines}\r\n".encode() + body


def read_request(connection: socket.socket) -> bytes:
    """Returns the next request of a connection; nothing if the client closes it."""
    received = b""
    while b"\r\n\r\n" not in received:
        if not (part := connection.recv(65_536)):
            return b""
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@contextmanager
def scripted(*connections: Sequence[bytes], context: ssl.SSLContext | None = None) -> Iterator[ScriptedServer]:
    """Serves connections one after the other: to each request the next bytes; after the last the connection is closed.

    A connection beyond the script is not accepted.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, scheme = listening.getsockname()[1], "https" if context else "http"
        server = ScriptedServer(f"{scheme}://localhost:{port}" if context else f"{scheme}://127.0.0.1:{port}")

        opened: list[socket.socket] = [listening]

        def serve() -> None:
            for number, answers in enumerate(connections):
                with suppress(OSError):
                    accepted, _ = listening.accept()
                    with context.wrap_socket(accepted, server_side=True) if context else accepted as connection:
                        opened.append(connection)
                        for answer in answers:
                            request = read_request(connection)
                            if not request:
                                break
                            server.requests.append((number, request))
                            connection.sendall(answer)
                server.closed.release()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        for connection in opened:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # ends what the thread waits for
        thread.join()
