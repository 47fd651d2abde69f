"""HTTP/1.1 over connections that stay open: a request in one piece, an answer read to its declared end.

`http.client` does the same for any server. It parses headers as those of an e-mail, which takes seven times as many
calls of functions, and bounds each step of an answer instead of all.
"""

from __future__ import annotations

import os
import select
import socket
import ssl
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from governance.store.client.errors import NoAnswerError

CONNECT_SECONDS, READ_SECONDS = 1.0, 2.0
"""Times of one attempt: to connect, and from the request to the end of the answer."""
_CHUNK = 65_536
"""Bytes that are read at once; also the longest head of an answer."""
_PORTS = {"http": 80, "https": 443}


class Answer(NamedTuple):
    """An answer as it was sent; its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """The connections to one endpoint. A call takes the one that was used last, and a new one if none is idle.

    Over TLS they trust the authorities of the system, or those of the SDK's own setting.
    """

    def __init__(self, endpoint: str) -> None:
        url = urlsplit(endpoint)
        if url.scheme not in _PORTS or url.hostname is None:
            raise ValueError("The endpoint of the table is not an http or https URL.")
        self._address = url.hostname, url.port or _PORTS[url.scheme]
        authorities = os.environ.get("AWS_CA_BUNDLE") or None
        self._context = ssl.create_default_context(cafile=authorities) if url.scheme == "https" else None
        self._idle: deque[socket.socket] = deque()
        self.host = url.netloc.rpartition("@")[2]
        self.path = url.path or "/"

    def exchange(self, request: bytes) -> Answer:
        """Sends a request and returns the answer. Raises `NoAnswerError` if none came, or only a part of one."""
        opened = self._idle_one() or self._connect()
        try:
            answer = _exchange(opened, request)
        except BaseException:
            opened.close()
            self.close_idle()  # what broke this one may have broken them too
            raise
        if answer.headers.get("connection") == "close":
            opened.close()
        else:
            self._idle.append(opened)
        return answer

    def close_idle(self) -> None:
        """Closes the connections on which nothing is being answered."""
        with suppress(IndexError):  # none is left
            while True:
                self._idle.pop().close()

    def _idle_one(self) -> socket.socket | None:
        """Returns the one used last that the server has neither closed nor written to unasked."""
        try:
            while _is_readable(opened := self._idle.pop()):
                opened.close()
        except IndexError:  # none is left
            return None
        return opened

    def _connect(self) -> socket.socket:
        try:
            plain = socket.create_connection(self._address, CONNECT_SECONDS)
            try:
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return self._context.wrap_socket(plain, server_hostname=self._address[0]) if self._context else plain
            except BaseException:
                plain.close()
                raise
        except OSError as error:
            raise NoAnswerError(f"ConnectFailed:{type(error).__name__}") from None


def _is_readable(opened: socket.socket) -> bool:
    poll = select.poll()
    poll.register(opened, select.POLLIN)
    return bool(poll.poll(0))


def _exchange(opened: socket.socket, request: bytes) -> Answer:
    end = time.monotonic() + READ_SECONDS
    try:
        opened.settimeout(READ_SECONDS)
        opened.sendall(request)
        return _answer(opened, end)
    except TimeoutError:
        raise NoAnswerError("ReadTimeout") from None
    except OSError as error:
        raise NoAnswerError(f"ConnectionLost:{type(error).__name__}") from None
    except ValueError:
        raise NoAnswerError("BrokenAnswer") from None


def _answer(opened: socket.socket, end: float) -> Answer:
    """Returns an answer that is whole at this moment of the monotonic clock."""
    received = _received(opened, end)
    while (split := received.find(b"\r\n\r\n")) < 0:
        if len(received) > _CHUNK:
            raise ValueError("head")
        received += _received(opened, end)
    status, headers = _head(received[:split].decode("ascii").lower())
    length = _content_length(headers)
    body = received[split + 4 :]
    while len(body) < length:
        body += _received(opened, end)
    if len(body) > length:
        raise ValueError("length")
    return Answer(status, headers, bytes(body))


def _received(opened: socket.socket, end: float) -> bytearray:
    opened.settimeout(max(end - time.monotonic(), 0.001))
    received = opened.recv(_CHUNK)
    if not received:
        raise NoAnswerError("ConnectionClosed")
    return bytearray(received)


def _head(text: str) -> tuple[int, dict[str, str]]:
    """Returns the status and the headers. Raises `ValueError` for what is not a head of an HTTP/1.1 answer."""
    first, *lines = text.split("\r\n")
    version, status, *_ = first.split(" ", 2)
    if version != "http/1.1" or len(status) != 3 or not status.isdecimal():
        raise ValueError("status")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("header")
        headers[name] = value.strip()
    return int(status), headers


def _content_length(headers: Mapping[str, str]) -> int:
    """Returns the length of the body, which the table always states. Raises `ValueError` without it."""
    stated = headers.get("content-length", "")
    if not stated.isdecimal() or "transfer-encoding" in headers:
        raise ValueError("content-length")
    return int(stated)
