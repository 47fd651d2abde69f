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
import zlib
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from governance.store.client.errors import NoAnswerError

CONNECT_SECONDS, READ_SECONDS = 1.0, 2.0
"""Of one attempt: to connect, and from the request to the end of the answer."""
_CHUNK = 65_536
_LONGEST_HEAD = 65_536
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Answer:
    """An answer as it was sent; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def check(self) -> None:
        """Raises `NoAnswerError` if the body is not the one that the table sent."""
        stated = self.headers.get("x-amz-crc32")
        if stated is not None and stated != str(zlib.crc32(self.body)):
            raise NoAnswerError("ChecksumMismatch")


class Connections:
    """The connections to one endpoint. A call takes the one that was used last, and a new one if none is idle."""

    def __init__(self, endpoint: str) -> None:
        url = urlsplit(endpoint)
        if url.scheme not in _PORTS or url.hostname is None:
            raise ValueError("The endpoint of the table is no http or https URL.")
        self._address = url.hostname, url.port or _PORTS[url.scheme]
        self._secure = url.scheme == "https"
        self._idle: deque[_Connection] = deque()
        self.host = url.netloc.rpartition("@")[2]
        self.path = url.path or "/"

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """Trusts the authorities of the system, or those of the SDK's own setting."""
        return ssl.create_default_context(cafile=os.environ.get("AWS_CA_BUNDLE") or None)

    def prepare(self) -> None:
        """Loads what the first connection needs."""
        if self._secure:
            _ = self._context

    def exchange(self, request: bytes) -> Answer:
        """Sends a request and returns the answer. Raises `NoAnswerError` if none came, or only a part of one."""
        connection = self._idle_connection() or self._connect()
        try:
            answer = connection.exchange(request)
        except BaseException:
            connection.close()
            self.close_idle()  # what made this one falter may have befallen them too
            raise
        if answer.headers.get("connection", "").lower() == "close":
            connection.close()
        else:
            self._idle.append(connection)
        return answer

    def close_idle(self) -> None:
        """Closes the connections on which nothing is being answered."""
        while self._idle:
            with suppress(IndexError):  # another thread took the last one
                self._idle.pop().close()

    def _idle_connection(self) -> _Connection | None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread took the last one
                return None
            if connection.is_usable():
                return connection
            connection.close()
        return None

    def _connect(self) -> _Connection:
        try:
            plain = socket.create_connection(self._address, CONNECT_SECONDS)
            try:
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                wrapped = self._context.wrap_socket(plain, server_hostname=self._address[0]) if self._secure else plain
            except BaseException:
                plain.close()
                raise
        except TimeoutError:
            raise NoAnswerError("ConnectTimeout") from None
        except OSError as error:
            raise NoAnswerError(f"ConnectFailed:{type(error).__name__}") from None
        return _Connection(wrapped)


class _Connection:
    """A connection that waits for a request, or on which one is being answered."""

    def __init__(self, opened: socket.socket) -> None:
        self._socket = opened
        self._poll = select.poll()
        self._poll.register(opened, select.POLLIN)

    def close(self) -> None:
        self._socket.close()

    def is_usable(self) -> bool:
        """Returns whether the server has neither closed the idle connection nor sent what nobody asked for."""
        return not self._poll.poll(0)

    def exchange(self, request: bytes) -> Answer:
        end = time.monotonic() + READ_SECONDS
        try:
            self._socket.settimeout(READ_SECONDS)
            self._socket.sendall(request)
            return self._answer(end)
        except TimeoutError:
            raise NoAnswerError("ReadTimeout") from None
        except OSError as error:
            raise NoAnswerError(f"ConnectionLost:{type(error).__name__}") from None
        except (ValueError, UnicodeError):
            raise NoAnswerError("BrokenAnswer") from None

    def _answer(self, end: float) -> Answer:
        received = self._receive(end)
        while (split := received.find(b"\r\n\r\n")) < 0:
            if len(received) > _LONGEST_HEAD:
                raise ValueError("head")
            received += self._receive(end)
        status, headers = _head(received[:split].decode("ascii"))
        length = _content_length(headers)
        body = received[split + 4 :]
        while len(body) < length:
            body += self._receive(end)
        if len(body) > length:
            raise ValueError("length")
        return Answer(status, headers, bytes(body))

    def _receive(self, end: float) -> bytearray:
        """Returns the next bytes of an answer, which has to be whole at this moment of the monotonic clock."""
        self._socket.settimeout(max(end - time.monotonic(), 0.001))
        received = self._socket.recv(_CHUNK)
        if not received:
            raise NoAnswerError("ConnectionClosed")
        return bytearray(received)


def _head(text: str) -> tuple[int, dict[str, str]]:
    """Returns the status and the headers. Raises `ValueError` for what is no head of an HTTP/1.1 answer."""
    first, *lines = text.split("\r\n")
    version, status, *_ = first.split(" ", 2)
    if version != "HTTP/1.1" or len(status) != 3 or not status.isdecimal():
        raise ValueError("status")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("header")
        headers[name.lower()] = value.strip()
    return int(status), headers


def _content_length(headers: Mapping[str, str]) -> int:
    """Returns the length of the body, which the table always states. Raises `ValueError` without it."""
    stated = headers.get("content-length", "")
    if not stated.isdecimal() or "transfer-encoding" in headers:
        raise ValueError("content-length")
    return int(stated)
