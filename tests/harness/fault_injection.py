"""Injects failures of the store and of other services through the events of their clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance.settings import settings
from governance.store.client.errors import NoAnswerError, NoCredentialsError, RefusedError
from tests.harness.client import Response
from tests.harness.observed_table import events as table_events


@contextmanager
def hooked(event: str, hook: Any, client: Any = None) -> Iterator[None]:
    """Runs a hook before the others of its event, in the table's client or one of the SDK."""
    events = client.meta.events if client else table_events
    events.register_first(event, hook)
    try:
        yield
    finally:
        events.unregister(event, hook)


def access_denied(**_: Any) -> Any:
    """Answers a call of the SDK as a bucket does that does not let its caller read: a hook of `before-call`."""
    error = {"Error": {"Code": "AccessDenied"}, "ResponseMetadata": {"HTTPStatusCode": 403}}
    return AWSResponse("", 403, HTTPHeaders(), None), error


@contextmanager
def meanwhile(act: Callable[[], object], operation: str = "TransactWriteItems") -> Iterator[None]:
    """Acts once, before the next call of an operation: by default after a request has decided, before it writes.

    What it requests succeeds.
    """
    answers: list[object] = []

    def act_once(**_: Any) -> None:
        if not answers:
            answers.append(None)
            answers[0] = act()

    with hooked(f"before-call.dynamodb.{operation}", act_once):
        yield
    assert answers, f"no call of {operation} to act before"
    if isinstance(answers[0], Response):
        assert answers[0].status < 300, answers[0].text


@contextmanager
def refused(operation: str, code: str, times: int | None = None, reason: str | None = None) -> Iterator[list[str]]:
    """Makes the store refuse an operation (`*`: all of them), `times` times or always. Yields the list of refusals.

    `reason` is the cancellation code of a cancelled transaction's second item.
    """

    refusals: list[str] = []

    def refuse(**_: Any) -> None:
        if times is None or len(refusals) < times:
            refusals.append(code)
            raise RefusedError(code, reasons=[] if reason is None else [{"Code": "None"}, {"Code": reason}])

    with hooked(f"before-call.dynamodb.{operation}", refuse):
        yield refusals


@contextmanager
def throttled(operation: str) -> Iterator[list[str]]:
    """Makes the store throttle an operation."""
    with refused(operation, "ThrottlingException") as refusals:
        yield refusals


@contextmanager
def unreachable() -> Iterator[None]:
    """Makes every connection to the store fail."""
    with _failing(NoAnswerError("ConnectTimeout")):
        yield


@contextmanager
def without_credentials() -> Iterator[None]:
    """Makes every call of the store fail as one of a function without credentials."""
    with _failing(NoCredentialsError()):
        yield


@contextmanager
def _failing(error: Exception) -> Iterator[None]:
    def fail(**_: Any) -> None:
        raise error

    with hooked("before-call.dynamodb.*", fail):
        yield


@contextmanager
def estimated_size(pk: str, gigabytes: float) -> Iterator[None]:
    """Makes the store estimate the size of a partition, as it does for every one that a transaction wrote to."""

    def estimate(parsed: dict[str, Any], **_: Any) -> None:
        size = {"ItemCollectionKey": {"PK": {"S": pk}}, "SizeEstimateRangeGB": [gigabytes - 1, gigabytes]}
        parsed["ItemCollectionMetrics"] = {settings().table_name: [size]}

    with hooked("after-call.dynamodb.TransactWriteItems", estimate):
        yield


@contextmanager
def with_unprocessed_keys(times: int) -> Iterator[list[Any]]:
    """Makes a batch read return its last key as unprocessed, `times` times."""
    unprocessed: list[Any] = []

    def leave_out(params: dict[str, Any], **_: Any) -> None:
        if len(unprocessed) >= times:
            return
        body = json.loads(params["body"])

        ((name, request),) = body["RequestItems"].items()
        unprocessed.append({name: {"Keys": [request["Keys"].pop()]}})
        params["body"] = json.dumps(body).encode()

    def report(parsed: dict[str, Any], **_: Any) -> None:
        if unprocessed and "UnprocessedKeys" in parsed and len(reported) < len(unprocessed):
            reported.append(unprocessed[-1])
            parsed["UnprocessedKeys"] = unprocessed[-1]

    reported: list[Any] = []
    with (
        hooked("before-call.dynamodb.BatchGetItem", leave_out),
        hooked("after-call.dynamodb.BatchGetItem", report),
    ):
        yield unprocessed
