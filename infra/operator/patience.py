"""An operator's command waits for a table, a bucket or a service that is busy, and says so.

A request of the API could not wait that long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import click
from botocore.exceptions import ConnectionClosedError, ConnectTimeoutError, ReadTimeoutError

from governance import aws
from governance.store.client import table_client
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.client.table_client import Reply
from governance.store.dynamodb import client

SECONDS = 120.0
"""How long a command waits for one answer. A table that is not there at all is not waited for."""
_PAUSE_SECONDS = 5.0
_NOBODY_THERE = ("ConnectFailed:ConnectionRefusedError", "ConnectFailed:gaierror", "NoCredentialsError")

_BUSY = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_NO_ANSWER = (ConnectionClosedError, ConnectTimeoutError, ReadTimeoutError)
_RETRY = "needs-retry.s3"

Perform = Callable[[str, bytes], Reply]
T = TypeVar("T")


@contextmanager
def patient() -> Iterator[None]:
    """Makes the requests of this process wait for a busy table, and for a busy bucket."""
    table, before, bucket = client(), client().perform, aws.s3().meta.events
    vars(table)["perform"] = partial(_perform, before)
    wait: Any = _wait_for_bucket  # botocore's own types know no handler that returns something
    bucket.register(_RETRY, wait, unique_id=_RETRY)
    try:
        yield
    finally:
        vars(table)["perform"] = before
        bucket.unregister(_RETRY, unique_id=_RETRY)


def while_busy(what: str, act: Callable[[], T], may_pass: Callable[[Exception], bool]) -> T:
    """Returns what `act` returns; an error that may pass is waited for, and at last raised."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            return act()
        except Exception as error:
            left = end - time.monotonic()
            if left <= 0 or not may_pass(error):
                raise
            time.sleep(_say(what, left))


def is_busy(status: int) -> bool:
    """Returns whether the status of an answer says that another one may follow."""
    return status in _BUSY


def _say(what: str, left: float) -> float:
    """Says that something is waited for; returns for how many seconds, until it is asked again."""
    click.echo(f"The {what} is busy; waiting for up to {left:.0f} more seconds.", err=True)
    return min(_PAUSE_SECONDS, left)


def _perform(perform: Perform, action: str, body: bytes) -> Reply:
    return while_busy("table", lambda: perform(action, body), _may_pass)


def _may_pass(error: Exception) -> bool:
    if isinstance(error, NoAnswerError):
        return error.code not in _NOBODY_THERE
    return isinstance(error, RefusedError) and table_client.may_pass(error)


def _wait_for_bucket(
    attempts: int, response: tuple[Any, Any] | None, caught_exception: Exception | None, **_: Any
) -> float | None:
    """Returns the seconds until a call is made again; None where that is of no use, or the time is over."""
    left = SECONDS - attempts * _PAUSE_SECONDS
    passes = isinstance(caught_exception, _NO_ANSWER) if response is None else is_busy(response[0].status_code)
    return _say("bucket", left) if passes and left > 0 else None
