"""An operator's command waits for a table that is busy, and says so; a request of the API could not wait that long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import click

from governance.store.client import table_client
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.client.table_client import Reply
from governance.store.dynamodb import client

SECONDS = 120.0
"""How long a command waits for one answer. A table that is not there at all is not waited for."""
_PAUSE_SECONDS = 5.0
_NOBODY_THERE = ("ConnectFailed:ConnectionRefusedError", "ConnectFailed:gaierror", "NoCredentialsError")

Perform = Callable[[str, bytes], Reply]


@contextmanager
def patient() -> Iterator[None]:
    """Makes the requests of this process wait for a busy table."""
    table, before = client(), client().perform
    vars(table)["perform"] = partial(_perform, before)
    try:
        yield
    finally:
        vars(table)["perform"] = before


def _perform(perform: Perform, action: str, body: bytes) -> Reply:
    end = time.monotonic() + SECONDS
    while True:
        try:
            return perform(action, body)
        except (NoAnswerError, RefusedError) as error:
            left = end - time.monotonic()
            if left <= 0 or not _may_pass(error):
                raise
            click.echo(f"The table is busy; waiting for up to {left:.0f} more seconds.", err=True)
            time.sleep(min(_PAUSE_SECONDS, left))


def _may_pass(error: NoAnswerError | RefusedError) -> bool:
    return error.code not in _NOBODY_THERE if isinstance(error, NoAnswerError) else table_client.may_pass(error)
