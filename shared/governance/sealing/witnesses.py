"""Asks witnesses for their cosignatures of the newest checkpoint (c2sp.org/tlog-witness).

A witness signs only what goes on from all that it has seen before. So nobody can be shown a past of their own that the
witness does not know.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from governance import telemetry
from governance.log.merkle import consistency_proof
from governance.log.notes import (
    InvalidNoteError,
    SignedCheckpoint,
    VerifierKey,
    parse_key,
    signature_lines,
    submission_text,
)
from governance.log.tiles import subtree_of
from governance.settings import settings
from governance.store.history import log_files

_SECONDS = 5.0
"""The longest that a witness may take in all: to connect, for both questions, and for every part of its answers."""
_GRACE_SECONDS = 0.5
"""Time for the end of a connection to be noticed; then nothing waits for it any more."""
_ANSWER_BYTES = 64 * 1024


def cosign() -> None:
    """Puts the cosignatures of all witnesses that answer on the newest checkpoint, in place of their earlier ones."""
    witnesses = [(parse_key(key), prefix) for key, prefix in settings().log_witnesses]
    published = log_files.published() if witnesses else None
    if published is None:
        return
    signed = published.signed
    pool, deadline = ThreadPoolExecutor(len(witnesses)), time.monotonic() + _SECONDS
    asked = [pool.submit(_ask, signed, key, prefix, deadline) for key, prefix in witnesses]
    wait(asked, _SECONDS + _GRACE_SECONDS)
    answers = [each.result() if each.done() else [] for each in asked]
    pool.shutdown(wait=False, cancel_futures=True)
    fresh = [line for lines in answers for line in lines]
    answered = [key for (key, _), lines in zip(witnesses, answers, strict=True) if lines]
    kept = [line for line in signed.lines if not any(key.is_named_by(line) for key in answered)]
    if fresh:
        log_files.publish(SignedCheckpoint(signed.checkpoint, (*kept, *fresh)), published)


def _ask(signed: SignedCheckpoint, key: VerifierKey, prefix: str, deadline: float) -> list[str]:
    """Returns the valid cosignatures of a witness; none if it does not answer with one."""
    try:
        status, text = _post(prefix, _submission(signed, signed.checkpoint.size), deadline)
        if status == HTTPStatus.CONFLICT and (seen := _seen_size(text)) < signed.checkpoint.size:
            status, text = _post(prefix, _submission(signed, seen), deadline)
        lines = signature_lines(text) if status == HTTPStatus.OK else ()
    except (OSError, HTTPException, ValueError) as error:
        telemetry.logger().warning("witness failed", witness=key.name, error=type(error).__name__)
        return []
    cosignatures = [line for line in lines if key.verifies(signed.checkpoint.note, line)]
    if not cosignatures:
        telemetry.logger().warning("witness refused", witness=key.name, status=status)
    return cosignatures


def _seen_size(text: str) -> int:
    """Returns the size that a witness saw last, from its answer. Raises `ValueError`."""
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise InvalidNoteError("A witness answers with the size that it saw last.")
    return int(text)


def _submission(signed: SignedCheckpoint, old: int) -> str:
    size = signed.checkpoint.size
    subtree = subtree_of(cache(lambda tile: log_files.read_tiles([tile])[tile]), size)
    return submission_text(old, consistency_proof(subtree, old, size), signed)


def _post(prefix: str, body: str, deadline: float) -> tuple[int, str]:
    """Returns status and text of a witness's answer; follows no redirect.

    A time-out bounds one step, and an answer by drops has any number of them: the connection ends at the deadline.
    """
    url = urlsplit(f"{prefix}/add-checkpoint")
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    remaining = max(0.1, deadline - time.monotonic())
    connection = kind(url.hostname or "", url.port, timeout=remaining)
    connection.connect()
    with socket.socket(fileno=os.dup(connection.sock.fileno())) as handle:
        timer = threading.Timer(max(0.0, deadline - time.monotonic()), _end, [handle])
        timer.daemon = True
        timer.start()
        try:
            return _exchange(connection, url.path, body)
        finally:
            timer.cancel()
            connection.close()


def _end(handle: socket.socket) -> None:
    with suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)


def _exchange(connection: HTTPConnection, path: str, body: str) -> tuple[int, str]:
    """Returns status and text of an answer. Raises `OSError` or `HTTPException` for one that ends before its end."""
    connection.request("POST", path, body.encode(), {"Content-Type": "text/plain; charset=utf-8"})
    answer = connection.getresponse()
    text = answer.read(_ANSWER_BYTES)
    return answer.status, text.decode()
