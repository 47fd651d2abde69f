"""Requests to the table: attempts, answers and errors.

A test may watch or replace each of three steps: `call`, the whole request as it was asked for; `perform`, its attempts
together; `send`, one attempt.
"""

from __future__ import annotations

import json
import random
import time
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from governance import deadline
from governance.store.client.connections import Answer, Connections
from governance.store.client.errors import NoAnswerError, NoCredentialsError, RefusedError
from governance.store.client.signing import credentials, signed_headers

ACTIONS = {
    "batch_get_item": "BatchGetItem",
    "query": "Query",
    "scan": "Scan",
    "transact_write_items": "TransactWriteItems",
    "update_item": "UpdateItem",
}
"""The actions by the names that the store and its log have for them.

Each may be repeated after its answer was lost: a read; a transaction, by its `ClientRequestToken`; the updates of
counters that may be off by a little (`transactions.increment`), and those that set attributes of log entries to the
same values again (`leaves.py`). A write that may not be repeated is not made here.
"""
_from_json = json.JSONDecoder().decode
_to_json = json.JSONEncoder(separators=(",", ":")).encode
_ATTEMPTS = 3
_BUSY = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionInProgressException",
    }
)
_PASSING = frozenset({500, 502, 503, 504})
_PAUSE_SECONDS, _PAUSE_OF_BUSY_SECONDS = 0.025, 0.5
"""The longest pause before the second attempt, doubled before the third: after no answer, and after one that says that
the table is busy."""


class Reply(NamedTuple):
    """The result of a request, and how often it was repeated."""

    result: dict[str, Any]
    repeats: int = 0


class TableClient:
    """A client for one table's endpoint; many threads may use it at once."""

    def __init__(self, endpoint: str, region: str) -> None:
        self._connections = Connections(endpoint)
        self._region = region
        self._credentials = credentials()

    def call(self, operation: str, request: Mapping[str, Any]) -> Reply:
        """Makes a request of the table and returns its result.

        Raises `RefusedError` for an error that the table answers, `NoAnswerError` if it does not answer, and
        `DeadlineExceededError` if an attempt could end after the deadline.
        """
        return self.perform(ACTIONS[operation], _to_json(request).encode())

    def perform(self, action: str, body: bytes) -> Reply:
        """Makes up to three attempts; repeats one that failed in a way that may pass."""
        pause = 0.0
        for number in range(_ATTEMPTS):
            deadline.check(deadline.STORE_ATTEMPT_SECONDS + pause)
            if number:
                time.sleep(pause)
            try:
                return Reply(_result(self.send(action, body)), number)
            except NoCredentialsError:
                raise
            except NoAnswerError as error:
                failure: Exception = error
                longest = _PAUSE_SECONDS
            except RefusedError as error:
                if not may_pass(error):
                    raise
                failure, longest = error, _PAUSE_OF_BUSY_SECONDS
            pause = random.uniform(0, longest * 2**number)  # noqa: S311 - jitter, not a secret
        raise failure

    def send(self, action: str, body: bytes) -> Answer:
        """Makes one attempt and returns the answer, whatever its status. Raises `NoAnswerError` without one."""
        target, host, path = f"DynamoDB_20120810.{action}", self._connections.host, self._connections.path
        signed = signed_headers(self._credentials(), self._region, host, path, target, body)
        head = (
            f"POST {path} HTTP/1.1\n{signed}user-agent:board-governance\naccept-encoding:identity\n"
            f"content-length:{len(body)}\n\n"
        )
        return self._connections.exchange(head.replace("\n", "\r\n").encode("ascii") + body)


def may_pass(error: RefusedError) -> bool:
    """Returns whether the table may carry out the same request later."""
    return error.code in _BUSY or error.status in _PASSING


def _result(answer: Answer) -> dict[str, Any]:
    """Returns what an answer holds; raises the error that it states, `NoAnswerError` if it cannot be read.

    An error without a code of its own, as a proxy's, has that of its status.
    """
    stated = answer.headers.get("x-amz-crc32")
    if stated is not None and stated != str(zlib.crc32(answer.body)):
        raise NoAnswerError("ChecksumMismatch")
    try:
        content = _from_json(answer.body.decode())
    except ValueError:
        content = None
    if answer.status != HTTPStatus.OK:
        error = content if isinstance(content, dict) else {}
        code = str(error.get("__type") or answer.status).rpartition("#")[2].partition(":")[0]
        reasons = error.get("CancellationReasons")
        raise RefusedError(code, answer.status, reasons if isinstance(reasons, list) else ())
    if not isinstance(content, dict):
        raise NoAnswerError("BrokenAnswer")
    return content
