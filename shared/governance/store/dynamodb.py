"""Calls of the store. Throttling and outages become 503 `SERVICE_UNAVAILABLE`.

No attempt begins after the request's deadline (`governance.deadline`), however many calls a request makes.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache, partial
from typing import Any, TypeVar

from governance import aws, deadline, telemetry
from governance.settings import settings
from governance.store import failures
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.client.table_client import TableClient
from governance.telemetry import StoreFailure

T = TypeVar("T")
_BACKOFF_SECONDS, _LONGEST_BACKOFF_SECONDS = 0.025, 0.2
_POOL = "store-side"
_pool = ThreadPoolExecutor(max_workers=32, thread_name_prefix=_POOL)


@lru_cache(maxsize=1)
def client() -> TableClient:
    """Returns the client of the table, one for the process."""
    region = settings().region or aws.session().region_name or ""
    return TableClient(settings().table_endpoint or _endpoint(region), region)


def _endpoint(region: str) -> str:
    """Returns the address of the store in a region; other partitions than these two have `AWS_ENDPOINT_URL` set."""
    return f"https://dynamodb.{region}.amazonaws.com" + (".cn" if region.startswith("cn-") else "")


def run_async(call: Callable[[], T]) -> Future[T]:
    """Starts a call in the pool and returns its future.

    A call that is made from within the pool runs at once instead: it could wait for ever for a free thread.
    """
    if threading.current_thread().name.startswith(_POOL):
        return _completed(call)
    return _pool.submit(partial(copy_context().run, call))  # its lines in the log keep the ids of the invocation


def _completed(call: Callable[[], T]) -> Future[T]:
    future: Future[T] = Future()
    try:
        future.set_result(call())
    except Exception as error:  # noqa: BLE001 - handed on to the reader of the result
        future.set_exception(error)
    return future


def call(operation: str, **request: Any) -> Any:
    """Makes a call; raises 503 or `StoreDefectError` if it fails."""
    try:
        return raw_call(operation, **request)
    except RefusedError as error:
        raise failures.failed(operation, error) from None


def raw_call(operation: str, **request: Any) -> Any:
    """Makes a call whose refusal the caller tells apart: raises `RefusedError` for one, and 503 without an answer."""
    started = time.perf_counter()
    try:
        deadline.check(deadline.STORE_ATTEMPT_SECONDS)
        reply = client().call(operation, request)
    except NoAnswerError as error:
        raise failures.failed(operation, error) from None
    except deadline.DeadlineExceededError:
        raise failures.report(operation, StoreFailure.UNREACHABLE, "DeadlineExceeded") from None
    milliseconds = int((time.perf_counter() - started) * 1000)
    telemetry.log_store_call(operation, milliseconds, reply.repeats)
    return reply.result


def back_off(attempt: int) -> None:
    """Waits before the next attempt, longer after each one and with jitter."""
    time.sleep(random.uniform(0, min(_BACKOFF_SECONDS * 2**attempt, _LONGEST_BACKOFF_SECONDS)))  # noqa: S311 - jitter, not a secret
