"""Sends one request to the URL of a webhook, and only to a public address (ADR webhooks).

The name is resolved once, every address that it has is checked, and the connection is made to a checked address. So
no second look-up can lead elsewhere. TLS is verified for the name. Redirects are not followed, and proxies not used.
"""

from __future__ import annotations

import logging
import math
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.client import HTTPException
from typing import Any, Self

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, SSLError
from urllib3.response import BaseHTTPResponse

from governance import addresses
from governance.addresses import Address
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.limits import WEBHOOK_ANSWER_BYTES, WEBHOOK_ATTEMPT_SECONDS, WEBHOOK_CONNECT_SECONDS
from governance.models.webhooks.webhook_url import WebhookTarget, is_allowed, parse_url

_ADDRESSES_TRIED = 3
logging.getLogger("urllib3").setLevel(logging.CRITICAL)  # its warnings quote URLs, which may hold a receiver's secret
_resolvers = ThreadPoolExecutor(max_workers=8, thread_name_prefix="resolver")


class _Refused(Exception):
    """The attempt ended before a response; the message is the error of the delivery."""


def post(url: str, headers: Mapping[str, str], content: bytes) -> AttemptResult:
    """Sends a body to a URL. Returns the response or the error, within `WEBHOOK_ATTEMPT_SECONDS`; never raises."""
    began = time.monotonic()
    deadline = began + WEBHOOK_ATTEMPT_SECONDS
    status = retry_after = error = None
    try:
        status, retry_after = _exchange(parse_url(url), headers, content, deadline)
    except Exception as raised:  # noqa: BLE001 - whatever a receiver does is an attempt that failed
        error = "timeout" if time.monotonic() >= deadline else _error_of(raised)
    return AttemptResult(status, error, round((time.monotonic() - began) * 1000), retry_after)


def _error_of(raised: Exception) -> str:
    """Returns the error that the delivery shows for an exception; never its message, which may quote the receiver."""
    if isinstance(raised, _Refused):
        return str(raised)
    if isinstance(raised, TimeoutError):
        return "timeout"
    if isinstance(raised, ssl.SSLError | SSLError):
        return "tls_failed"
    if isinstance(raised, HTTPException | HTTPError):
        return "invalid_response"
    return "connection_failed" if isinstance(raised, OSError) else "invalid_url"


def _exchange(
    target: WebhookTarget, headers: Mapping[str, str], content: bytes, deadline: float
) -> tuple[int, int | None]:
    """Returns the status of the response, and the seconds of its `Retry-After`."""
    checked = _checked_addresses(target, deadline)
    with _Watchdog(deadline) as watchdog:
        connection = _connect(target, checked, watchdog)
        try:
            connection.request("POST", target.path, content, headers, preload_content=False, decode_content=False)
            response = connection.getresponse()
            if watchdog.remaining <= 0:  # the head ended because the connection did
                raise _Refused("timeout")
            status, retry_after = response.status, _seconds(response.headers.get("retry-after"))
            _drain(response)
            return status, retry_after
        finally:
            connection.close()


def _checked_addresses(target: WebhookTarget, deadline: float) -> list[Address]:
    """Returns the addresses of a target. Raises `_Refused` unless every one of them may be connected to."""
    candidates = [target.address] if target.address is not None else _resolve(target, deadline)
    if not candidates:
        raise _Refused("name_not_resolved")
    if not all(is_allowed(address) for address in candidates):
        raise _Refused("address_not_public")
    return candidates[:_ADDRESSES_TRIED]


def _resolve(target: WebhookTarget, deadline: float) -> list[Address]:
    """Returns the addresses of a name; a look-up cannot be interrupted, so a thread waits for it."""
    looking = _resolvers.submit(look_up, target.host, target.port)
    try:
        texts = looking.result(timeout=max(0.0, deadline - time.monotonic()))
        return [addresses.parse(text) for text in dict.fromkeys(texts)]
    except FutureTimeoutError:
        raise _Refused("timeout") from None
    except (OSError, UnicodeError):
        raise _Refused("name_not_resolved") from None
    except ValueError:
        raise _Refused("address_not_public") from None


def look_up(host: str, port: int) -> list[str]:
    """Returns the addresses that the system's resolver has for a name."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class _Watchdog:
    """Ends a connection at the deadline, whatever the receiver does: time-outs alone bound one step each."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._watched: list[socket.socket] = []
        self._timer = threading.Timer(max(0.0, self.remaining), self._end)
        self._timer.daemon = True

    @property
    def remaining(self) -> float:
        """The seconds until the deadline; negative after it."""
        return self._deadline - time.monotonic()

    def watch(self, connected: socket.socket) -> None:
        """Takes a second handle of a socket: TLS takes over the first one."""
        self._watched.append(connected.dup())

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for watched in self._watched:
            watched.close()

    def _end(self) -> None:
        for watched in self._watched:
            with suppress(OSError):
                watched.shutdown(socket.SHUT_RDWR)


def _connect(target: WebhookTarget, checked: list[Address], watchdog: _Watchdog) -> HTTPConnection:
    """Returns a connection to the first of the addresses that accepts one, within `WEBHOOK_CONNECT_SECONDS`."""
    for_answer = max(0.0, watchdog.remaining - WEBHOOK_CONNECT_SECONDS)
    for left, address in zip(range(len(checked), 0, -1), checked, strict=True):
        connection = _connection(target, address, watchdog, (watchdog.remaining - for_answer) / left)
        try:
            connection.connect()
        except ssl.SSLError:
            connection.close()
            raise
        except OSError:
            connection.close()
            if left == 1:
                raise
        else:
            connection.timeout = max(0.1, watchdog.remaining)
            if connection.sock is not None:
                connection.sock.settimeout(connection.timeout)
            return connection
    raise _Refused("name_not_resolved")


class _PinnedHttp(HTTPConnection):
    """A connection to a checked address without TLS, for receivers on a developer's machine."""

    checked_address: Address
    watchdog: _Watchdog

    def _new_conn(self) -> socket.socket:
        return _open(self.checked_address, self.port, self.timeout, self.watchdog)


class _PinnedHttps(HTTPSConnection):
    """A connection to a checked address with TLS, verified for the name of the URL."""

    checked_address: Address
    watchdog: _Watchdog

    def _new_conn(self) -> socket.socket:
        return _open(self.checked_address, self.port, self.timeout, self.watchdog)


def _open(address: Address, port: int, timeout: Any, watchdog: _Watchdog) -> socket.socket:
    """Connects without a look-up: an address in its numeric form needs none."""
    connected = socket.create_connection((str(address), port), timeout)
    watchdog.watch(connected)
    return connected


def _connection(target: WebhookTarget, address: Address, watchdog: _Watchdog, timeout: float) -> HTTPConnection:
    connection: _PinnedHttp | _PinnedHttps
    if target.secure:
        connection = _PinnedHttps(target.host, target.port, timeout=max(0.1, timeout), ssl_context=_tls())
    else:
        connection = _PinnedHttp(target.host, target.port, timeout=max(0.1, timeout))
    connection.checked_address, connection.watchdog = address, watchdog
    return connection


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _drain(response: BaseHTTPResponse) -> None:
    """Reads the allowed first part of a response, so that the receiver can finish; its content does not matter."""
    with suppress(Exception):
        response.read(WEBHOOK_ANSWER_BYTES, decode_content=False)


def _seconds(retry_after: str | None) -> int | None:
    """Returns the seconds that `Retry-After` asks for, as a number or as a date; None if it asks for nothing."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    try:
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time.time()))
    except (ValueError, TypeError, OverflowError):
        return None
